/** A good client, and what a soak would say of a service that answers what it must not. */
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createCalm } from '../../scripts/soak/calm.ts'
import { createClient } from '../../scripts/soak/client.ts'
import { createFindings } from '../../scripts/soak/findings.ts'
import { heldBy } from '../../scripts/soak/held.ts'
import { createLatencies } from '../../scripts/soak/latency.ts'
import { createLedger } from '../../scripts/soak/ledger.ts'
import { createMailbox } from '../../scripts/soak/mailbox.ts'
import { live } from '../../scripts/soak/stories.ts'
import type { Story } from '../../scripts/soak/story.ts'

type Answer = [status: number, data: object] | 'reset'
interface Asked {
  path: string
  key: string | undefined
  body: Record<string, string> | undefined
}

let closers: (() => unknown)[]
let findings: ReturnType<typeof createFindings>
let asked: Asked[]
beforeEach(() => {
  ;[closers, findings, asked] = [[], createFindings(), []]
})
afterEach(async () => {
  for (const close of closers.reverse()) await close()
})

/** A service of which only the answers are there. */
async function serve(answer: (one: Asked) => Answer): Promise<string> {
  const server = createServer(async (request, response) => {
    const { url: path = '', headers, method } = request
    const body = method === 'POST' ? ((await json(request)) as Asked['body']) : undefined
    const one = { path, key: headers['idempotency-key'] as string | undefined, body }
    asked.push(one)
    const now = answer(one)
    if (now === 'reset') return void request.socket.resetAndDestroy()
    const [status, data] = now
    response.writeHead(status).end(JSON.stringify({ success: status === 200, data }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const inlet = { path: '/inlets/acct_default/login', secret: 'a secret of the auth system' }

function openClient(...urls: string[]) {
  const [calm, latencies] = [createCalm(), createLatencies('a page')]
  const client = createClient({ urls, key: 'ww_live_key', inlet, calm, latencies, findings })
  closers.push(calm.close, client.close)
  return { client, latencies }
}

const send = { path: '/v1/verify/send', body: { phone: '+12125550100' } }

it('repeats by the same key what was refused or broken, at the next server', async () => {
  const answers: Answer[] = ['reset', [503, { code: 'service_unavailable' }], [200, { request_id: 'req_1' }]]
  const next = () => answers.shift()!
  const { client } = openClient(await serve(next), await serve(next))
  expect(await client.ask('sendVerification', send)).toEqual({ request_id: 'req_1' })
  expect(new Set(asked.map(({ key }) => key)).size).toBe(1)
  expect(client.counts()).toMatchObject({ requests: 3, repeated: 2, broken: 1, byStatus: { 200: 1, 503: 1 } })
  expect(findings.list()).toEqual([])
})

it('finds an answer that is none to come again for', async () => {
  const { client } = openClient(await serve(() => [500, { code: 'internal_error' }]))
  expect(await client.ask('sendVerification', send)).toBeUndefined()
  expect(findings.list()).toMatchObject([{ what: 'sendVerification was answered 500 internal_error', count: 1 }])
})

/** A service that takes codes as `check` says, after which one story has been lived. */
async function story(
  fate: Story['fate'],
  check: (isRight: boolean, nth: number) => boolean | null,
  more: Partial<Story> = {},
) {
  let nth = 0
  const data = ({ path, body }: Asked) => {
    if (path === '/v1/verify/send') return { request_id: 'req_1', expires_in: 60 }
    const verified = check(body?.code === '123456', ++nth)
    return verified === null ? null : { verified }
  }
  const answer = (one: Asked): Answer => {
    const found = data(one)
    return found ? [200, found] : [404, { code: 'verification_not_found' }]
  }
  const { client } = openClient(await serve(answer))
  const [mailbox, ledger] = [createMailbox(findings), createLedger()]
  mailbox.deliver('+12125550100', { id: 'msg_1', code: '123456' })
  const drawn: Story = {
    ...{ fate, wrong: 1, gets: false, lists: false, again: true, length: 6 },
    ...{ byPhone: false, signals: null, code: '048213', seconds: 3, ...more },
  }
  await live(drawn, '+12125550100', { client, ledger, mailbox, reply: async () => true, findings })
  return { found: findings.list().map(({ what }) => what), end: ledger.entries().get('req_1')?.end }
}

it('finds a right code refused in time, accepted twice, or accepted after too many wrong ones', async () => {
  expect(await story('verified', (isRight, nth) => isRight && nth === 2)).toEqual({ found: [], end: 'verified' })
  expect(await story('verified', () => false)).toEqual({
    found: ['a right code that was in time was refused'],
    end: 'open',
  })
  findings = createFindings()
  expect((await story('verified', (isRight) => isRight)).found).toEqual(['a right code was accepted twice'])
  findings = createFindings()
  const { found } = await story('exhausted', (isRight) => isRight)
  expect(found).toEqual(['a right code was accepted after five wrong ones'])
})

it('finds a code that its phone does not find in time, and takes a second right one by its id', async () => {
  const byPhone = { byPhone: true }
  const taken = await story('verified', (isRight, nth) => isRight && nth === 2, byPhone)
  expect(taken).toEqual({ found: [], end: 'verified' })
  expect(asked.map(({ path }) => path).slice(1)).toEqual([
    ...['/v1/verify/check-by-phone', '/v1/verify/check-by-phone'],
    '/v1/verify/check',
  ])
  const lost = await story('verified', () => null, byPhone)
  expect(lost).toEqual({ found: ['a code that was in time was not found by its phone'], end: 'open' })
})

it('posts a code to the inlet once more by the same key, and finds other digits than it posted', async () => {
  const answers: Answer[] = ['reset', [200, {}]]
  const { client } = openClient(await serve(() => answers.shift()!))
  const [mailbox, ledger] = [createMailbox(findings), createLedger()]
  mailbox.deliver('+12125550100', { id: 'msg_1', code: '123456' })
  const drawn: Story = {
    ...{ fate: 'posted', wrong: 0, gets: true, lists: false, again: false, length: 6 },
    ...{ byPhone: false, signals: null, code: '048213', seconds: 3 },
  }
  await live(drawn, '+12125550100', { client, ledger, mailbox, reply: async () => true, findings })
  expect(asked.map(({ body }) => body?.key)).toEqual(['+12125550100', '+12125550100'])
  expect(ledger.posts()).toEqual(['+12125550100'])
  expect(findings.list().map(({ what }) => what)).toEqual(['a phone got other digits than were posted'])
})

/** A service that answers each operation as it is told to, and a person who says STOP. */
async function notifications(fate: 'withdrawn' | 'stopped', answers: Record<string, Answer[]>) {
  const { client } = openClient(await serve(({ path }) => answers[path]!.shift()!))
  const [mailbox, ledger] = [createMailbox(findings), createLedger()]
  mailbox.deliver('+12125550100', { id: 'msg_1' })
  mailbox.deliver('+12125550100', { id: 'msg_2', code: '123456' })
  const drawn: Story = {
    ...{ fate, wrong: 0, gets: false, lists: false, again: false, length: 6 },
    ...{ byPhone: false, signals: null, code: '048213', seconds: 3 },
  }
  const said: string[][] = []
  const reply = async (...one: string[]) => said.push(one) > 0
  await live(drawn, '+12125550100', { client, ledger, mailbox, reply, findings })
  return { found: findings.list().map(({ what }) => what), ends: [...ledger.entries().values()], said }
}
const [notify, find] = ['/v1/notifications/send', '/v1/opt-outs/find']
const queued = (id: string): Answer => [200, { request_id: id }]
const optedOut: Answer = [403, { code: 'opted_out' }]

it('finds a STOP that is lost, or changes nothing; codes go on', async () => {
  const code = { '/v1/verify/send': [queued('req_2')] }
  const good = { [notify]: [queued('req_1'), optedOut], [find]: [[200, { opted_out: true }] as Answer], ...code }
  const { found, ends, said } = await notifications('stopped', good)
  expect(found).toEqual([])
  expect(ends.map(({ kind }) => kind)).toEqual(['notification', 'verification'])
  expect(said).toEqual([['msg_1', 'STOP']])
  const lost = { [notify]: [queued('req_1'), queued('req_3')], [find]: [[200, { opted_out: false }] as Answer] }
  expect((await notifications('stopped', lost)).found).toEqual([
    'a STOP that was taken is lost',
    'a notification was taken for a phone that had opted out',
  ])
})

it('finds a scheduled notification that cannot be cancelled, or is cancelled twice', async () => {
  const cancels = (...list: boolean[]) => ({
    [notify]: [queued('req_1')],
    '/v1/notifications/cancel': list.map((cancelled): Answer => [200, { cancelled }]),
  })
  const { found, ends } = await notifications('withdrawn', cancels(true, false))
  expect([found, ends]).toMatchObject([[], [{ end: 'cancelled' }]])
  expect((await notifications('withdrawn', cancels(false, true))).found).toEqual([
    'a notification could not be cancelled long before its time',
    'a notification was cancelled twice',
  ])
})

it('finds a phone that gets different digits', () => {
  const mailbox = createMailbox(findings)
  for (const code of ['123456', undefined, '123456'])
    mailbox.deliver('+12125550100', { id: 'msg_1', ...(code !== undefined && { code }) })
  expect(findings.list()).toEqual([])
  mailbox.deliver('+12125550100', { id: 'msg_1', code: '654321' })
  expect(findings.list()).toMatchObject([{ what: 'a phone got different digits' }])
})

it('counts the handles and the connections of a process, those to the database alone', async () => {
  const port = Number(new URL(await serve(() => [200, {}])).port)
  const before = heldBy(process.pid, [port])
  expect(before.connections).toBe(0)
  const sockets = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const socket = connect(port, '127.0.0.1')
      await new Promise((resolve) => socket.once('connect', resolve))
      return socket
    }),
  )
  const after = heldBy(process.pid, [port])
  // Both ends of each are of this process.
  expect(after.handles - before.handles).toBeGreaterThanOrEqual(3)
  expect(after.connections).toBe(3)
  for (const socket of sockets) socket.destroy()
})

it('counts only what was asked while nothing was broken', () => {
  const [calm, latencies] = [createCalm(), createLatencies('a page')]
  closers.push(calm.close)
  const before = performance.now()
  expect(calm.since(before)).toBe(true)
  const end = calm.disturb()
  expect(calm.since(performance.now())).toBe(false)
  end()
  expect(calm.since(before)).toBe(false)
  for (const ms of [1, 2, 3]) latencies.note('getMessage', ms, true)
  latencies.note('getMessage', 900, false)
  latencies.note('a page', 50, true)
  expect(latencies.turn(1)).toEqual({ minute: 1, requests: 4, p50Ms: 2, p99Ms: 3, allP99Ms: 900 })
  expect(latencies.turn(2)).toEqual({ minute: 2, requests: 0, p50Ms: null, p99Ms: null, allP99Ms: null })
  expect(latencies.byKind()).toEqual({
    getMessage: { requests: 3, p50Ms: 2, p99Ms: 3 },
    'a page': { requests: 1, p50Ms: 50, p99Ms: 50 },
  })
})
