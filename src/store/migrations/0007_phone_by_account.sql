DROP INDEX "message_phone";--> statement-breakpoint
CREATE INDEX "message_phone" ON "message" USING btree ("phone",("account_id" || ''));