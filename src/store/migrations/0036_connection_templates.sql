CREATE TABLE "connection_templates" (
	"account_id" text NOT NULL,
	"connection" text NOT NULL,
	"revision" text NOT NULL,
	"faults" jsonb NOT NULL,
	"categories" jsonb NOT NULL,
	CONSTRAINT "connection_templates_account_id_connection_pk" PRIMARY KEY("account_id","connection")
);
--> statement-breakpoint
ALTER TABLE "connection_templates" ADD CONSTRAINT "connection_templates_account_id_connection_connection_account_id_id_fk" FOREIGN KEY ("account_id","connection") REFERENCES "public"."connection"("account_id","id") ON DELETE cascade ON UPDATE no action;