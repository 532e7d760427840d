/** How events are brought to endpoints: at once, again, in the end not at all, and never by the cost of others. */
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Listening, type ListenOptions, listenTo } from '../support/listening.ts'
import type { Asked, Behaviour } from '../support/provider.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
const closers: (() => Promise<void>)[] = []
beforeEach(async () => {
  // Longer than anything takes here but what hangs.
  server = await startServer({ overrides: { answerMs: 1500 } })
})
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  await server.close()
})

async function listen(options?: ListenOptions): Promise<Listening> {
  const listening = await listenTo(server, { types: ['message.delivered'], ...options })
  closers.push(listening.close)
  return listening
}

/** Something to tell. */
async function happen(): Promise<void> {
  await server.test.send(newPhone())
  await server.work()
}

const now = () => server.runtime.now().getTime() / 1000

interface Row {
  state: string
  attempts: number
  /** Seconds until it is tried again. */
  inSeconds: number | null
}

async function deliveriesOf({ id }: Listening): Promise<Row[]> {
  const rows = await server.database!.sql<{ state: string; attempts: number; dueAt: Date | null }[]>`
    select state, attempts, due_at as "dueAt" from event_delivery where endpoint_id = ${id} order by at, event_id`
  return rows.map(({ dueAt, ...row }) => ({ ...row, inSeconds: dueAt && dueAt.getTime() / 1000 - now() }))
}

async function attemptsOf({ id }: Listening) {
  return server.database!.sql<{ status: number | null; error: string | null; answer: string | null; at: Date }[]>`
    select status, error, answer, at, duration_ms as "durationMs" from event_attempt where endpoint_id = ${id} order by at`
}

/** As the reference library judges it at a moment. */
function verify(secret: string, { headers, body }: Asked, at = server.runtime.now()): boolean {
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  } finally {
    vi.useRealTimers()
  }
}

describe('the signature of an event', () => {
  it('is taken by the reference library, but not with a changed byte, another time or another secret', async () => {
    const [listening, other] = [await listen(), await listen()]
    await happen()
    const [asked] = listening.received as [Asked]
    expect(verify(listening.secret, asked)).toBe(true)
    expect(verify(listening.secret, { ...asked, body: asked.body.replace('delivered', 'delivereD') })).toBe(false)
    const headers = { ...asked.headers, 'webhook-id': other.id }
    expect(verify(listening.secret, { ...asked, headers })).toBe(false)
    expect(verify(listening.secret, asked, new Date(server.runtime.now().getTime() + 301_000))).toBe(false)
    expect(verify(other.secret, asked)).toBe(false)
  })

  it('is by the old and the new secret while it is rotated, and by the new one alone then', async () => {
    const listening = await listen()
    const { secret } = await server.app.endpoints.rotate({ accountId: 'acct_default', id: listening.id })
    await happen()
    await server.advance(24 * 3600)
    await happen()
    const [during, then] = listening.received as [Asked, Asked]
    const at = new Date(server.runtime.now().getTime() - 24 * 3600 * 1000)
    expect([verify(secret, during, at), verify(listening.secret, during, at)]).toEqual([true, true])
    expect([verify(secret, then), verify(listening.secret, then)]).toEqual([true, false])
  })
})

