-- old code works throughout: its list of opt-outs reads only rows that the new index has.
DROP INDEX "opt_out_latest";--> statement-breakpoint
CREATE INDEX "opt_out_listed" ON "opt_out" USING btree ("account_id","mode","since","phone_hash") WHERE "opt_out"."opted_in" is null;