/** Reports to a whole service: whose they are taken for, and what strangers and other connections can do with them. */
import { createHmac, generateKeyPairSync, hash, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../support/client.ts'
import { type Provider, startProvider } from '../../../support/provider.ts'
import { newPhone, startServer, type TestServer } from '../../../support/server.ts'

const publicUrl = 'https://sms.example.com'
const secret = 'a-secret-of-the-provider'
const { publicKey, privateKey } = generateKeyPairSync('ed25519')

type Told = Record<string, string>
interface Signed {
  headers: Record<string, string>
  body: string
}

interface Scheme {
  /** As a provider file says it. */
  signature: string
  as: 'json' | 'form' | 'query'
  key?: string
  sign: (told: Told, address: string, seconds: number) => Signed
}

const key = '"{{s.key}}"'
const base64 = (text: string, method = 'sha256', bytes: string | Buffer = secret) =>
  createHmac(method, bytes).update(text).digest('base64')
const form = (told: Told) => `${new URLSearchParams(told)}`
const sorted = (told: Told) => Object.entries(told).sort(([one], [other]) => (one < other ? -1 : 1))
const url64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const schemes: Record<string, Scheme> = {
  'url-token': {
    signature: '{ scheme: url-token }',
    as: 'json',
    sign: (told) => ({ headers: {}, body: JSON.stringify(told) }),
  },
  'standard-webhooks': {
    signature: `{ scheme: standard-webhooks, key: ${key} }`,
    as: 'json',
    key: `whsec_${Buffer.from(secret.padEnd(32)).toString('base64')}`,
    sign: (told, _, seconds) => {
      const body = JSON.stringify(told)
      const signature = `v1,${base64(`r1.${seconds}.${body}`, 'sha256', Buffer.from(secret.padEnd(32)))}`
      return {
        headers: { 'webhook-id': 'r1', 'webhook-timestamp': `${seconds}`, 'webhook-signature': signature },
        body,
      }
    },
  },
  twilio: {
    signature: `{ scheme: twilio, key: ${key} }`,
    as: 'form',
    sign: (told, address) => {
      const text = address + sorted(told).flat().join('')
      return { headers: { 'x-twilio-signature': base64(text, 'sha1') }, body: form(told) }
    },
  },
  'sorted-params': {
    signature: `{ scheme: sorted-params, hash: sha256, key: ${key} }`,
    as: 'form',
    sign: (told, _, seconds) => {
      const timed = { ...told, timestamp: `${seconds}` }
      const text = sorted(timed)
        .map(([name, value]) => `&${name}=${value}`)
        .join('')
      return { headers: {}, body: form({ ...timed, sig: createHmac('sha256', secret).update(text).digest('hex') }) }
    },
  },
  'plivo-v3': {
    signature: `{ scheme: plivo-v3, key: ${key} }`,
    as: 'form',
    sign: (told, address) => {
      const text = `${address}${address.includes('?') ? '.' : '?'}${sorted(told).flat().join('')}.n1`
      return { headers: { 'x-plivo-signature-v3-nonce': 'n1', 'x-plivo-signature-v3': base64(text) }, body: form(told) }
    },
  },
  hmac: {
    signature: `{ scheme: hmac, header: x-sig, hash: sha256, encoding: base64, over: "{body}", key: ${key} }`,
    as: 'json',
    sign: (told) => ({ headers: { 'x-sig': base64(JSON.stringify(told)) }, body: JSON.stringify(told) }),
  },
  ed25519: {
    signature: `{ scheme: ed25519, header: x-sig, timestamp: x-time, over: "{header:x-time}|{body}", key: ${key} }`,
    as: 'json',
    key: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64'),
    sign: (told, _, seconds) => {
      const body = JSON.stringify(told)
      const signature = sign(null, Buffer.from(`${seconds}|${body}`), privateKey).toString('base64')
      return { headers: { 'x-sig': signature, 'x-time': `${seconds}` }, body }
    },
  },
  'jwt-body': {
    signature: `{ scheme: jwt-body, header: authorization, prefix: "Bearer ", key: ${key} }`,
    as: 'json',
    sign: (told, _, seconds) => {
      const body = JSON.stringify(told)
      const text = `${url64({ alg: 'HS256' })}.${url64({ iat: seconds, payload_hash: hash('sha256', body) })}`
      const signature = createHmac('sha256', secret).update(text).digest('base64url')
      return { headers: { authorization: `Bearer ${text}.${signature}` }, body }
    },
  },
}

const fileOf = ({ signature, as }: Pick<Scheme, 'signature' | 'as'>) => `
provider: acme
title: Acme
settings: { key: { secret: true, optional: true } }
request: { url: https://api.acme.example/messages, body: { to: "{{to}}", text: "{{text}}", reports: "{{report_url}}" } }
answer:
  as: json
  id: /id
  error: /code
  rules: [{ when: { status: 2xx }, is: sent }, { when: { status: 4xx }, is: failed, code: rejected_by_channel }]
report:
  as: ${as}
  id: /id
  reference: /reference
  status: /status
  map: { delivered: delivered, sent: sent, failed: failed }
  signature: ${signature}
examples: []
`

let provider: Provider
let server: TestServer
let given = 0
beforeAll(async () => {
  provider = await startProvider(() => ({ status: 200, body: JSON.stringify({ id: `acme-${++given}` }) }))
  server = await startServer({ config: { publicUrl } })
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

interface Account {
  accountId: string
  live: Client
}

let accounts = 0

async function accountWith(...list: { id: string; scheme: Scheme }[]): Promise<Account> {
  const { id: accountId, name: account } = await server.app.accounts.create(`reports ${++accounts}`)
  const entries = list.map(({ id, scheme }) => ({
    ...{ id, kind: 'sms', provider: './acme.yaml', provider_file: fileOf(scheme), base_url: provider.url },
    ...(scheme.signature.includes('s.key') && { key: scheme.key ?? secret }),
  }))
  await server.app.connections.apply(accountId, entries)
  return { accountId, live: server.as(await server.key({ account, mode: 'live' })) }
}

interface Sent {
  id: string
  /** What the provider calls it. */
  acmeId: string
  /** Where its report is to come, as the provider was told. */
  address: string
}

async function sentBy(live: Client): Promise<Sent> {
  const phone = newPhone()
  const id = await live.send(phone)
  await server.work()
  const asked = provider.asked.findLast(({ body }) => body.includes(phone))
  expect(asked).toBeDefined()
  return { id, acmeId: `acme-${given}`, address: JSON.parse(asked!.body).reports }
}

const seconds = () => Math.floor(server.runtime.now().getTime() / 1000)
const local = (address: string) => address.replace(publicUrl, server.url)

async function post(address: string, { headers, body }: Signed, as: Scheme['as']): Promise<number> {
  const type = as === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'
  const response = await fetch(local(address), { method: 'POST', headers: { 'content-type': type, ...headers }, body })
  await response.arrayBuffer()
  return response.status
}

describe.each(Object.entries(schemes))('a report of a connection with the scheme %s', (name, scheme) => {
  it('moves its message when it is signed, and has no effect with another token or signature', async () => {
    const [{ live }, other] = [
      await accountWith({ id: 'sms', scheme }),
      await accountWith({ id: 'sms', scheme: schemes['url-token']! }),
    ]
    const { id, acmeId, address } = await sentBy(live)
    const told = { id: acmeId, status: 'delivered' }
    const good = scheme.sign(told, address, seconds())
    const token = tokenIn(address)
    const foreign = tokenIn((await sentBy(other.live)).address)
    for (const wrong of [foreign, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, token.toLowerCase()]) {
      expect(await post(address.replace(token, wrong), good, scheme.as), wrong).toBe(401)
    }
    expect(await post(address.replace(`/${token}`, ''), good, scheme.as)).toBe(401)
    if (name !== 'url-token') {
      for (const changed of wrongly(good)) expect(await post(address, changed, scheme.as), changed.body).toBe(401)
    }
    expect(await live.status(id)).toBe('sent')
    expect(await post(address, good, scheme.as)).toBe(200)
    expect(await live.status(id)).toBe('delivered')
  })

  it('has no effect by another method, and none is followed with one', async () => {
    const { live } = await accountWith({ id: 'sms', scheme })
    const { id, acmeId, address } = await sentBy(live)
    const told = { id: acmeId, status: 'delivered' }
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { headers } = scheme.sign(told, address, seconds())
      const response = await fetch(`${local(address)}&${form(told)}`, { method, headers })
      expect(response.status, method).toBeGreaterThanOrEqual(400)
    }
    expect(await live.status(id)).toBe('sent')
  })
})

describe('a report of a connection', () => {
  const scheme = schemes['url-token']!
  const reported = (address: string, told: Told) => post(address, scheme.sign(told, address, 0), 'json')

  it('about a message that the connection was never asked to send has no effect', async () => {
    const { accountId, live } = await accountWith({ id: 'one', scheme }, { id: 'two', scheme })
    const mine = await sentBy(live)
    const second = (await server.app.connections.list(accountId)).find(({ id }) => id === 'two')?.reportPath
    expect(second).toMatch(/^\/providers\/acct_\w+\/two\/\S+$/)
    for (const address of [`${publicUrl}${second}?ref=${mine.id}.1`, `${publicUrl}${second}?ref=${mine.id}.2`]) {
      for (const status of ['delivered', 'failed', 'sent']) {
        expect(await reported(address, { reference: `${mine.id}.1`, status })).toBe(200)
        expect(await reported(address, { id: mine.acmeId, status })).toBe(200)
        expect(await reported(address, { status })).toBe(200)
      }
    }
    await server.work()
    expect(await live.status(mine.id)).toBe('sent')
  })

  it('of several messages tells nothing of the one that its address names', async () => {
    const { live } = await accountWith({ id: 'sms', scheme })
    const { id, acmeId, address } = await sentBy(live)
    const body = JSON.stringify([
      { id: acmeId, status: 'on its way' },
      { id: 'of-another-system', status: 'delivered' },
    ])
    expect(await post(address, { headers: {}, body }, 'json')).toBe(200)
    await server.work()
    expect(await live.status(id)).toBe('sent')
  })

  it('about a message of another account has no effect, by whatever name', async () => {
    const [one, other] = [await accountWith({ id: 'sms', scheme }), await accountWith({ id: 'sms', scheme })]
    const [mine, theirs] = [await sentBy(one.live), await sentBy(other.live)]
    const base = mine.address.split('?')[0]
    for (const ref of [`${theirs.id}.1`, `${other.accountId}/${theirs.id}.1`, `${theirs.id}`, '.1', '']) {
      for (const told of [{}, { id: theirs.acmeId }, { reference: ref }]) {
        expect(await reported(`${base}?ref=${encodeURIComponent(ref)}`, { ...told, status: 'delivered' })).toBe(200)
      }
    }
    await server.work()
    expect(await other.live.status(theirs.id)).toBe('sent')
    expect(await one.live.status(mine.id)).toBe('sent')
  })

  it('again and in any order is one: the first says what became of the message', async () => {
    const { live } = await accountWith({ id: 'sms', scheme })
    const { id, acmeId, address } = await sentBy(live)
    const statuses = ['delivered', 'sent', 'failed', 'sent', 'delivered', 'failed']
    const all = [...statuses, ...statuses, ...statuses].map((status) => reported(address, { id: acmeId, status }))
    expect(new Set(await Promise.all(all))).toEqual(new Set([200]))
    expect(await live.status(id)).toBe('delivered')
  })

  it('of 3 MB is read or refused in time, and one of more is not taken', async () => {
    const { live } = await accountWith({ id: 'sms', scheme })
    const { id, acmeId, address } = await sentBy(live)
    const most = 3 * 1024 * 1024
    const startedAt = performance.now()
    const bodies = ['['.repeat(most), '{"a":'.repeat(most / 5), `"${'x'.repeat(most - 2)}"`, '\\'.repeat(most)]
    for (const body of bodies) {
      expect(await post(address, { headers: {}, body }, 'json'), body.slice(0, 9)).toBe(200)
      // After one that cannot be read, no large one of the account is read for a second.
      server.runtime.advance(1)
    }
    const long = JSON.stringify({ id: acmeId, status: 'delivered', more: 'x'.repeat(most - 100) })
    expect(await post(address.replace('?', 'x?'), { headers: {}, body: long }, 'json')).toBeGreaterThanOrEqual(400)
    expect(await post(address, { headers: {}, body: `${long}${' '.repeat(most)}` }, 'json')).toBe(413)
    expect(await live.status(id)).toBe('sent')
    expect(await post(address, { headers: {}, body: long }, 'json')).toBe(200)
    expect(await live.status(id)).toBe('delivered')
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  })

  it('with a million parameters is refused at once', async () => {
    const { live } = await accountWith({ id: 'sms', scheme: { ...scheme, as: 'form' } })
    const { id, acmeId, address } = await sentBy(live)
    const startedAt = performance.now()
    const body = `id=${acmeId}&status=delivered${'&a'.repeat(1_500_000)}`
    expect(await post(address, { headers: {}, body }, 'form')).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(5000)
    expect(await live.status(id)).toBe('sent')
  })

  it('in a query is taken by GET, and by nothing else', async () => {
    const { live } = await accountWith({ id: 'sms', scheme: { ...scheme, as: 'query' } })
    const { id, acmeId, address } = await sentBy(live)
    const told = { id: acmeId, status: 'delivered' }
    const asked = `${address}&${form(told)}`
    expect(await post(asked, { headers: {}, body: form(told) }, 'form')).toBe(401)
    const statuses: number[] = []
    for (const method of ['HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
      statuses.push((await fetch(local(asked), { method })).status)
    }
    expect(Math.min(...statuses)).toBeGreaterThanOrEqual(400)
    expect(await live.status(id)).toBe('sent')
    expect((await fetch(local(asked))).status).toBe(200)
    expect(await live.status(id)).toBe('delivered')
  })

  it('with more headers, or longer ones, than a server reads is refused, and the next is taken', async () => {
    const { live } = await accountWith({ id: 'sms', scheme: schemes.twilio! })
    const { id, acmeId, address } = await sentBy(live)
    const { sign: signed } = schemes.twilio!
    const good = signed({ id: acmeId, status: 'delivered' }, address, 0)
    const bombs = [
      { 'x-twilio-signature': 'A'.repeat(100_000) },
      Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`x-${at}`, '1'])),
      { 'x-twilio-signature': `${good.headers['x-twilio-signature']}, ${good.headers['x-twilio-signature']}` },
    ]
    for (const headers of bombs) {
      const answered = post(address, { ...good, headers }, 'form').catch(() => 0)
      expect([0, 400, 401, 431]).toContain(await answered)
    }
    expect(await live.status(id)).toBe('sent')
    expect(await post(address, good, 'form')).toBe(200)
    expect(await live.status(id)).toBe('delivered')
  })

  it('leaves neither its token, its keys nor its signature in the log', async () => {
    const scheme = schemes.hmac!
    const { live } = await accountWith({ id: 'sms', scheme })
    const { id, acmeId, address } = await sentBy(live)
    const good = scheme.sign({ id: acmeId, status: 'delivered' }, address, seconds())
    await post(address, { ...good, body: `${good.body} ` }, 'json')
    await post(address, good, 'json')
    await post(address.replace('/sms/', '/other/'), good, 'json')
    expect(await live.status(id)).toBe('delivered')
    const log = server.runtime.lines.join('\n')
    expect(log).toContain('"refused":"signature"')
    for (const hidden of [tokenIn(address), secret, good.headers['x-sig'] ?? '']) expect(log).not.toContain(hidden)
  })
})

