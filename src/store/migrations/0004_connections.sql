CREATE TABLE "connection" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"position" smallint NOT NULL,
	"kind" text NOT NULL,
	"countries" text[],
	"failover_seconds" integer,
	"settings" jsonb NOT NULL,
	"sealed" "bytea",
	"revision" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"rests_until" timestamp (3) with time zone,
	"rest_reason" text,
	"next_at" timestamp with time zone,
	CONSTRAINT "connection_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "leg" (
	"account_id" text NOT NULL,
	"message_id" text NOT NULL,
	"connection" text NOT NULL,
	"provider_message_id" text NOT NULL,
	CONSTRAINT "leg_account_id_connection_provider_message_id_pk" PRIMARY KEY("account_id","connection","provider_message_id")
);
--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "route" text[] DEFAULT '{"sandbox"}' NOT NULL;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "leg" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "unsure" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "taken_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "phone" ADD COLUMN "superseded_id" text;--> statement-breakpoint
ALTER TABLE "template" ADD COLUMN "channels" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "connection" ADD CONSTRAINT "connection_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "leg_message" ON "leg" USING btree ("account_id","message_id");--> statement-breakpoint
ALTER TABLE "message" DROP COLUMN "channel";--> statement-breakpoint
ALTER TABLE "message" DROP COLUMN "provider_message_id";--> statement-breakpoint
INSERT INTO "connection" ("account_id", "id", "position", "kind", "settings", "revision", "updated_at") SELECT "id", 'sandbox', 1, 'sandbox', '{}'::jsonb, 'first', now() FROM "account";
