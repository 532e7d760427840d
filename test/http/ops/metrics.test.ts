import { describe, expect, it } from 'vitest'
import {
  type ChannelState,
  createMetrics,
  type Metrics,
  type MetricsParts,
  type Watched,
} from '../../../src/http/ops/metrics.ts'

const none = async () => ({ enabled: 0, disabled: 0 })
const quiet = {
  version: '1.2.3',
  routes: new Map([['send', { method: 'POST', route: '/v1/send' }]]),
  queue: { depths: async () => [] },
  waitingJobs: async () => [],
  database: { pool: () => undefined, server: async () => undefined, check: async () => {} },
  channelStates: () => [],
  dueEvents: async () => 0,
  endpoints: none,
  internalErrors: { count: () => 0 },
}

function openMetrics(parts: MetricsParts & Watched): Metrics {
  const metrics = createMetrics(parts)
  metrics.watch(parts)
  return metrics
}

const linesOf = async (metrics: Metrics, name: string) =>
  (await metrics.render()).split('\n').filter((line) => line.startsWith(name))

describe('the figures of a connection', () => {
  let states: ChannelState[] = []
  const metrics = openMetrics({ ...quiet, channelStates: () => states })

  it('tell which is used and which rests, and what is left where the provider says so', async () => {
    states = [
      { accountId: 'acct_default', connection: 'wa-eu', up: true },
      { accountId: 'acct_default', connection: 'tg', up: false, balance: 12.5 },
      { accountId: 'acct_other', connection: 'tg', up: true, balance: 0 },
    ]
    expect(await linesOf(metrics, 'watchword_channel_')).toEqual([
      'watchword_channel_up{connection="wa-eu",account="acct_default"} 1',
      'watchword_channel_up{connection="tg",account="acct_default"} 0',
      'watchword_channel_up{connection="tg",account="acct_other"} 1',
      'watchword_channel_balance{connection="tg",account="acct_default"} 12.5',
      'watchword_channel_balance{connection="tg",account="acct_other"} 0',
    ])
  })

  it('end when it is taken off the list', async () => {
    states = [{ accountId: 'acct_default', connection: 'wa-eu', up: false }]
    expect(await linesOf(metrics, 'watchword_channel_')).toEqual([
      'watchword_channel_up{connection="wa-eu",account="acct_default"} 0',
    ])
  })
})

describe('the figures of reports', () => {
  it('count them as requests, and those that were not taken by reason', async () => {
    const metrics = openMetrics(quiet)
    const report = { operation: 'report', status: 200, seconds: 0.01, refused: undefined }
    metrics.reported(report)
    metrics.reported({ ...report, refused: 'unreadable' })
    metrics.reported({ ...report, status: 401, refused: 'signature' })
    metrics.reported({ ...report, status: 401, refused: 'signature' })
    expect(await linesOf(metrics, 'watchword_reports_refused_total')).toEqual([
      'watchword_reports_refused_total{reason="unreadable"} 1',
      'watchword_reports_refused_total{reason="signature"} 2',
    ])
    expect(await linesOf(metrics, 'watchword_request_seconds_count')).toEqual([
      'watchword_request_seconds_count{operation="report",status="200"} 2',
      'watchword_request_seconds_count{operation="report",status="401"} 2',
    ])
  })
})

describe('the figures of events', () => {
  it('count attempts by outcome, what is due, and the endpoints that are disabled and were', async () => {
    const metrics = openMetrics({
      ...quiet,
      dueEvents: async () => 7,
      internalErrors: { count: () => 0 },
      endpoints: async () => ({ enabled: 3, disabled: 1 }),
    })
    for (const outcome of ['delivered', 'failed', 'delivered']) metrics.eventTried({ outcome })
    metrics.endpointDisabled({ reason: 'gone' })
    expect(await linesOf(metrics, 'watchword_e')).toEqual([
      'watchword_event_attempts_total{outcome="delivered"} 2',
      'watchword_event_attempts_total{outcome="failed"} 1',
      'watchword_event_attempts_total{outcome="given_up"} 0',
      'watchword_event_attempts_total{outcome="gone"} 0',
      'watchword_endpoints_disabled_total{reason="gone"} 1',
      'watchword_endpoints{state="enabled"} 3',
      'watchword_endpoints{state="disabled"} 1',
      'watchword_events_due 7',
    ])
  })

  it('say nothing of what only the database knows while it is away, and all else', async () => {
    const away = () => Promise.reject(new Error('away'))
    const metrics = openMetrics({ ...quiet, dueEvents: away, endpoints: away })
    metrics.eventTried({ outcome: 'failed' })
    const lines = await linesOf(metrics, 'watchword_e')
    expect(lines).toContain('watchword_event_attempts_total{outcome="failed"} 1')
    expect(lines.filter((line) => !line.startsWith('watchword_event_attempts_total'))).toEqual([])
  })
})

