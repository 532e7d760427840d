/** Traces as a collector gets them, from a request to the events that come of it. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { inspect, promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTelemetry } from '../../src/app/telemetry.ts'
import { parseTraceparent } from '../../src/kit/tracing.ts'
import { signatureOf } from '../../src/outbound/signature.ts'
import { startConnectProxy } from '../support/connectProxy.ts'
import { type Listening, listenTo } from '../support/listening.ts'
import { type Provider, startProvider } from '../support/provider.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: Record<string, unknown> }[]
  links?: { traceId: string }[]
}

const secret = `whsec_${Buffer.from('a secret of the gateway, for tests').toString('base64')}`
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

describe('a traced code', () => {
  const phone = newPhone()
  let [server, collector, gateway, listening]: [TestServer, Provider, Provider, Listening] = [] as never
  let sent: Awaited<ReturnType<TestServer['live']['post']>>
  let spans: Span[]

  beforeAll(async () => {
    collector = await startProvider({ status: 200, headers: { 'Content-Type': 'application/json' }, body: '{}' })
    gateway = await startProvider({ status: 202 })
    const telemetry = {
      url: `${collector.url}/v1/traces`,
      sampler: 'always_on',
      isParentBased: true,
      ratio: 1,
    } as const
    server = await startServer({ config: { telemetry } })
    await server.app.connections.apply('acct_default', [{ id: 'sms', kind: 'http', url: gateway.url, secret }])
    listening = await listenTo(server, { mode: 'live' })
    sent = await server.live.post('/v1/verify/send', { phone }, { traceparent })
    await server.work()
    const { id } = JSON.parse(gateway.asked[0]!.body) as { id: string }
    await report(server, { id, status: 'delivered' })
    await server.work()
    await server.close()
    spans = collector.asked.flatMap(spansIn)
  })
  afterAll(async () => {
    for (const one of [collector, gateway, listening]) await one.close()
  })

  const ofTrace = () => spans.filter((span) => span.traceId === traceId)
  const find = (name: string) => ofTrace().find((span) => span.name === name)!

  it('is one trace of its request, commit, job, provider, report and events', () => {
    expect(
      ofTrace()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([
      'commit',
      'commit',
      'commit',
      'commit',
      'deliver',
      'event message.delivered',
      'event message.sent',
      'report delivered',
      'send http',
      'sendVerification',
    ])
  })

  it('goes on from its caller, and each part from the one before', () => {
    expect(find('sendVerification').parentSpanId).toBe('00f067aa0ba902b7')
    const request = find('sendVerification').spanId
    for (const name of ['deliver', 'report delivered', 'event message.sent'])
      expect(find(name).parentSpanId).toBe(request)
    expect(find('send http').parentSpanId).toBe(find('deliver').spanId)
    const commits = ofTrace().filter(({ name }) => name === 'commit')
    expect(commits.map(({ parentSpanId }) => parentSpanId).toSorted()).toEqual(
      [
        request,
        ...['deliver', 'event message.sent', 'event message.delivered'].map((name) => find(name).spanId),
      ].toSorted(),
    )
  })

  it('is linked to the request that brought its report, which is a trace of its own', () => {
    const report = spans.find(({ name }) => name === 'report')!
    expect(report.traceId).not.toBe(traceId)
    expect(find('report delivered').links?.map((link) => link.traceId)).toEqual([report.traceId])
  })

  it('has the trace id of the answer', () => {
    expect(sent.headers.get('X-Trace-Id')).toBe(traceId)
  })

  it('is passed on to the gateway and to endpoints', () => {
    const told = [gateway.asked[0]!, ...listening.received].map(({ headers }) =>
      parseTraceparent(String(headers.traceparent)),
    )
    expect(told.map((one) => one?.traceId)).toEqual([traceId, traceId, traceId])
    expect(told.map((one) => one?.spanId)).toEqual(
      ['send http', 'event message.sent', 'event message.delivered'].map((name) => find(name).spanId),
    )
  })

  it('tells no code, no phone and no key', () => {
    const { code } = JSON.parse(gateway.asked[0]!.body) as { code: string }
    const values = spans.flatMap(({ name, attributes }) => [
      name,
      ...attributes.map(({ value }) => JSON.stringify(value)),
    ])
    for (const value of values) for (const word of [code, phone.slice(1), 'ww_live']) expect(value).not.toContain(word)
  })
})

describe('commits that requests share', () => {
  it('are in the trace of each, linked to the others', async () => {
    const collector = await startProvider({ status: 200, body: '{}' })
    const telemetry = { url: collector.url, sampler: 'always_on', isParentBased: true, ratio: 1 } as const
    const server = await startServer({ config: { telemetry }, overrides: { groups: { groupsMax: 1 } } })
    await Promise.all(Array.from({ length: 12 }, () => server.test.send(newPhone())))
    await server.close()
    const commits = collector.asked.flatMap(spansIn).filter(({ name }) => name === 'commit')
    expect(new Set(commits.map((commit) => commit.traceId)).size).toBe(12)
    const members = commits.map(({ attributes }) =>
      Number(attributes.find(({ key }) => key.endsWith('members'))?.value.intValue),
    )
    expect(commits.map(({ links = [] }) => links.length + 1)).toEqual(members)
    await collector.close()
  })
})

describe('a request without a good key', () => {
  const samplers = [
    { sampler: 'always_off', isParentBased: true, ratio: 1 },
    // Goes by the trace id, and takes the one below.
    { sampler: 'traceidratio', isParentBased: false, ratio: 1e-6 },
  ] as const
  const chosen = `00-${'0'.repeat(31)}1-00f067aa0ba902b7-01`

  it.each(samplers)('is not traced because it says so, and one with a good key is: $sampler', async (settings) => {
    const collector = await startProvider({ status: 200, body: '{}' })
    const server = await startServer({ config: { telemetry: { url: collector.url, ...settings } } })
    const ask = async (path: string, key?: string) =>
      (
        await fetch(server.url + path, {
          headers: { traceparent: chosen, ...(key && { Authorization: `Bearer ${key}` }) },
        })
      ).headers.get('X-Trace-Id')
    const path = '/v1/messages/req_00000000000000000000000000'
    const ids = [await ask(path), await ask(path, 'wrong'), await ask('/nowhere'), await ask('/docs')]
    expect(new Set(ids)).toEqual(new Set([`${'0'.repeat(31)}1`]))
    await ask(path, await server.key())
    await server.close()
    expect(collector.asked.flatMap(spansIn).map(({ name }) => name)).toEqual(['getMessage'])
    await collector.close()
  })

  it('is traced as every request is, where all are', async () => {
    const collector = await startProvider({ status: 200, body: '{}' })
    const telemetry = { url: collector.url, sampler: 'always_on', isParentBased: true, ratio: 1 } as const
    const server = await startServer({ config: { telemetry } })
    await fetch(`${server.url}/nowhere`, { headers: { traceparent } })
    await server.close()
    expect(collector.asked.flatMap(spansIn).map((span) => [span.name, span.traceId])).toEqual([['GET', traceId]])
    await collector.close()
  })
})

describe('a collector that takes nothing', () => {
  it('is told of in the log', async () => {
    const collector = await startProvider({ status: 400 })
    const telemetry = {
      url: `${collector.url}/v1/traces`,
      sampler: 'always_on',
      isParentBased: true,
      ratio: 1,
    } as const
    const server = await startServer({ config: { telemetry } })
    await server.test.send(newPhone())
    await server.close()
    const told = server.runtime.lines.filter((line) => line.includes('the collector'))
    expect(told).toEqual([expect.stringContaining('the collector accepts no traces: they are dropped')])
    await collector.close()
  })
})

describe('a service without traces', () => {
  it('answers with the trace id of its caller, and with one of its own where that is none', async () => {
    const server = await startServer()
    const idOf = async (header: string) =>
      (await server.test.post('/v1/verify/send', { phone: newPhone() }, { traceparent: header })).headers.get(
        'X-Trace-Id',
      )
    expect(await idOf(traceparent)).toBe(traceId)
    for (const broken of [
      '',
      'x',
      `ff${traceparent.slice(2)}`,
      `${traceparent}-more`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    ])
      expect(await idOf(broken)).toMatch(/^0+[0-9a-f]{1,3}$/)
    expect(await server.query(sql`select 1 from message where timeline -> 0 ? 'trace'`)).toEqual([])
    await server.close()
  })

  it('does not load what traces are made with, and one with traces does', { timeout: 60_000 }, async () => {
    const script = `
      import { registerHooks } from 'node:module'
      const loaded = new Set()
      registerHooks({
        load: (url, context, next) => {
          if (url.includes('@opentelemetry/')) loaded.add(url.split('@opentelemetry/')[1].split('/')[0])
          return next(url, context)
        },
      })
      const { createApp } = await import('./src/app/app.ts')
      const { loadConfig } = await import('./src/settings/config.ts')
      for (const environment of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }]) {
        const app = await createApp(loadConfig({ ...environment, LOG_LEVEL: 'silent' }, { role: 'sandbox' }))
        await app.close()
        console.log([...loaded].join(' '))
      }`
    const args = ['--import', './src/loading.js', '--input-type=module', '-e', script]
    const options = { cwd: join(import.meta.dirname, '../..'), env: { PATH: process.env.PATH } }
    const [off, on] = (await promisify(execFile)(process.execPath, args, options)).stdout.split('\n')
    // Prometheus's client has the interface, which does nothing.
    expect(off).toBe('api')
    expect(on).toContain('sdk-trace')
  })
})

/** As the gateway signs it. */
async function report(server: TestServer, { id, ...rest }: { id: string; status: string }): Promise<void> {
  const body = JSON.stringify({ id, ...rest })
  const timestamp = Math.floor(server.runtime.now().getTime() / 1000)
  const headers = {
    'webhook-id': 'report-1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf({ id: 'report-1', timestamp, body }, [secret]),
  }
  const response = await fetch(`${server.directUrl}/providers/acct_default/sms`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
}

function spansIn({ body }: { body: string }): Span[] {
  const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
}

it('a collector that does not answer keeps no process from stopping in time', async () => {
  const collector = await startProvider('hang')
  const telemetry = { url: collector.url, sampler: 'always_on', isParentBased: true, ratio: 1 } as const
  const tracing = createTelemetry(telemetry, { onTurn: () => {}, onFault: () => {} })
  tracing.begin({ name: 'last' })?.finish()
  const closedAt = performance.now()
  // Others have taken the time that a stop has for what is under way: a second is left to end in.
  await tracing.close(closedAt)
  expect(collector.asked).toHaveLength(1)
  expect(performance.now() - closedAt).toBeLessThan(1000)
  await collector.close()
})

it.each([403, 407])(
  'a proxy that answers %i is named without its credentials, and is no error of the service',
  async (status) => {
    const proxy = await startConnectProxy({})
    proxy.behave(status)
    const by = proxy.url.replace('://', '://watchword:opensesame@')
    const [turns, faults]: [unknown[], unknown[]] = [[], []]
    const telemetry = { url: 'https://collector.example', sampler: 'always_on', isParentBased: true, ratio: 1 } as const
    const tracing = createTelemetry(telemetry, {
      ...{ proxy: { http: by, https: by, except: [] } },
      onTurn: (error) => turns.push(error),
      onFault: (error) => faults.push(error),
    })
    tracing.begin({ name: 'last' })?.finish()
    await tracing.close(performance.now() + 10_000)
    await proxy.close()
    expect([turns, faults]).toEqual([[expect.objectContaining({ name: 'ProxyFailed' })], []])
    expect((turns[0] as Error).message).toContain(`(${status}`)
    expect(inspect(turns)).not.toContain('opensesame')
  },
)
