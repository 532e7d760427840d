ALTER TABLE "account" ADD COLUMN "name_key" text;--> statement-breakpoint
-- Of names that are there already and differ in no more than case and spaces, the oldest has the key, and the others one of their own.
UPDATE "account" SET "name_key" = "made"."key" FROM (
	SELECT "id", lower(btrim("name")) || CASE
		WHEN row_number() OVER (PARTITION BY lower(btrim("name")) ORDER BY "created_at", "id") = 1 THEN ''
		ELSE ' ' || "id"
	END AS "key" FROM "account"
) AS "made" WHERE "made"."id" = "account"."id";--> statement-breakpoint
ALTER TABLE "account" ALTER COLUMN "name_key" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_name_key_unique" UNIQUE("name_key");
