ALTER TABLE "endpoint" ADD COLUMN "pace" text;--> statement-breakpoint
-- old code works: it does not know the column, and endpoints are few. What is wrong of it, the next answer corrects.
UPDATE "endpoint" SET "pace" = CASE WHEN "failing_since" IS NULL THEN 'quick' ELSE 'slow' END;
