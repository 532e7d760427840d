-- old code works throughout: the table is newer than each version that was released, and either index finds the same.
DROP INDEX "opt_out_latest";--> statement-breakpoint
CREATE INDEX "opt_out_latest" ON "opt_out" USING btree ("account_id","mode","since","phone_hash") WHERE "opt_out"."opted_in" is null;