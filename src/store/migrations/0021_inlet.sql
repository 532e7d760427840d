CREATE TABLE "inlet" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"mode" text NOT NULL,
	"settings" jsonb NOT NULL,
	"sealed" "bytea" NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"posts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "inlet_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
ALTER TABLE "inlet" ADD CONSTRAINT "inlet_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;