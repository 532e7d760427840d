/** What statements here rely on, set on every connection, whatever the server, the role or the URL has for it. */

/**
 * - The forms of times, numbers, bytes and lists, and the zone, in which values are read and written; and of names: copies know
 *   tables by them.
 * - Read committed: every statement sees what was committed before it, and waits for who holds a row, as long as a
 *   statement may take.
 * - Every statement finds its rows by key, so a plan that reads a whole table or joins by hashing one is never right, not
 *   even while the table is small or nobody has counted its rows. So plans do not hang on statistics, and each is made once.
 * - An acknowledged commit is on the disk. That it may not be on the standby, PostgreSQL says in a warning, which must come.
 * - A connection ends when this side ends it, and not when it rests or a statement fails. But the server notices within a
 *   minute when this machine is gone without a word; as it comes, it would keep such connections for two hours, and count them.
 * Whether it may write is not set here: see `readOnlyBy`.
 */
const settings: Record<string, string> = {
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  client_encoding: 'UTF8',
  extra_float_digits: '1',
  bytea_output: 'hex',
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  quote_all_identifiers: 'off',
  search_path: 'public',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  lock_timeout: '0',
  idle_session_timeout: '0',
  exit_on_error: 'off',
  client_min_messages: 'notice',
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '60000',
  enable_indexscan: 'on',
  enable_nestloop: 'on',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_partition_pruning: 'on',
  from_collapse_limit: '8',
  join_collapse_limit: '8',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
}

/** One statement, for a new connection. */
export const pinned = writeStatement(settings, false)

/** The same for the transaction that has begun, where connections are others' too. @param more settings beside */
export function pinnedLocally(more: Record<string, string>): string {
  return writeStatement({ ...settings, ...more }, true)
}

/** For a transaction that has begun, and goes through whole tables on purpose. */
export const unbounded = `select set_config('statement_timeout', '0', true),
  set_config('idle_in_transaction_session_timeout', '0', true), set_config('enable_seqscan', 'on', true)`

function writeStatement(wanted: Record<string, string>, isLocal: boolean): string {
  return [
    'select',
    Object.entries(wanted)
      .map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`)
      .join(', '),
    ", set_config('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'on'",
    `else current_setting('synchronous_commit') end, ${isLocal}),`,
    // Since PostgreSQL 17; each statement here has its own bound, and migrations take as long as they take.
    `case when current_setting('server_version_num')::int >= 170000 then set_config('transaction_timeout', '0', ${isLocal}) end`,
  ].join(' ')
}