describe('a provider that repeats what it was told', () => {
  it('puts the token of its reports neither into the timeline nor into the log', async () => {
    const { live } = await accountWith({ id: 'sms', scheme: schemes['url-token']! })
    const token = tokenIn((await sentBy(live)).address)
    const answers = [
      { status: 400, body: JSON.stringify({ code: `unreachable:${token}` }) },
      { status: 200, body: JSON.stringify({ id: token }) },
    ]
    for (const answer of answers) {
      provider.behave(answer)
      const id = await live.send(newPhone())
      await server.work()
      expect(JSON.stringify(await server.app.history(id))).not.toContain(token)
    }
    provider.behave(() => ({ status: 200, body: JSON.stringify({ id: `acme-${++given}` }) }))
    expect(server.runtime.lines.join('\n')).not.toContain(token)
  })
})

function tokenIn(address: string): string {
  return new URL(address).pathname.split('/').at(-1) ?? ''
}

/** A signed report that was changed on its way, or has another's signature. */
function wrongly({ headers, body }: Signed): Signed[] {
  const names = Object.keys(headers)
  const without = names.map((name) => Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name)))
  const other = names.map((name) => ({ ...headers, [name]: `${headers[name]}0`.slice(1) }))
  const failed = { headers, body: body.replace('delivered', 'failed') }
  return [...[...without, ...other].map((changed) => ({ headers: changed, body })), failed]
}
