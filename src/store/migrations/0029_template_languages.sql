CREATE TABLE "template_version" (
	"account_id" text NOT NULL,
	"slug" text NOT NULL,
	"text" text NOT NULL,
	"channels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"category" text DEFAULT 'utility' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"default_locale" text DEFAULT 'und' NOT NULL,
	"locales" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"updated_by" text,
	"replaced_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "template_version_account_id_slug_version_pk" PRIMARY KEY("account_id","slug","version")
);
--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "template_version" integer;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "template_locale" text;--> statement-breakpoint
ALTER TABLE "template" ADD COLUMN "category" text DEFAULT 'utility' NOT NULL;--> statement-breakpoint
ALTER TABLE "template" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "template" ADD COLUMN "default_locale" text DEFAULT 'und' NOT NULL;--> statement-breakpoint
ALTER TABLE "template" ADD COLUMN "locales" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "template" ADD COLUMN "updated_by" text;--> statement-breakpoint
ALTER TABLE "template_version" ADD CONSTRAINT "template_version_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "template_version_replaced" ON "template_version" USING btree ("replaced_at");