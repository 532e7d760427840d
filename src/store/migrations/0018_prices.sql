CREATE TABLE "spend" (
	"account_id" text NOT NULL,
	"mode" text NOT NULL,
	"grain" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"connection" text NOT NULL,
	"country" text NOT NULL,
	"currency" text NOT NULL,
	"messages" integer NOT NULL,
	"amount" numeric NOT NULL,
	CONSTRAINT "spend_account_id_mode_grain_at_connection_country_currency_pk" PRIMARY KEY("account_id","mode","grain","at","connection","country","currency")
);
--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "prices" jsonb;--> statement-breakpoint
CREATE INDEX "spend_at" ON "spend" USING btree ("at","grain");