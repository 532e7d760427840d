CREATE TABLE "receipt_key" (
	"kid" text PRIMARY KEY NOT NULL,
	"mode" text NOT NULL,
	"public_jwk" text NOT NULL,
	"sealed" "bytea" NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"signs_from" timestamp (3) with time zone
);
