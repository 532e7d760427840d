CREATE TABLE "connection_turn" (
	"account_id" text NOT NULL,
	"connection" text NOT NULL,
	"seq" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "connection_turn_account_id_connection_seq_pk" PRIMARY KEY("account_id","connection","seq")
);
--> statement-breakpoint
ALTER TABLE "connection" ADD COLUMN "per_minute" integer;--> statement-breakpoint
ALTER TABLE "connection" ADD COLUMN "per_hour" integer;--> statement-breakpoint
ALTER TABLE "connection" ADD COLUMN "per_day" integer;--> statement-breakpoint
ALTER TABLE "connection" ADD COLUMN "turn" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "connection" ADD COLUMN "turn_forgotten" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "connection_turn" ADD CONSTRAINT "connection_turn_account_id_connection_connection_account_id_id_fk" FOREIGN KEY ("account_id","connection") REFERENCES "public"."connection"("account_id","id") ON DELETE cascade ON UPDATE no action;