describe('the figures of requests', () => {
  it('stand under the names of the semantic conventions too, with the same numbers', async () => {
    const metrics = openMetrics(quiet)
    metrics.answered({ operation: 'send', status: 200, seconds: 0.02, mode: 'live' })
    metrics.answered({ operation: 'none', status: 404, seconds: 0.001 })
    const labels = 'http_request_method="POST",http_route="/v1/send",http_response_status_code="200",url_scheme="http"'
    const lines = await linesOf(metrics, 'http_server_request_duration_seconds')
    expect(lines).toContain(`http_server_request_duration_seconds_count{${labels}} 1`)
    expect(lines).toContain(`http_server_request_duration_seconds_sum{${labels}} 0.02`)
    expect(lines.find((line) => line.includes('le="0.01"') && line.includes(labels))).toMatch(/ 0$/)
    expect(lines.find((line) => line.includes('le="0.025"') && line.includes(labels))).toMatch(/ 1$/)
    expect(lines).toContain(
      'http_server_request_duration_seconds_count{http_request_method="_OTHER",http_response_status_code="404",url_scheme="http"} 1',
    )
  })

  it('count what a key was given, by its mode', async () => {
    const metrics = openMetrics(quiet)
    for (const mode of ['live', 'test', 'live'])
      metrics.answered({ operation: 'send', status: 200, seconds: 0.02, mode })
    metrics.answered({ operation: 'send', status: 429, seconds: 0.02, mode: 'live' })
    expect(await linesOf(metrics, 'watchword_accepted_total')).toEqual([
      'watchword_accepted_total{operation="send",mode="live"} 2',
      'watchword_accepted_total{operation="send",mode="test"} 1',
    ])
  })
})

describe('the figures of messages', () => {
  const code = { mode: 'live', kind: 'verification', takenAfterSeconds: undefined, isPosted: false } as const

  it('begin at zero, so that the first of each is seen', async () => {
    const metrics = openMetrics(quiet)
    const lines = await linesOf(metrics, 'watchword_messages_total')
    expect(lines).toHaveLength(24)
    const waits = await linesOf(metrics, 'watchword_taken_seconds_count')
    expect(waits).toHaveLength(4)
    expect([...lines, ...waits].every((line) => line.endsWith(' 0'))).toBe(true)
  })

  it('tell how long each waited until a channel took it', async () => {
    const metrics = openMetrics(quiet)
    for (const takenAfterSeconds of [0.2, 70]) {
      metrics.moved({ ...code, from: 'queued', to: 'sent', takenAfterSeconds })
    }
    const lines = await linesOf(metrics, 'watchword_taken_seconds')
    const labels = 'kind="verification",mode="live"'
    expect(lines).toContain(`watchword_taken_seconds_bucket{le="60",${labels}} 1`)
    expect(lines).toContain(`watchword_taken_seconds_bucket{le="120",${labels}} 2`)
    expect(lines).toContain(`watchword_taken_seconds_sum{${labels}} 70.2`)
  })

  it('count each once as taken, and once as delivered, whatever its provider leaves out', async () => {
    const metrics = openMetrics(quiet)
    metrics.moved({ ...code, from: 'sent', to: 'sent', takenAfterSeconds: 70 })
    metrics.moved({ ...code, from: 'queued', to: 'sent', takenAfterSeconds: 1, isPosted: true })
    metrics.moved({ ...code, from: 'sent', to: 'delivered' })
    metrics.moved({ ...code, from: 'delivered', to: 'read' })
    metrics.moved({ ...code, from: 'sent', to: 'read' })
    metrics.moved({ ...code, from: 'sent', to: 'expired' })
    metrics.moved({ ...code, from: 'sent', to: 'failed', errorCode: 'superseded' })
    metrics.moved({ ...code, from: 'sent', to: 'failed', errorCode: 'not_delivered' })
    metrics.decided({ mode: 'live', verified: true })
    const counted = (await linesOf(metrics, 'watchword_')).filter((line) => /mode="live",outcome.* [1-9]/.test(line))
    expect(counted).toEqual([
      'watchword_messages_total{kind="verification",mode="live",outcome="taken"} 2',
      'watchword_messages_total{kind="verification",mode="live",outcome="delivered"} 2',
      'watchword_messages_total{kind="verification",mode="live",outcome="read"} 2',
      'watchword_messages_total{kind="verification",mode="live",outcome="failed"} 1',
      'watchword_messages_total{kind="verification",mode="live",outcome="expired"} 1',
      'watchword_messages_total{kind="verification",mode="live",outcome="superseded"} 1',
      'watchword_verifications_total{mode="live",outcome="taken"} 1',
      'watchword_verifications_total{mode="live",outcome="verified"} 1',
    ])
  })
})

