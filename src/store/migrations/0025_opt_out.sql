CREATE TABLE "opt_out" (
	"account_id" text NOT NULL,
	"mode" text NOT NULL,
	"phone_hash" text NOT NULL,
	"category" text NOT NULL,
	"source" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "opt_out_account_id_mode_phone_hash_pk" PRIMARY KEY("account_id","mode","phone_hash")
);
