CREATE TABLE "budget_day" (
	"account_id" text NOT NULL,
	"mode" text NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"budget" text NOT NULL,
	"messages" integer NOT NULL,
	"told" smallint NOT NULL,
	CONSTRAINT "budget_day_account_id_mode_day_budget_pk" PRIMARY KEY("account_id","mode","day","budget")
);
--> statement-breakpoint
ALTER TABLE "protection" ADD COLUMN "budgets" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "budget_day_day" ON "budget_day" USING btree ("day");