describe('the figures of the database', () => {
  it('are those of the pool and of the server, and none where they are not known', async () => {
    const database = {
      pool: () => ({ used: 3, idle: 2, pending: 1, max: 20 }),
      server: async () => ({ used: 12, max: 97 }),
      check: async () => {},
    }
    const pool = 'db_client_connection_pool_name="watchword"'
    expect(await linesOf(openMetrics({ ...quiet, database }), 'db_client')).toEqual([
      `db_client_connection_count{${pool},db_client_connection_state="used"} 3`,
      `db_client_connection_count{${pool},db_client_connection_state="idle"} 2`,
      `db_client_connection_max{${pool}} 20`,
      `db_client_connection_pending_requests{${pool}} 1`,
    ])
    expect(await linesOf(openMetrics({ ...quiet, database }), 'watchword_database_server')).toEqual([
      'watchword_database_server_connections{state="used"} 12',
      'watchword_database_server_connections{state="max"} 97',
    ])
    const away = { ...database, server: () => Promise.reject(new Error('away')) }
    expect(await linesOf(openMetrics({ ...quiet, database: away }), 'watchword_database_server')).toEqual([])
  })

  it('say whether this process can work with it', async () => {
    const up = async (check: () => Promise<void>) =>
      linesOf(openMetrics({ ...quiet, database: { ...quiet.database, check }, readMs: 10 }), 'watchword_database_up')
    expect(await up(async () => {})).toEqual(['watchword_database_up 1'])
    expect(await up(() => Promise.reject(new Error('away')))).toEqual(['watchword_database_up 0'])
    expect(await up(() => new Promise(() => {}))).toEqual(['watchword_database_up 0'])
  })
})

describe('the figures that are read in the database', () => {
  it('are left out while it hangs, and no other figure waits for them', async () => {
    const hangs = () => new Promise<never>(() => {})
    const reads = { queue: { depths: hangs }, waitingJobs: hangs, dueEvents: hangs, endpoints: hangs }
    const database = { pool: () => undefined, server: hangs, check: hangs }
    const metrics = openMetrics({ ...quiet, ...reads, database, readMs: 10 })
    metrics.answered({ operation: 'send', status: 503, seconds: 0.02, mode: 'live' })
    expect(await linesOf(metrics, 'watchword_request_seconds_count')).toEqual([
      'watchword_request_seconds_count{operation="send",status="503"} 1',
    ])
    const ofDatabase = /^watchword_(jobs|oldest|events_due|endpoints\{|database_server)/
    expect((await linesOf(metrics, 'watchword_')).filter((line) => ofDatabase.test(line))).toEqual([])
  })

  it('are asked for once while the answer is due, and told when it has come', async () => {
    const answer = Promise.withResolvers<number>()
    let asked = 0
    const dueEvents = () => {
      asked += 1
      return answer.promise
    }
    const metrics = openMetrics({ ...quiet, dueEvents, readMs: 10 })
    expect(await linesOf(metrics, 'watchword_events_due')).toEqual([])
    expect(await linesOf(metrics, 'watchword_events_due')).toEqual([])
    expect(asked).toBe(1)
    answer.resolve(7)
    expect(await linesOf(metrics, 'watchword_events_due')).toEqual(['watchword_events_due 7'])
    expect(asked).toBe(1)
    await linesOf(metrics, 'watchword_events_due')
    expect(asked).toBe(2)
  })
})
