import { describe, expect, it } from 'vitest'
import { type ChannelState, createMetrics } from '../../../src/http/ops/metrics.ts'

const none = async () => ({ enabled: 0, disabled: 0 })
const quiet = { queue: { depths: async () => [] }, channelStates: () => [], dueEvents: async () => 0, endpoints: none }

const linesOf = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
  (await metrics.render()).split('\n').filter((line) => line.startsWith(name))

describe('the figures of a connection', () => {
  let states: ChannelState[] = []
  const metrics = createMetrics({ ...quiet, channelStates: () => states })

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
    const metrics = createMetrics(quiet)
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
    const metrics = createMetrics({
      ...quiet,
      dueEvents: async () => 7,
      endpoints: async () => ({ enabled: 3, disabled: 1 }),
    })
    for (const outcome of ['delivered', 'failed', 'delivered']) metrics.eventTried({ outcome })
    metrics.endpointDisabled({ reason: 'gone' })
    expect(await linesOf(metrics, 'watchword_e')).toEqual([
      'watchword_event_attempts_total{outcome="delivered"} 2',
      'watchword_event_attempts_total{outcome="failed"} 1',
      'watchword_endpoints_disabled_total{reason="gone"} 1',
      'watchword_events_due 7',
      'watchword_endpoints{state="enabled"} 3',
      'watchword_endpoints{state="disabled"} 1',
    ])
  })

  it('say nothing of what only the database knows while it is away, and all else', async () => {
    const away = () => Promise.reject(new Error('away'))
    const metrics = createMetrics({ ...quiet, dueEvents: away, endpoints: away })
    metrics.eventTried({ outcome: 'failed' })
    expect(await linesOf(metrics, 'watchword_e')).toEqual(['watchword_event_attempts_total{outcome="failed"} 1'])
  })
})
