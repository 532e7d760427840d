CREATE TABLE "audit" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"user_id" text,
	"name" text NOT NULL,
	"act" text NOT NULL,
	"subject" text NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"address" text,
	CONSTRAINT "audit_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "counting" (
	"what" text PRIMARY KEY NOT NULL,
	"settled_until" timestamp (3) with time zone NOT NULL,
	"recount_at" timestamp (3) with time zone NOT NULL,
	"counted_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"hours_until" timestamp (3) with time zone[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "figure" (
	"account_id" text NOT NULL,
	"mode" text NOT NULL,
	"grain" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"connection" text NOT NULL,
	"country" text NOT NULL,
	"created" integer NOT NULL,
	"sent" integer NOT NULL,
	"delivered" integer NOT NULL,
	"verified" integer NOT NULL,
	"failed" integer NOT NULL,
	"expired" integer NOT NULL,
	"latencies" integer[] NOT NULL,
	CONSTRAINT "figure_account_id_mode_grain_at_kind_connection_country_pk" PRIMARY KEY("account_id","mode","grain","at","kind","connection","country")
);
--> statement-breakpoint
CREATE TABLE "invitation" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"hash" text NOT NULL,
	"role" text NOT NULL,
	"email" text,
	"user_id" text,
	"invited_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "invitation_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "sign_in" (
	"email_hash" text PRIMARY KEY NOT NULL,
	"wrong_at" timestamp (3) with time zone[] DEFAULT '{}' NOT NULL,
	"latest_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dashboard_user" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_key" text NOT NULL,
	"role" text NOT NULL,
	"password_hash" text,
	"totp_sealed" "bytea",
	"totp_step" bigint,
	"recovery_hashes" text[] DEFAULT '{}' NOT NULL,
	"oidc_subject" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"signed_in_at" timestamp (3) with time zone,
	"disabled_at" timestamp (3) with time zone,
	CONSTRAINT "dashboard_user_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "dashboard_session" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"user_id" text NOT NULL,
	"hash" text NOT NULL,
	"is_pending" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"proved_at" timestamp (3) with time zone NOT NULL,
	"address" text NOT NULL,
	"agent" text NOT NULL,
	CONSTRAINT "dashboard_session_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "last_used_from" text;--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "used_that_day" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "connection" ADD COLUMN "taken_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "connection" ADD COLUMN "balance" double precision;--> statement-breakpoint
ALTER TABLE "event" ADD COLUMN "message_id" text;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "template" text;--> statement-breakpoint
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dashboard_user" ADD CONSTRAINT "dashboard_user_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit" USING btree ("at");--> statement-breakpoint
CREATE INDEX "figure_at" ON "figure" USING btree ("at","grain");--> statement-breakpoint
CREATE INDEX "invitation_hash" ON "invitation" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "invitation_expires" ON "invitation" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_latest" ON "sign_in" USING btree ("latest_at");--> statement-breakpoint
CREATE INDEX "dashboard_user_email" ON "dashboard_user" USING btree ("email_key");--> statement-breakpoint
CREATE INDEX "dashboard_user_oidc" ON "dashboard_user" USING btree ("oidc_subject");--> statement-breakpoint
CREATE INDEX "dashboard_session_hash" ON "dashboard_session" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "dashboard_session_user" ON "dashboard_session" USING btree ("account_id","user_id") WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX "dashboard_session_created" ON "dashboard_session" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "event_message" ON "event" USING btree ("account_id","message_id") WHERE message_id is not null;--> statement-breakpoint
CREATE INDEX "event_delivery_over" ON "event_delivery" USING btree ("account_id","endpoint_id","state","at") WHERE state <> 'due' and at is not null;