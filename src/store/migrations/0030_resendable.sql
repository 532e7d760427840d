CREATE TABLE "resendable" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"content" "bytea",
	"failed_at" timestamp (3) with time zone NOT NULL,
	"resent_as" text,
	CONSTRAINT "resendable_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE INDEX "resendable_failed_at" ON "resendable" USING btree ("failed_at");