-- old code works throughout: it asks the same tables for the same columns; nothing is copied, and each lock is held for a moment.
-- The tables that grow are kept in partitions by time: by the ids of their rows, which begin with it. What they hold stays where
-- it is, as the partition for all that has no other: nothing is copied or read. Who uses them meanwhile is not kept waiting: all
-- are taken hold of at once, in a moment in which nobody has any of them, or it is tried again.
DO $$
BEGIN
  FOR attempt IN 1..20 LOOP
    BEGIN
      PERFORM set_config('lock_timeout', '100ms', true);
      LOCK TABLE "message", "leg", "sandbox_message", "event", "event_delivery", "event_attempt" IN ACCESS EXCLUSIVE MODE;
      PERFORM set_config('lock_timeout', '1s', true);
      RETURN;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      PERFORM pg_sleep(0.1 + 0.2 * random());
    END;
  END LOOP;
  RAISE lock_not_available USING MESSAGE = 'somebody holds the tables of messages or events: end that, as a backup, and migrate again';
END $$;--> statement-breakpoint
-- The order of ids must be that of their times. In some languages it is not, as in Czech, where CH comes after H: there the
-- ids are compared by their bytes from now on, and their indexes made anew.
DO $$
DECLARE
  kept text[];
BEGIN
  PERFORM FROM (
    SELECT row_number() OVER (ORDER BY pair) AS place, row_number() OVER (ORDER BY pair COLLATE "C") AS wanted
    FROM string_to_table('0123456789ABCDEFGHJKMNPQRSTVWXYZ', NULL) AS one,
      LATERAL (SELECT 'req_' || one UNION ALL SELECT 'req_' || one || other
        FROM string_to_table('0123456789ABCDEFGHJKMNPQRSTVWXYZ', NULL) AS other) AS pairs (pair)
  ) AS pairs WHERE place <> wanted;
  IF NOT FOUND THEN RETURN; END IF;
  FOREACH kept SLICE 1 IN ARRAY ARRAY[['message', 'id'], ['leg', 'message_id'], ['sandbox_message', 'id'], ['event', 'id'],
      ['event_delivery', 'event_id'], ['event_attempt', 'event_id']] LOOP
    EXECUTE format('ALTER TABLE %I ALTER %I TYPE text COLLATE "C"', kept[1], kept[2]);
  END LOOP;
