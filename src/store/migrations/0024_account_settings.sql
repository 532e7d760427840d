ALTER TABLE "account" ADD COLUMN "brand" text;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "cooldown_seconds" integer;