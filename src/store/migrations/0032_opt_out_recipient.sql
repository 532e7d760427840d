-- old code works throughout: it leaves `recipient` empty, and the table is newer than each version that was released.
ALTER TABLE "opt_out" ADD COLUMN "recipient" text;--> statement-breakpoint
CREATE INDEX "opt_out_latest" ON "opt_out" USING btree ("account_id","mode","since","phone_hash");