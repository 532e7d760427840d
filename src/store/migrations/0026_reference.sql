CREATE TABLE "message_reference" (
	"account_id" text NOT NULL,
	"reference" text NOT NULL,
	"message_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "message_reference_account_id_reference_message_id_pk" PRIMARY KEY("account_id","reference","message_id")
);
--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "reference" text;--> statement-breakpoint
CREATE INDEX "message_reference_created" ON "message_reference" USING btree ("created_at");