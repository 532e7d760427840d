CREATE TABLE "scheduled" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"send_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "scheduled_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "send_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "scheduled_send_at" ON "scheduled" USING btree ("send_at");