CREATE TABLE "refused_phone" (
	"account_id" text NOT NULL,
	"mode" text NOT NULL,
	"phone" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "refused_phone_account_id_mode_phone_pk" PRIMARY KEY("account_id","mode","phone")
);
--> statement-breakpoint
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
CREATE TABLE "protection" (
	"account_id" text NOT NULL,
	"rules" jsonb NOT NULL,
	"fail" text DEFAULT 'open' NOT NULL,
	"budgets" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "protection_account_id_pk" PRIMARY KEY("account_id")
);
--> statement-breakpoint
CREATE TABLE "protection_count" (
	"key" text collate "C" NOT NULL,
	"slot" timestamp (3) with time zone NOT NULL,
	"part" smallint NOT NULL,
	"sends" integer NOT NULL,
	"unchecked" integer NOT NULL,
	"verified" integer NOT NULL,
	"countries" text[],
	"verified_countries" text[],
	"numbers" text[],
	"ends_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "protection_count_key_slot_part_pk" PRIMARY KEY("key","slot","part")
);
--> statement-breakpoint
CREATE TABLE "protection_finding" (
	"account_id" text NOT NULL,
	"mode" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"rule" text NOT NULL,
	"did" text NOT NULL,
	"part" smallint NOT NULL,
	"sends" integer NOT NULL,
	"phones" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "protection_finding_account_id_mode_hour_rule_did_part_pk" PRIMARY KEY("account_id","mode","hour","rule","did","part")
);
--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "findings" jsonb;--> statement-breakpoint
ALTER TABLE "phone" ADD COLUMN "has_verified" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "protection" ADD CONSTRAINT "protection_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refused_phone_at" ON "refused_phone" USING btree ("at");--> statement-breakpoint
CREATE INDEX "budget_day_day" ON "budget_day" USING btree ("day");--> statement-breakpoint
CREATE INDEX "protection_finding_hour" ON "protection_finding" USING btree ("hour");