describe('an event that is refused', () => {
  it('is tried ten times in about three days with the same id and bytes, and then given up', async () => {
    const listening = await listen({ behaviour: { status: 500, body: 'no' } })
    await happen()
    const steps = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [index, step] of steps.entries()) {
      const [row] = await deliveriesOf(listening)
      expect(row).toMatchObject({ state: 'due', attempts: index + 1 })
      expect(row!.inSeconds! / step).toBeGreaterThan(0.79)
      expect(row!.inSeconds! / step).toBeLessThan(1.21)
      await server.advance(row!.inSeconds! - 0.5)
      await server.work()
      expect(listening.received).toHaveLength(index + 1)
      await server.advance(0.501)
      await server.work()
    }
    expect(await deliveriesOf(listening)).toEqual([{ state: 'failed', attempts: 10, inSeconds: null }])
    await server.advance(10 * 24 * 3600)
    await server.work()
    const { received, secret, faults } = listening
    expect(received).toHaveLength(10)
    expect(new Set(received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
    expect(faults(secret)).toEqual([])
    const attempts = await attemptsOf(listening)
    expect(attempts).toHaveLength(10)
    expect(attempts[0]).toMatchObject({ status: 500, error: null, answer: 'no' })
  })

  it.each([
    ['1', 5],
    ['7', 7],
    ['100', 10],
    ['soon', undefined],
  ])('and asked again after "%s" is, within the bounds of its step', async (value, seconds) => {
    const listening = await listen({ behaviour: { status: 503, headers: { 'Retry-After': value } } })
    await happen()
    const [row] = await deliveriesOf(listening)
    if (seconds !== undefined) expect(row!.inSeconds).toBeCloseTo(seconds, 2)
    else expect(row!.inSeconds).toBeLessThanOrEqual(6)
  })

  it('by who has too much to do waits for a minute at least', async () => {
    const [busy, hanging] = [await listen({ behaviour: { status: 429 } }), await listen({ behaviour: 'hang' })]
    await happen()
    for (const listening of [busy, hanging]) expect((await deliveriesOf(listening))[0]!.inSeconds).toBeCloseTo(60, 2)
  })
})

describe('what an endpoint answers', () => {
  const large: Behaviour = { status: 200, body: 'x'.repeat(10_000_000) }
  const lying: Behaviour = { status: 200, headers: { 'Content-Length': '5' }, body: 'longer than five' }
  it.each<[string, Behaviour, object]>([
    ['with 204', { status: 204 }, { status: 204, answer: '' }],
    ['with 10 MB', large, { status: 200, answer: 'x'.repeat(2048) }],
    ['without an end', 'flood', { status: 200, answer: 'x'.repeat(2048) }],
    ['with a body that hangs', 'hang in the body', { status: 200, answer: '{"id":' }],
    ['lying about its length', lying, { status: 200 }],
    ['with what no database keeps', { status: 200, body: 'a\0b\xff' }, { status: 200, answer: expect.any(String) }],
  ])('%s is taken when the status says so', async (_how, behaviour, attempt) => {
    const listening = await listen({ behaviour })
    await happen()
    expect(await deliveriesOf(listening)).toEqual([{ state: 'delivered', attempts: 1, inSeconds: null }])
    expect(await attemptsOf(listening)).toMatchObject([{ error: null, ...attempt }])
  })

  it.each<[string, Behaviour, object]>([
    ['with a redirect', { status: 307, headers: { Location: 'http://127.0.0.1/' } }, { status: 307 }],
    ['with an error', { status: 404, body: 'no such path' }, { status: 404, answer: 'no such path' }],
    ['with nothing, in time', 'hang', { status: null, error: 'no answer in time', answer: null }],
    ['with an end of the connection', 'reset', { status: null, error: 'connection broken', answer: null }],
    ['with nothing at all: nobody is there', 'gone', { status: null, answer: null }],
  ])('%s is no taking, and is followed nowhere', async (_how, behaviour, attempt) => {
    const listening = await listen({ behaviour })
    await happen()
    expect(await deliveriesOf(listening)).toMatchObject([{ state: 'due', attempts: 1 }])
    expect(await attemptsOf(listening)).toMatchObject([attempt])
    expect(listening.received.length).toBeLessThanOrEqual(1)
  })

  it('is not asked for at an address that is not allowed, though it was when it was added', async () => {
    const listening = await listen()
    for (const url of [
      'http://127.0.0.1.nip.io/',
      'https://10.0.0.1/',
      'https://[::ffff:169.254.169.254]/',
      'https://',
    ]) {
      await server.database!.sql`update endpoint set url = ${url} where id = ${listening.id}`
      await happen()
    }
    const errors = (await attemptsOf(listening)).map(({ error }) => error)
    const refusal = 'this address is not allowed'
    expect(errors.toSorted()).toEqual(
      ['the URL must begin with https://', refusal, refusal, 'this is not a URL'].toSorted(),
    )
    expect(listening.received).toEqual([])
  })
})

describe('an endpoint that takes nothing', () => {
  const keyOf = ({ id }: Listening) => ({ accountId: 'acct_default', id })
  const stateOf = async ({ id }: Listening) => {
    const found = (await server.app.endpoints.list()).find((one) => one.id === id)
    return { isDisabled: found?.disabledAt != null, reason: found?.disabledReason }
  }

  it('for five days is disabled; enabled and replayed, it is told what it missed in order of time', async () => {
    const listening = await listen({ behaviour: { status: 500 } })
    const watching = await listen({ types: ['endpoint.disabled'] })
    const startedAt = server.runtime.now()
    for (let hours = 0; hours < 5 * 24; hours += 6) {
      expect(await stateOf(listening)).toMatchObject({ isDisabled: false })
      await happen()
      await server.advance(6 * 3600)
      await server.work()
    }
    expect(await stateOf(listening)).toEqual({ isDisabled: true, reason: 'failing' })
    expect(watching.events()).toMatchObject([
      { type: 'endpoint.disabled', data: { endpoint_id: listening.id, reason: 'failing', mode: 'test' } },
    ])
    expect(server.runtime.lines.filter((line) => line.includes('an endpoint is disabled'))).toHaveLength(1)
    const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text()
    expect(metrics).toContain('watchword_endpoints_disabled_total{reason="failing"} 1')
    expect(metrics).toContain('watchword_endpoints{state="disabled"} 1')

    const before = listening.received.length
    await server.advance(24 * 3600)
    await happen()
    expect(listening.received).toHaveLength(before)
    listening.behave({ status: 200 })
    await server.app.endpoints.enable(keyOf(listening))
    await server.work()
    expect(listening.received).toHaveLength(before)
    await server.app.endpoints.replay(keyOf(listening), { since: startedAt })
    await server.work()
    const times = listening
      .events()
      .slice(before)
      .map(({ timestamp }) => timestamp)
    expect(times).toHaveLength(21)
    // Five go side by side.
    const inOrder = times.toSorted()
    for (const [place, time] of times.entries()) expect(Math.abs(inOrder.indexOf(time) - place)).toBeLessThan(5)
    const ids = listening.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids.slice(before)).size).toBe(21)
    expect((await deliveriesOf(listening)).every(({ state }) => state === 'delivered')).toBe(true)
  })

  it('and says that it is gone is disabled at once, and what it refused is kept for it', async () => {
    const [listening, watching] = [await listen({ behaviour: { status: 410 } }), await listen({ types: null })]
    await happen()
    expect(await stateOf(listening)).toEqual({ isDisabled: true, reason: 'gone' })
    await happen()
    expect(listening.received).toHaveLength(1)
    expect((await deliveriesOf(listening)).map(({ state }) => state)).toEqual(['held', 'held'])
    const disabled = watching.events().filter(({ type }) => type === 'endpoint.disabled')
    expect(disabled).toMatchObject([{ data: { endpoint_id: listening.id, reason: 'gone' } }])
  })

  it('and is removed has nothing due any more', async () => {
    const listening = await listen({ behaviour: { status: 500 } })
    await happen()
    await server.database!.sql`delete from endpoint where id = ${listening.id}`
    await server.advance(3600)
    await server.work()
    expect((await deliveriesOf(listening)).filter(({ inSeconds }) => inSeconds !== null)).toEqual([])
    expect(listening.received).toHaveLength(1)
  })
})
