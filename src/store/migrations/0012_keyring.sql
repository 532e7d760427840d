CREATE TABLE "keyring" (
	"key_id" text PRIMARY KEY NOT NULL,
	"sealed" "bytea" NOT NULL,
	"hashed_from" timestamp (3) with time zone NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL
);
