/** Codes that a newer one replaced. What becomes of one hangs on whether a connection took it before. */

/**
 * SQL for: a newer code replaced the one of the message `m`, and no connection brings it. Nothing is left of its content, and
 * each connection that took it has reported since that it failed.
 *
 * @param failing a connection, or null, that fails by the step which is written now
 */
export function isSuperseded(m: string, failing = 'null'): string {
  return `(${m}.kind = 'verification' and ${m}.content is null and ${m}.verified_at is null and ${m}.status = 'sent'
    and (${m}.taken_at is null or not exists (
      select from jsonb_array_elements(${m}.timeline) step
      where step @> '{"taken": true}' and step ->> 'connection' is distinct from ${failing} and not ${m}.timeline
        @> jsonb_build_array(jsonb_build_object('status', 'failed', 'connection', step -> 'connection')))))`
}
