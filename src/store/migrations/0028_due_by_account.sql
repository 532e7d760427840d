-- old code works throughout: the table is newer than each version that was released, and either index finds the same.
DROP INDEX "scheduled_send_at";--> statement-breakpoint
CREATE INDEX "scheduled_account_send_at" ON "scheduled" USING btree ("account_id","send_at") WHERE "scheduled"."send_at" is not null;