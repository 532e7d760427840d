/** Runs of failures: how long an endpoint has taken nothing, and when that disables it. */

import { batch, keyColumns } from '../engine/batch.ts'
import { type Tx, write } from '../engine/session.ts'
import type { Mode } from '../schema/schema.ts'
import { type EndpointKey, holdDeliveries } from './endpoint.ts'

/** What came of an attempt, as far as it says something about its endpoint. */
export interface EndpointOutcome extends EndpointKey {
  /** Of the attempt. */
  at: Date
  /** `gone`: it wants to be told nothing any more. */
  result: 'taken' | 'failed' | 'gone'
  /** Whether an answer came soon. */
  pace: 'quick' | 'slow'
}

/** The run of nothing but failures that disables an endpoint: as long as this, and as many. */
export interface RunLimits {
  seconds: number
  failures: number
}

export interface DisabledEndpoint extends EndpointKey {
  mode: Mode
  reason: 'failing' | 'gone'
  at: Date
}

interface Run extends EndpointKey {
  /** Whether anything was taken. */
  taken: boolean
  /** Attempts that failed after the last that did not. */
  failed: number
  /** When the first of those was. */
  since: Date | undefined
  /** When the last attempt was. */
  at: Date
  gone: boolean
  /** Of the last attempt. */
  pace: EndpointOutcome['pace']
}

const g = batch<Run>('g', {
  ...keyColumns,
  taken: ['bool', (run) => run.taken],
  failed: ['int', (run) => run.failed],
  since: ['timestamptz', (run) => run.since],
  at: ['timestamptz', (run) => run.at],
  gone: ['bool', (run) => run.gone],
  pace: ['text', (run) => run.pace],
})
const [failuresMin, secondsMin] = g.more()

const record = write<{ n: number; mode: Mode; reason: DisabledEndpoint['reason'] | null; isDisabled: boolean }>(`
  with held as (
    select g.*, e.mode, e.failures, e.failing_since, e.disabled_at, e.disabled_reason
    from ${g.numbered}
    join endpoint e on e.account_id = g.account_id and e.id = g.id
    where g.failed > 0 or g.gone or e.failing_since is not null or e.pace is distinct from g.pace
    order by e.account_id collate "C", e.id collate "C" for update of e
  ), run as (
    select *, failed + case when taken then 0 else failures end as failed_now,
      case when failed = 0 then null when taken then since else coalesce(failing_since, since) end as since_now
    from held
  ), judged as (
    select *, case when disabled_at is not null then null when gone then 'gone'
      when failed_now >= ${failuresMin}::int and at - since_now >= make_interval(secs => ${secondsMin}::int) then 'failing' end as reason
    from run
  )
  update endpoint e set failures = j.failed_now, failing_since = j.since_now, pace = j.pace,
    disabled_at = case when j.reason is null then j.disabled_at else j.at end, disabled_reason = coalesce(j.reason, j.disabled_reason)
  from judged j where e.account_id = j.account_id and e.id = j.id
  returning j.n::int as n, j.mode, j.reason, e.disabled_at is not null as "isDisabled"`)

/**
 * Counts what came of attempts towards the runs of their endpoints, notes their pace, and disables those whose run is over
 * the limits or that are gone. The row of an endpoint is written only where any of this changes. What is due for a disabled one is held, as far as one commit does that: so the deliveries of these attempts are
 * settled first.
 *
 * @returns those that were disabled by this
 */
export async function recordOutcomes(
  tx: Tx,
  list: readonly EndpointOutcome[],
  limits: RunLimits,
): Promise<DisabledEndpoint[]> {
  const runs = toRuns(list)
  if (runs.length === 0) return []
  const changed = await tx.run(record, [...g.valuesOf(runs), limits.failures, limits.seconds])
  holdDeliveries(
    tx,
    changed.filter(({ isDisabled }) => isDisabled).map(({ n }) => runs[n - 1]!),
  )
  return changed.flatMap(({ n, mode, reason }) => {
    const { accountId, id, at } = runs[n - 1]!
    return reason ? { accountId, id, mode, reason, at } : []
  })
}

function toRuns(list: readonly EndpointOutcome[]): Run[] {
  const byEndpoint = Map.groupBy(list, ({ accountId, id }) => `${accountId} ${id}`)
  return [...byEndpoint.values()].map((outcomes) => {
    const inOrder = outcomes.toSorted((one, other) => one.at.getTime() - other.at.getTime())
    const failures = inOrder.slice(inOrder.findLastIndex(({ result }) => result === 'taken') + 1)
    const { accountId, id, at, pace } = inOrder.at(-1)!
    return {
      ...{ accountId, id, at, pace },
      taken: failures.length < inOrder.length,
      failed: failures.length,
      since: failures[0]?.at,
      gone: inOrder.some(({ result }) => result === 'gone'),
    }
  })
}
