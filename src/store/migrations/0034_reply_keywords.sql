CREATE TABLE "reply_keywords" (
	"account_id" text NOT NULL,
	"keywords" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reply_keywords_account_id_pk" PRIMARY KEY("account_id")
);
