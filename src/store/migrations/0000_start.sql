CREATE TABLE "account" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "api_key" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"mode" text NOT NULL,
	"scopes" text[] NOT NULL,
	"hash" "bytea" NOT NULL,
	"hint" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "api_key_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"account_id" text NOT NULL,
	"mode" text NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"fingerprint_key_id" text NOT NULL,
	"status" smallint,
	"body" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_account_id_mode_operation_key_pk" PRIMARY KEY("account_id","mode","operation","key")
);
--> statement-breakpoint
CREATE TABLE "message" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"mode" text NOT NULL,
	"kind" text NOT NULL,
	"phone" text NOT NULL,
	"channel" text NOT NULL,
	"status" text NOT NULL,
	"status_at" timestamp (3) with time zone NOT NULL,
	"error_code" text,
	"content" "bytea",
	"delivery_attempts" smallint DEFAULT 0 NOT NULL,
	"provider_message_id" text,
	"timeline" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"verified_at" timestamp (3) with time zone,
	CONSTRAINT "message_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "phone" (
	"account_id" text NOT NULL,
	"mode" text NOT NULL,
	"phone" text NOT NULL,
	"sent_at" timestamp (3) with time zone[] DEFAULT '{}' NOT NULL,
	"notified_at" timestamp (3) with time zone[] DEFAULT '{}' NOT NULL,
	"wrong_at" timestamp (3) with time zone[] DEFAULT '{}' NOT NULL,
	"verification_id" text,
	"code_hmac" "bytea",
	"code_key_id" text,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"attempts_max" smallint DEFAULT 0 NOT NULL,
	"verified_attempt" smallint,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "phone_account_id_mode_phone_pk" PRIMARY KEY("account_id","mode","phone")
);
--> statement-breakpoint
CREATE TABLE "sandbox_message" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"phone" text NOT NULL,
	"text" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_message_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "template" (
	"account_id" text NOT NULL,
	"slug" text NOT NULL,
	"text" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "template_account_id_slug_pk" PRIMARY KEY("account_id","slug")
);
--> statement-breakpoint
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "template" ADD CONSTRAINT "template_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_hash" ON "api_key" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "idempotency_created" ON "idempotency" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "message_phone" ON "message" USING btree ("phone");--> statement-breakpoint
CREATE INDEX "message_pending_expiry" ON "message" USING btree ("expires_at") WHERE kind = 'verification' and status = 'sent' and verified_at is null;--> statement-breakpoint
CREATE INDEX "message_created" ON "message" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sandbox_message_phone" ON "sandbox_message" USING btree ("phone","at");--> statement-breakpoint
CREATE INDEX "sandbox_message_at" ON "sandbox_message" USING btree ("at");