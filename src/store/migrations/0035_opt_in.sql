-- old code works throughout: it leaves both empty, and the table is newer than each version that was released.
ALTER TABLE "opt_out" ADD COLUMN "told_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "opt_out" ADD COLUMN "opted_in" text;--> statement-breakpoint
CREATE INDEX "opt_out_opted_in" ON "opt_out" USING btree ("told_at") WHERE "opt_out"."opted_in" is not null;