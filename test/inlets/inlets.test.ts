/** Inlets from end to end: a hook comes in as Supabase sends it, and a phone gets its code. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { renderTimeline } from '../../src/http/dashboard/parts/timeline.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { applyInlets, bodyOf, entry, keys, post, secretOf, signedAt } from './site.ts'

let server: TestServer
let account: string
beforeAll(async () => {
  server = await startServer()
})
const secret = 'the-secret-of-this-inlet'
// The same list each time: a process beside this one sees a change seconds later.
beforeEach(async () => {
  account = await applyInlets(server, entry(), entry({ id: 'staging', mode: 'test', locale: 'de' }), {
    id: 'plain',
    kind: 'plain',
    mode: 'live',
    secret,
  })
})
afterAll(() => server.close())

const texts = async (phone: string) => {
  await server.work()
  return (await server.phone(phone)).map(({ text }) => text)
}
const messagesTo = (phone: string) =>
  server.query<{ id: string; timeline: { inlet?: string }[]; signals: object | null; key_id: string | null }>(
    sql`select id, timeline, signals, key_id from message where phone = ${phone}`,
  )

describe('a hook of Supabase', () => {
  it('has its code sent to the phone, and is answered as Supabase expects', async () => {
    const phone = newPhone()
    const answer = await post(server, bodyOf({ phone, code: '561166' }))
    expect(answer).toMatchObject({ status: 200, type: 'application/json', text: '{}' })
    expect(await texts(phone)).toEqual(['Your Acme code is 561166'])
  })

  it('shows its inlet in the timeline of the message, and keeps hashes of who asked', async () => {
    const phone = newPhone()
    await post(server, bodyOf({ phone, code: '561167' }))
    const [message] = await messagesTo(phone)
    expect(message).toMatchObject({ key_id: null, timeline: [{ status: 'sent', inlet: 'supabase-prod' }] })
    expect(Object.keys(message!.signals!).toSorted()).toEqual(['ip', 'network', 'ownCode', 'unchecked', 'user'])
    const history = await server.app.history(message!.id)
    expect(history).toMatchObject({ inlet: 'supabase-prod', keyId: null })
    expect(renderTimeline(history).text).toContain('Taken in through the inlet <code>supabase-prod</code>.')
  })

  it('takes a code though what it says of an address is none', async () => {
    const phone = newPhone()
    expect((await post(server, bodyOf({ phone, code: '561168', ip: 'unknown' }))).status).toBe(200)
    expect(await texts(phone)).toEqual(['Your Acme code is 561168'])
  })

  it('to an inlet of the test mode reaches the sandbox, in the language of the inlet', async () => {
    const phone = newPhone()
    await post(server, bodyOf({ phone, code: '561169' }), { inlet: 'staging' })
    expect(await texts(phone)).toEqual(['561169 ist Ihr Code für Acme. Er gilt 10 Minuten.'])
  })
})

describe('the part of codes that are typed in', () => {
  it('is of those that are checked here, and not of those that an auth system checks', async () => {
    const taken = async (line: string) => {
      const text = await (await fetch(`${server.opsUrl}/metrics`)).text()
      return Number(new RegExp(`^${line.replace(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec(text)?.[1])
    }
    const messages = () => taken('watchword_messages_total{kind="verification",mode="live",outcome="taken"}')
    const codes = () => taken('watchword_verifications_total{mode="live",outcome="taken"}')
    const before = { messages: await messages(), codes: await codes() }
    const phone = newPhone()
    await post(server, bodyOf({ phone, code: '561170' }))
    await server.live.send(newPhone())
    await server.work()
    expect({ messages: await messages(), codes: await codes() }).toEqual({
      messages: before.messages + 2,
      codes: before.codes + 1,
    })
  })
})

describe('a repeat', () => {
  it('with another webhook-id is the same message, and has the same answer', async () => {
    const phone = newPhone()
    const body = bodyOf({ phone, code: '271828' })
    const answers = [await post(server, body), await post(server, body), await post(server, body)]
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([200, '{}']))
    expect(await texts(phone)).toEqual(['Your Acme code is 271828'])
  })

  it('that comes at once, to several processes, is the same message', async () => {
    const other = await startServer({ beside: server })
    try {
      const phone = newPhone()
      const body = bodyOf({ phone, code: '314159' })
      const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => post(at % 2 ? server : other, body)))
      for (const { status, retryAfter } of answers) expect([200, 503], String(retryAfter)).toContain(status)
      expect((await post(other, body)).status).toBe(200)
      expect(await messagesTo(phone)).toHaveLength(1)
    } finally {
      await other.close()
    }
  })

  it('is the same message where its phone comes with 00 in place of the plus', async () => {
    const phone = newPhone()
    for (const spelled of [phone, phone.replace('+', '00')])
      expect((await post(server, bodyOf({ phone: spelled, code: '000001', user: 'user-1' }))).text).toBe('{}')
    expect(await messagesTo(phone)).toHaveLength(1)
  })

  it('is another message when the code, the user or the inlet is another, or two minutes are over', async () => {
    const [phone, user] = [newPhone(), randomUUID()]
    for (const code of ['100001', '100002', '100001']) await post(server, bodyOf({ phone, code, user }))
    await post(server, bodyOf({ phone, code: '100001' }))
    await post(server, bodyOf({ phone, code: '100001', user }), { inlet: 'staging' })
    expect(await messagesTo(phone)).toHaveLength(4)
    await server.advance(119)
    await post(server, bodyOf({ phone, code: '100001', user }))
    expect(await messagesTo(phone)).toHaveLength(4)
    await server.advance(1)
    await post(server, bodyOf({ phone, code: '100001', user }))
    expect(await messagesTo(phone)).toHaveLength(5)
  })

  it('ends with its two minutes, and then the limits of the phone are told, if they hold', async () => {
    const [phone, user] = [newPhone(), randomUUID()]
    for (let times = 0; times < 5; times++) {
      expect((await post(server, bodyOf({ phone, code: '100001', user }))).text).toBe('{}')
      await server.advance(119)
      expect((await post(server, bodyOf({ phone, code: '100001', user }))).text).toBe('{}')
      await server.advance(1)
    }
    expect(await messagesTo(phone)).toHaveLength(5)
    for (const code of ['100002', '100003', '100004', '100005']) await post(server, bodyOf({ phone, code, user }))
    expect(JSON.parse((await post(server, bodyOf({ phone, code: '100001', user }))).text)).toMatchObject({
      error: { http_code: 429 },
    })
  })

  it('leaves nothing of the phone and the code beside the message', async () => {
    const phone = newPhone()
    await post(server, bodyOf({ phone, code: '46692016' }))
    const kept = await server.query<{ row: string }>(sql`select idempotency::text as row from idempotency
      union all select inlet::text from inlet`)
    expect(kept.map(({ row }) => row).join()).not.toMatch(new RegExp(`46692016|${phone.slice(1)}`))
    expect(server.runtime.lines.join()).not.toMatch(new RegExp(`46692016|${phone.slice(1)}|203\\.0\\.113\\.7`))
  })
})

describe('the limits of a phone', () => {
  it('hold for five codes in ten minutes, without a cooldown, and are told in Supabase’s way', async () => {
    const phone = newPhone()
    for (const code of ['000001', '000002', '000003', '000004', '000005'])
      expect((await post(server, bodyOf({ phone, code }))).text).toBe('{}')
    const { status, type, text } = await post(server, bodyOf({ phone, code: '000006' }))
    expect([status, type, JSON.parse(text)]).toEqual([
      200,
      'application/json',
      { error: { http_code: 429, message: expect.stringContaining('Please try again later') } },
    ])
    expect(await messagesTo(phone)).toHaveLength(5)
    await server.advance(600)
    expect((await post(server, bodyOf({ phone, code: '000006' }))).text).toBe('{}')
  })

  it('are the same that its calls by key have', async () => {
    const phone = newPhone()
    for (const code of ['000001', '000002', '000003', '000004', '000005']) await post(server, bodyOf({ phone, code }))
    const sent = await server.live.post('/v1/verify/send', { phone })
    expect(sent.data).toMatchObject({ code: 'send_limit_reached', retry_after: expect.closeTo(600, -2) })
  })

  it('say why a phone is refused', async () => {
    for (const phone of ['+1415', '+12', '+19005550100']) {
      const { status, text } = await post(server, bodyOf({ phone, code: '000001' }))
      expect([status, JSON.parse(text)]).toEqual([
        200,
        { error: { http_code: 422, message: 'This phone number cannot get codes. Please check it.' } },
      ])
    }
  })
})

describe('a text that comes without a code', () => {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const text = (phone: string, words: string) =>
    post(server, JSON.stringify({ phone, text: words }), { headers, inlet: 'plain' })

  it('is sent as it is, once, and leaves the code that is pending', async () => {
    const phone = newPhone()
    const id = await server.live.send(phone, { length: 6 })
    for (const _try of [1, 2]) expect((await text(phone, 'Acme: 0M53RF is your code')).status).toBe(200)
    expect(await texts(phone)).toEqual(expect.arrayContaining(['Acme: 0M53RF is your code']))
    expect(await messagesTo(phone)).toHaveLength(2)
    expect(await server.live.check(id, '000000')).toMatchObject({ reason: 'incorrect_code' })
  })

  it('counts with the codes of its phone: five in ten minutes', async () => {
    const phone = newPhone()
    await server.live.send(phone)
    for (const n of [1, 2, 3, 4]) expect((await text(phone, `code ${n}`)).status).toBe(200)
    const { status, retryAfter, text: told } = await text(phone, 'code 5')
    expect([status, JSON.parse(told)]).toMatchObject([429, { data: { code: 'send_limit_reached' } }])
    expect(Number(retryAfter)).toBe(600)
  })

  it('goes by no connection that carries codes alone', async () => {
    await server.app.connections.apply(account, [{ id: 'tg', kind: 'telegram', access_token: 'AAH_test_token' }])
    const { status, text: told } = await text(newPhone(), 'code 1')
    expect([status, JSON.parse(told)]).toMatchObject([403, { data: { code: 'no_channel' } }])
    await server.app.connections.apply(account, [{ id: 'sandbox', kind: 'sandbox' }])
  })

  it.each([
    ['short', 'work-of-a-day'],
    ['very long', 'work'.repeat(1000)],
  ])('with a %s key of its own is a repeat for 24 hours', async (_length, key) => {
    const phone = newPhone()
    const body = JSON.stringify({ phone, code: '111111', key })
    for (const seconds of [0, 120, 24 * 3600 - 121, 1]) {
      await server.advance(seconds)
      expect((await post(server, body, { headers, inlet: 'plain' })).status).toBe(200)
    }
    expect(await messagesTo(phone)).toHaveLength(2)
  })

  it('that comes again while the first is at work is asked to come later, in words of its own', async () => {
    const phone = newPhone()
    const release = await server.database!.hold('phone', 'share')
    const tries = [text(phone, 'code 1'), text(phone, 'code 1')]
    const early = await Promise.race(tries)
    await release()
    expect([early.status, JSON.parse(early.text).data.message]).toEqual([
      409,
      'The same post came before and is still at work. Repeat yours in a moment.',
    ])
    expect((await Promise.all(tries)).map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('is refused with its own words when the key names another piece of work', async () => {
    const body = (code: string) => JSON.stringify({ phone: newPhone(), code, key: 'work-1' })
    expect((await post(server, body('111111'), { headers, inlet: 'plain' })).status).toBe(200)
    const { status, text: told } = await post(server, body('222222'), { headers, inlet: 'plain' })
    const message = expect.stringMatching(/^The key of this post came with another phone, code or text before/)
    expect([status, JSON.parse(told)]).toMatchObject([409, { data: { code: 'idempotency_key_reused', message } }])
  })
})

describe('a secret', () => {
  it('may be one of two while it is replaced, and Supabase may sign with both', async () => {
    await applyInlets(server, entry({ secret: [secretOf(keys[1]), secretOf(keys[0])] }))
    for (const used of [[keys[0]], [keys[1]], [keys[0], keys[1]]]) {
      const body = bodyOf({ phone: newPhone(), code: '561166' })
      expect((await post(server, body, { headers: signedAt(server.runtime.now(), body, used) })).status).toBe(200)
    }
    await applyInlets(server, entry({ secret: secretOf(keys[1]) }))
    const body = bodyOf({ phone: newPhone(), code: '561166' })
    expect((await post(server, body)).status).toBe(401)
    expect((await post(server, body, { headers: signedAt(server.runtime.now(), body, [keys[1]]) })).status).toBe(200)
  })

  it('is sealed, listed to the operator alone, and sealed anew under another secret of the service', async () => {
    const [row] = await server.query<{ row: string }>(sql`select inlet::text as row from inlet`)
    expect(row!.row).not.toContain(keys[0])
    const listed = (await server.app.inlets.list(account)).find(({ id }) => id === 'staging')
    expect(listed).toMatchObject({ secrets: [secretOf(keys[0])], path: `/inlets/${account}/staging` })
    expect(await server.app.inlets.reseal()).toEqual({ resealed: 0, unreadable: [] })
  })
})

describe('what is not signed', () => {
  it('is refused without being parsed: another secret, body or time', async () => {
    const phone = newPhone()
    const body = bodyOf({ phone, code: '561166' })
    const now = server.runtime.now()
    for (const headers of [
      {},
      signedAt(now, body, [keys[1]]),
      signedAt(now, `${body} `),
      signedAt(new Date(now.getTime() - 301_000), body),
      // Half a minute more than is allowed: a clock that goes on comes nearer to it.
      signedAt(new Date(now.getTime() + 330_000), body),
    ]) {
      const { status, text, type } = await post(server, body, { headers })
      expect([status, type]).toEqual([401, 'application/json'])
      expect(JSON.parse(text)).toMatchObject({ success: false, data: { code: 'invalid_signature' } })
    }
    // Whoever reads these finds that they are nothing.
    for (const unreadable of ['{', '', '['.repeat(30_000)])
      expect((await post(server, unreadable, { headers: signedAt(now, unreadable, [keys[1]]) })).status).toBe(401)
    expect(await messagesTo(phone)).toEqual([])
  })

  it('is refused in the same way where there is no such inlet', async () => {
    const body = bodyOf({ phone: newPhone(), code: '561166' })
    const plain = ({ text, headers, ...rest }: Awaited<ReturnType<typeof post>>) => ({
      ...rest,
      text: text.replace(/[0-9a-f]{32}/, ''),
    })
    const wrong = plain(await post(server, body, { headers: signedAt(server.runtime.now(), body, [keys[1]]) }))
    for (const to of [{ inlet: 'another' }, { account: 'acct_01JD0000000000000000000000' }, { inlet: 'NO' }])
      expect(plain(await post(server, body, to))).toEqual(wrong)
  })
})

describe('a body of another form', () => {
  it.each([
    ['[]'],
    ['{}'],
    ['{"user":{"phone":"14155550100"}}'],
    ['{"sms":{"phone":"14155550100","otp":"12"}}'],
    ['{"sms":{"phone":{"a":1},"otp":"123456"}}'],
    ['{'],
    [''],
    ['"+14155550100"'],
    [`${'['.repeat(30_000)}`],
  ])('is answered 400 in the envelope, and nothing is sent: %s', async (body) => {
    const { status, text } = await post(server, body)
    expect([status, JSON.parse(text)]).toMatchObject([400, { success: false, data: { code: 'invalid_request' } }])
  })

  it('of more than 1 MB, compressed, or asked for by another method is refused', async () => {
    const body = `{"a":"${'a'.repeat(1024 * 1024)}"}`
    expect((await post(server, body)).status).toBe(413)
    const headers = { ...signedAt(server.runtime.now(), '{}'), 'content-encoding': 'gzip' }
    expect((await post(server, '{}', { headers })).status).toBe(415)
    const got = await fetch(`${server.directUrl}/inlets/${account}/supabase-prod`)
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

it('keeps the last posts of an inlet, with the message or what was lacking, and nothing of a body', async () => {
  await applyInlets(server, entry({ id: 'watched' }))
  const inlet = 'watched'
  const phone = newPhone()
  const body = bodyOf({ phone, code: '561166' })
  await post(server, body, { inlet })
  await post(server, body, { inlet })
  await post(server, '{}', { inlet })
  for (const _ of [1, 2, 3]) await post(server, body, { inlet, headers: {} })
  const [{ id: message } = {}] = await messagesTo(phone)
  await expect
    .poll(async () => (await server.app.inlets.list(account))[0]?.posts, { timeout: 5000 })
    .toEqual([
      { at: expect.any(String), outcome: 'signature', count: 3 },
      { at: expect.any(String), outcome: 'unreadable', lacks: 'phone (/sms/phone or /user/phone)' },
      { at: expect.any(String), outcome: 'accepted', message },
      { at: expect.any(String), outcome: 'accepted', message },
    ])
  const lines = server.runtime.lines.map((line) => JSON.parse(line)).filter((line) => line.inlet === inlet)
  expect(lines.slice(0, 3)).toMatchObject([
    { status: 200, message_id: message },
    { status: 200, message_id: message },
    { status: 400, refused: 'unreadable', lacks: 'phone (/sms/phone or /user/phone)' },
  ])
})

describe('another secret of the service', () => {
  it('seals the secrets of inlets anew, and what was signed before is still good', async () => {
    const [old, next] = ['the first secret of this service', 'the next secret of this service.']
    const first = await startServer({ config: { secrets: [old] } })
    await applyInlets(first, entry())
    const sealed = () => first.query<{ sealed: string }>(sql`select encode(sealed, 'hex') as sealed from inlet`)
    const before = await sealed()
    const second = await startServer({ beside: first, config: { secrets: [next, old] } })
    try {
      expect(await sealed()).not.toEqual(before)
      expect(second.runtime.lines.join()).toContain('"inlets":1')
      expect((await post(second, bodyOf({ phone: newPhone(), code: '561166' }))).status).toBe(200)
      const third = await startServer({ beside: first, config: { secrets: [next] } })
      expect((await post(third, bodyOf({ phone: newPhone(), code: '561166' }))).status).toBe(200)
      await third.close()
    } finally {
      await second.close()
      await first.close()
    }
  })
})

it('answers in the system’s own way that it shall try again, while the database takes nothing', async () => {
  const body = bodyOf({ phone: newPhone(), code: '561166' })
  const release = await server.database!.hold('phone', 'share')
  const answer = await post(server, body)
  await release()
  expect([answer.status, answer.retryAfter, answer.text]).toEqual([503, '1', '{}'])
  expect((await post(server, body)).text).toBe('{}')
})