END $$;--> statement-breakpoint
ALTER TABLE "message" RENAME TO "message_default";--> statement-breakpoint
ALTER TABLE "message_default" RENAME CONSTRAINT "message_account_id_id_pk" TO "message_default_pk";--> statement-breakpoint
ALTER INDEX "message_phone" RENAME TO "message_default_phone";--> statement-breakpoint
ALTER INDEX "message_pending_expiry" RENAME TO "message_default_pending_expiry";--> statement-breakpoint
ALTER INDEX "message_created" RENAME TO "message_default_created";--> statement-breakpoint
CREATE TABLE "message" (LIKE "message_default" INCLUDING DEFAULTS) PARTITION BY RANGE ("id");--> statement-breakpoint
ALTER TABLE "message" ADD CONSTRAINT "message_account_id_id_pk" PRIMARY KEY("account_id","id");--> statement-breakpoint
CREATE INDEX "message_phone" ON "message" USING btree ("phone",("account_id" || ''));--> statement-breakpoint
CREATE INDEX "message_pending_expiry" ON "message" USING btree ("expires_at") WHERE kind = 'verification' and (status = 'sent' or awaited) and verified_at is null;--> statement-breakpoint
CREATE INDEX "message_created" ON "message" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "message" ATTACH PARTITION "message_default" DEFAULT;--> statement-breakpoint
ALTER TABLE "leg" RENAME TO "leg_default";--> statement-breakpoint
-- It has no key of its own: a provider's id is unique in each partition, as it is in this one, and no partition has it for the others.
ALTER TABLE "leg_default" RENAME CONSTRAINT "leg_account_id_connection_provider_message_id_pk" TO "leg_default_pk";--> statement-breakpoint
ALTER INDEX "leg_message" RENAME TO "leg_default_message";--> statement-breakpoint
CREATE TABLE "leg" (LIKE "leg_default" INCLUDING DEFAULTS) PARTITION BY RANGE ("message_id");--> statement-breakpoint
CREATE INDEX "leg_message" ON "leg" USING btree ("account_id","message_id");--> statement-breakpoint
ALTER TABLE "leg" ATTACH PARTITION "leg_default" DEFAULT;--> statement-breakpoint
ALTER TABLE "sandbox_message" RENAME TO "sandbox_message_default";--> statement-breakpoint
ALTER TABLE "sandbox_message_default" RENAME CONSTRAINT "sandbox_message_account_id_id_pk" TO "sandbox_message_default_pk";--> statement-breakpoint
ALTER INDEX "sandbox_message_phone" RENAME TO "sandbox_message_default_phone";--> statement-breakpoint
ALTER INDEX "sandbox_message_at" RENAME TO "sandbox_message_default_at";--> statement-breakpoint
CREATE TABLE "sandbox_message" (LIKE "sandbox_message_default" INCLUDING DEFAULTS) PARTITION BY RANGE ("id");--> statement-breakpoint
ALTER TABLE "sandbox_message" ADD CONSTRAINT "sandbox_message_account_id_id_pk" PRIMARY KEY("account_id","id");--> statement-breakpoint
CREATE INDEX "sandbox_message_phone" ON "sandbox_message" USING btree ("phone","at");--> statement-breakpoint
CREATE INDEX "sandbox_message_at" ON "sandbox_message" USING btree ("at");--> statement-breakpoint
ALTER TABLE "sandbox_message" ATTACH PARTITION "sandbox_message_default" DEFAULT;--> statement-breakpoint
ALTER TABLE "event" RENAME TO "event_default";--> statement-breakpoint
ALTER TABLE "event_default" RENAME CONSTRAINT "event_account_id_id_pk" TO "event_default_pk";--> statement-breakpoint
ALTER INDEX "event_at" RENAME TO "event_default_at";--> statement-breakpoint
ALTER INDEX "event_message" RENAME TO "event_default_message";--> statement-breakpoint
CREATE TABLE "event" (LIKE "event_default" INCLUDING DEFAULTS) PARTITION BY RANGE ("id");--> statement-breakpoint
ALTER TABLE "event" ADD CONSTRAINT "event_account_id_id_pk" PRIMARY KEY("account_id","id");--> statement-breakpoint
CREATE INDEX "event_at" ON "event" USING btree ("at");--> statement-breakpoint
CREATE INDEX "event_message" ON "event" USING btree ("account_id","message_id") WHERE message_id is not null;--> statement-breakpoint
ALTER TABLE "event" ATTACH PARTITION "event_default" DEFAULT;--> statement-breakpoint
ALTER TABLE "event_delivery" RENAME TO "event_delivery_default";--> statement-breakpoint
ALTER TABLE "event_delivery_default" RENAME CONSTRAINT "event_delivery_account_id_event_id_endpoint_id_pk" TO "event_delivery_default_pk";--> statement-breakpoint
ALTER INDEX "event_delivery_due" RENAME TO "event_delivery_default_due";--> statement-breakpoint
ALTER INDEX "event_delivery_at" RENAME TO "event_delivery_default_at";--> statement-breakpoint
ALTER INDEX "event_delivery_over" RENAME TO "event_delivery_default_over";--> statement-breakpoint
CREATE TABLE "event_delivery" (LIKE "event_delivery_default" INCLUDING DEFAULTS) PARTITION BY RANGE ("event_id");--> statement-breakpoint
ALTER TABLE "event_delivery" ADD CONSTRAINT "event_delivery_account_id_event_id_endpoint_id_pk" PRIMARY KEY("account_id","event_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "event_delivery_due" ON "event_delivery" USING btree ("account_id","endpoint_id","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "event_delivery_at" ON "event_delivery" USING btree ("account_id","endpoint_id","at") WHERE at is not null;--> statement-breakpoint
CREATE INDEX "event_delivery_over" ON "event_delivery" USING btree ("account_id","endpoint_id","state","at") WHERE state <> 'due' and at is not null;--> statement-breakpoint
ALTER TABLE "event_delivery" ATTACH PARTITION "event_delivery_default" DEFAULT;--> statement-breakpoint
ALTER TABLE "event_attempt" RENAME TO "event_attempt_default";--> statement-breakpoint
ALTER TABLE "event_attempt_default" RENAME CONSTRAINT "event_attempt_account_id_event_id_endpoint_id_at_pk" TO "event_attempt_default_pk";--> statement-breakpoint
CREATE TABLE "event_attempt" (LIKE "event_attempt_default" INCLUDING DEFAULTS) PARTITION BY RANGE ("event_id");--> statement-breakpoint
ALTER TABLE "event_attempt" ADD CONSTRAINT "event_attempt_account_id_event_id_endpoint_id_at_pk" PRIMARY KEY("account_id","event_id","endpoint_id","at");--> statement-breakpoint
ALTER TABLE "event_attempt" ATTACH PARTITION "event_attempt_default" DEFAULT;
