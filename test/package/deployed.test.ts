/** The package as a company runs it: on one port, with secrets in files, between the documented proxy and a forward proxy. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' }
import { getExampleNumber } from 'libphonenumber-js/max'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../support/client.ts'
import { codeOn } from '../support/code.ts'
import { pageOf } from '../support/docs.ts'
import { hasNginx, unlessNginx } from '../support/nginx.ts'
import { entryOf, telegramEntry, whatsappEntry } from '../support/simulation.ts'
import { visitorWith } from '../support/visitor.ts'
import { acmeText, type Deployment, deploy, smsFiles } from './deployment.ts'

const gatewaySecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const smsPrefix = 'sms-'

/** Each carries the codes to one country, so each is asked. */
const countries = [
  'US',
  'DE',
  'FR',
  'GB',
  'ES',
  'IT',
  'NL',
  'IN',
  'SE',
  'CH',
  'AT',
  'BE',
  'PL',
  'PT',
  'KE',
  'IE',
  'FI',
  'NO',
  'DK',
  'CZ',
] as const

describe.skipIf(!hasNginx)(`deployed on one port, with secrets in files${unlessNginx}`, () => {
  let deployed: Deployment
  let live: Client
  let endpointSecret: string
  let connections: { id: string; phone: string }[]
  beforeAll(async () => {
    deployed = await deploy()
    const { command, url, folder, addressOf } = deployed
    const entries = buildEntries(deployed)
    connections = entries.map(({ id }, index) => ({ id, phone: getExampleNumber(countries[index]!, examples)!.number }))
    await writeFile(join(folder, 'acme.yaml'), acmeText)
    const list = entries.map((entry, index) => ({ ...entry, countries: [countries[index]] }))
    await writeFile(join(folder, 'channels.yaml'), JSON.stringify(list))
    await command('channels', 'apply', join(folder, 'channels.yaml'))
    const listed = await command<{ id: string; kind: string; report_url?: string }[]>('channels', 'list')
    for (const { id, kind, report_url = '' } of listed)
      deployed.simulator.pointAt(
        kind === 'sms' ? { sms: { [id.slice(smsPrefix.length)]: report_url } } : { [kind]: report_url },
      )
    const { secret } = await command<{ secret: string }>('endpoints', 'add', `${addressOf('hooks')}/events`)
    endpointSecret = secret
    const { key } = await command<{ key: string }>('keys', 'create', '--name', 'shop', '--mode', 'live')
    live = createClient(url, key)
  })
  afterAll(() => deployed?.close())

  /** The code that came to a phone, by whatever connection. */
  const codeFor = async (phone: string) => {
    const taken = () =>
      deployed.simulator.phone(phone).messages[0]?.text ??
      deployed.gateway.asked.map(({ body }) => JSON.parse(body)).find((body) => body.phone === phone)?.text
    await expect.poll(taken, { message: phone }).toBeDefined()
    return codeOn(taken())
  }

  it('a live code by every kind of channel and provider is checked, and told to an endpoint', async () => {
    const { receiver, gateway, forwardProxy } = deployed
    const verify = async ({ id, phone }: (typeof connections)[number]) => {
      const requestId = await live.send(phone)
      expect(await live.check(requestId, await codeFor(phone)), id).toMatchObject({ verified: true })
      const told = () =>
        receiver
          .events()
          .flatMap(({ type, data }) => ('request_id' in data && data.request_id === requestId ? [type] : []))
      // The gateway reports nothing.
      const wanted = ['message.sent', 'verification.verified', ...(id === 'gateway' ? [] : ['message.delivered'])]
      await expect.poll(told, { message: id }).toEqual(expect.arrayContaining(wanted))
    }
    await Promise.all(connections.map(verify))
    expect(receiver.faults(endpointSecret)).toEqual([])
    const [asked] = gateway.asked
    expect(() => new Webhook(gatewaySecret).verify(asked!.body, asked!.headers as Record<string, string>)).not.toThrow()
    // Each by its own name, and the forward proxy alone knows where that is.
    const names = [...connections.map(({ id }) => id.replace(smsPrefix, '')), 'hooks'].map(
      (name) => `${name}.provider.example`,
    )
    const places = forwardProxy.asked.map(({ place }) => place.replace(/:(443|80)$/, ''))
    expect(places).toEqual(expect.arrayContaining(names))
    expect(forwardProxy.plain).toEqual([])
  })

  it('a test key sends to the sandbox alone, whose phones ask for the token of operations', async () => {
    const { command, url, opsToken, simulator } = deployed
    const phone = '+14155550142'
    const { key } = await command<{ key: string }>('keys', 'create', '--name', 'trial', '--mode', 'test')
    const client = createClient(url, key)
    const id = await client.send(phone)
    await expect.poll(() => client.status(id)).toBe('delivered')
    expect(await client.check(id, '000000')).toMatchObject({ verified: true })
    const path = `${url}/sandbox/messages?phone=${encodeURIComponent(phone)}`
    expect((await fetch(path)).status).toBe(401)
    const headers = { Authorization: `Bearer ${opsToken}` }
    expect(await (await fetch(path, { headers })).json()).toMatchObject([{ text: expect.stringContaining('000000') }])
    const ofLive = `${url}/sandbox/messages?phone=${encodeURIComponent(connections[0]!.phone)}`
    expect(await (await fetch(ofLive, { headers })).json()).toEqual([])
    expect(simulator.phone(phone).messages).toEqual([])
  })

  it('people are invited to the dashboard and sign in by their company, seen from their own address', async () => {
    const { command, url, oidc } = deployed
    const dashboardUrl = `${url}/dashboard`
    const { link } = await command<{ link: string }>('users', 'invite', '--role', 'owner')
    const [page, token = ''] = link.split('#')
    expect(page).toBe(`${dashboardUrl}/invitation`)
    const owner = visitorWith({ dashboardUrl }, '')
    const form = { token, name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple' }
    // What a caller says of its own address is not believed.
    const claimed = await owner.post('/invitation/claim', form, { 'X-Forwarded-For': '198.51.100.7' })
    expect([claimed.status, claimed.headers.get('location')]).toEqual([303, '/dashboard/'])
    for (const cookie of claimed.headers.getSetCookie())
      expect(cookie).toMatch(/^__Secure-watchword_.*; Path=\/dashboard; HttpOnly; SameSite=Lax; Secure/)
    const { text } = await owner.get('/messages')
    expect(text).toContain(' href="/dashboard/')
    const profile = (await owner.get('/profile')).text
    expect(profile).toContain('127.0.0.1')
    expect(profile).not.toContain('198.51.100.7')

    const viewer = visitorWith({ dashboardUrl }, '')
    const out = await viewer.get('/sign-in/company')
    const claims = { sub: 'bob', name: 'Bob', email: 'bob@example.com', email_verified: true, groups: ['staff'] }
    const back = oidc.signIn(out.headers.get('location')!, claims)
    expect(back.href).toContain(`${dashboardUrl}/sign-in/company/back?`)
    const entered = await viewer.get(back.href.slice(dashboardUrl.length))
    expect([entered.status, (await viewer.get('/profile')).text]).toEqual([303, expect.stringContaining('Bob')])
  })

  it('metrics ask for the token, health for nothing, and answers have nothing of another door', async () => {
    const { url, opsToken } = deployed
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(url + path, { headers, redirect: 'manual' })
    for (const path of ['/healthz', '/readyz']) expect((await get(path)).status).toBe(200)
    for (const told of ['', 'Bearer wrong', `Bearer ${opsToken}x`, `Basic ${btoa(`ops:${opsToken}`)}`])
      expect((await get('/metrics', { Authorization: told })).status).toBe(401)
    const metrics = await (await get('/metrics', { Authorization: `Bearer ${opsToken}` })).text()
    expect(metrics).toMatch(/^watchword_request_seconds_count\{operation="sendVerification",status="200"\} \d+$/m)
    expect((await get('/v1/messages', { Authorization: `Bearer ${opsToken}` })).status).toBe(401)
    for (const [path, isOpen, hasPolicy] of [
      ['/openapi.json', true, false],
      ['/dashboard/sign-in', false, true],
      ['/v1/messages', false, false],
      ['/metrics', false, false],
    ] as const) {
      const { headers } = await get(path, { Origin: 'https://other.example' })
      const seen = [
        headers.has('access-control-allow-origin'),
        headers.has('content-security-policy'),
        headers.getSetCookie(),
      ]
      expect(seen, path).toEqual([isOpen, hasPolicy, []])
    }
  })

  it('every secret stands in a file, and none is in a log of the service or of the proxy', async () => {
    const { secrets, service, proxyLog } = deployed
    const documented = Array.from(pageOf('docs/operators.md').matchAll(/also as `(\w+)_FILE`/g), ([, name]) => name)
    expect(documented.toSorted()).toEqual(Object.keys(secrets).toSorted())
    const logged = service.output() + service.errors() + (await proxyLog())
    expect(logged.match(/"POST \/(v1\/verify\/send|providers\/acct_default\/sms-twilio)" 200/g)).not.toHaveLength(0)
    // The sandbox's key is known to everyone, and of the others the words that make them one.
    const { SANDBOX_KEY: _known, OUTBOUND_PROXY, ...others } = secrets
    const { password } = new URL(OUTBOUND_PROXY!)
    const phones = connections.map(({ phone }) => phone)
    const sensitive = [password, decodeURIComponent(password), endpointSecret, gatewaySecret, ...phones]
    expect([...Object.values(others), ...sensitive].filter((text) => logged.includes(text))).toEqual([])
  })
})

/** The HTTP gateway, WhatsApp, Telegram, and each provider of SMS. */
function buildEntries({ simulator, addressOf }: Deployment) {
  const base = (id: string) => ({ id, base_url: addressOf(id) })
  return [
    { id: 'gateway', kind: 'http', url: `${addressOf('gateway')}/send`, secret: gatewaySecret },
    whatsappEntry(simulator, base('whatsapp')),
    telegramEntry(simulator, base('telegram')),
    ...smsFiles.map((file) => {
      const { provider } = file
      const base_url = simulator.sms(provider).base_url.replace(simulator.url, addressOf(provider))
      const own = provider === 'acme' ? { provider: './acme.yaml' } : {}
      return entryOf(file, simulator, { id: smsPrefix + provider, base_url, ...own })
    }),
  ]
}
