CREATE TABLE "endpoint" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"mode" text NOT NULL,
	"url" text NOT NULL,
	"types" text[],
	"sealed" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	"failing_since" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "endpoint_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "event" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"mode" text NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "event_attempt" (
	"account_id" text NOT NULL,
	"event_id" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"status" smallint,
	"error" text,
	"duration_ms" integer NOT NULL,
	"answer" text,
	CONSTRAINT "event_attempt_account_id_event_id_endpoint_id_at_pk" PRIMARY KEY("account_id","event_id","endpoint_id","at")
);
--> statement-breakpoint
CREATE TABLE "event_delivery" (
	"account_id" text NOT NULL,
	"event_id" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"state" text NOT NULL,
	"due_at" timestamp (3) with time zone,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_delivery_account_id_event_id_endpoint_id_pk" PRIMARY KEY("account_id","event_id","endpoint_id")
);
--> statement-breakpoint
DROP INDEX "message_pending_expiry";--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "awaited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "endpoint" ADD CONSTRAINT "endpoint_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "event_at" ON "event" USING btree ("at");--> statement-breakpoint
CREATE INDEX "event_delivery_due" ON "event_delivery" USING btree ("account_id","endpoint_id","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "event_delivery_at" ON "event_delivery" USING btree ("account_id","endpoint_id","at") WHERE at is not null;--> statement-breakpoint
CREATE INDEX "message_pending_expiry" ON "message" USING btree ("expires_at") WHERE kind = 'verification' and (status = 'sent' or awaited) and verified_at is null;