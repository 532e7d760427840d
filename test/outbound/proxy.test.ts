/** What is known of a question that goes through a forward proxy, whatever the proxy does. */
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { createAddressGuard } from '../../src/outbound/address.ts'
import { type Client, type ClientParts, createClient } from '../../src/outbound/client.ts'
import { type ProxySettings, readProxy } from '../../src/outbound/proxy.ts'
import { type ConnectProxy, type ProxyBehaviour, startConnectProxy } from '../support/connectProxy.ts'
import { certificate, ownCa } from '../support/ownCa.ts'
import { freePort } from '../support/port.ts'
import { type Provider, startProvider } from '../support/provider.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
})

const secret = 'p@ss/word'
const withCredentials = (url: string, password = secret) =>
  url.replace('://', `://watchword:${encodeURIComponent(password)}@`)

/** Nothing here can look these names up: the proxy alone knows where they lead. */
const [host, url] = ['provider.example', 'http://provider.example/send']

function newClient(proxy: string | ProxySettings, parts: Partial<ClientParts> = {}): Client {
  const settings = typeof proxy === 'string' ? { http: proxy, https: proxy, except: [] } : proxy
  const lookup = async () => [{ address: '203.0.113.7', family: 4 }]
  const client = createClient({
    guard: createAddressGuard({ allowHttp: true, lookup, proxy: settings }),
    ...{ connectMs: 20_000, totalMs: 25_000, connectionsMax: 4, answerBytesMax: 65_536, now: () => new Date() },
    ...parts,
  })
  closers.push(client.close)
  return client
}

async function newPair(options: { isSecure?: boolean } = {}): Promise<{ proxy: ConnectProxy; provider: Provider }> {
  const provider = await startProvider({ status: 200, body: '{}' })
  const places = { [`${host}:80`]: Number(new URL(provider.url).port) }
  const proxy = await startConnectProxy(places, { ...options, credentials: `watchword:${secret}` })
  closers.push(provider.close, proxy.close)
  return { proxy, provider }
}

const post = (to = url) => ({ method: 'POST', url: to, body: '{"code":"482913"}' }) as const

describe('through a proxy', () => {
  it('a question goes as without it, by name, and its credentials reach the proxy alone', async () => {
    const { proxy, provider } = await newPair()
    const answer = await newClient(withCredentials(proxy.url)).ask(post())
    expect(answer).toMatchObject({ kind: 'answered', status: 200 })
    const authorization = `Basic ${Buffer.from(`watchword:${secret}`).toString('base64')}`
    expect(proxy.asked).toEqual([{ place: `${host}:80`, authorization }])
    expect(provider.asked).toMatchObject([{ method: 'POST', path: '/send', body: '{"code":"482913"}' }])
    expect(provider.asked[0]!.headers).not.toHaveProperty('proxy-authorization')
    expect(provider.asked[0]!.headers.host).toBe(host)
    expect(proxy.plain).toEqual([])
  })

  it('a connection is used again, and makes no second tunnel', async () => {
    const { proxy, provider } = await newPair()
    const client = newClient(withCredentials(proxy.url), { connectionsMax: 1 })
    for (let count = 0; count < 3; count++) expect(await client.ask(post())).toMatchObject({ status: 200 })
    expect([proxy.asked.length, provider.asked.length]).toEqual([1, 3])
  })

  it('with TLS to both, each shows its own certificate', async () => {
    const trusted = getCACertificates('default')
    closers.push(() => setDefaultCACertificates(trusted))
    setDefaultCACertificates([...trusted, ownCa])
    const server = createServer(certificate, (_request, response) => response.end('{}')).listen(0, '127.0.0.1')
    closers.push(() => server.close())
    await once(server, 'listening')
    const port = (server.address() as AddressInfo).port
    const places = { [`${host}:443`]: port, 'other.example:443': port }
    const proxy = await startConnectProxy(places, { isSecure: true })
    closers.push(proxy.close)
    const client = newClient(proxy.url)
    expect(await client.ask(post(`https://${host}/send`))).toMatchObject({ kind: 'answered', status: 200 })
    expect(await client.ask(post('https://other.example/send'))).toEqual({
      ...{ kind: 'unsent', reason: 'no secure connection' },
    })
    setDefaultCACertificates(trusted)
    expect(await newClient(proxy.url).ask(post())).toEqual({
      ...{ kind: 'unsent', reason: 'no secure connection to the proxy' },
    })
  })
})

describe('a proxy that makes no tunnel', () => {
  it.each<[ProxyBehaviour, string]>([
    [403, 'the proxy refuses this address (403)'],
    [407, 'the proxy refuses the credentials of OUTBOUND_PROXY, or wants some (407)'],
    [502, 'the proxy makes no connection there (502)'],
    [302, 'the proxy makes no connection there (302)'],
    ['gone', 'the proxy cannot be reached'],
    ['garbage', 'no answer of the proxy that can be read'],
    ['flood', 'no answer of the proxy that can be read'],
  ])('(%s) is named, and nothing was sent', async (behaviour, reason) => {
    const { proxy, provider } = await newPair()
    proxy.behave(behaviour)
    expect(await newClient(withCredentials(proxy.url)).ask(post())).toEqual({ kind: 'unsent', reason })
    expect(provider.asked).toEqual([])
    proxy.behave('tunnel')
    expect(await newClient(withCredentials(proxy.url)).ask(post())).toMatchObject({ kind: 'answered' })
  })

  it('because it is not there, is named', async () => {
    const proxy = `http://127.0.0.1:${await freePort()}`
    expect(await newClient(proxy).ask(post())).toEqual({ kind: 'unsent', reason: 'the proxy cannot be reached' })
  })

  it('because the credentials are wrong, is named without them', async () => {
    const { proxy } = await newPair()
    const answer = await newClient(withCredentials(proxy.url, 'another')).ask(post())
    expect(answer).toMatchObject({ kind: 'unsent', reason: expect.stringContaining('(407)') })
  })

  it('and hangs, is given up in time, with its connection', async () => {
    const { proxy } = await newPair()
    proxy.behave('hang')
    const answer = await newClient(withCredentials(proxy.url), { connectMs: 300 }).ask(post())
    expect(answer).toEqual({ kind: 'unsent', reason: 'no answer of the proxy in time' })
  })

  it('but answers in it itself, is taken for no provider where there is TLS', async () => {
    const { proxy } = await newPair()
    proxy.behave('lie')
    const answer = await newClient(withCredentials(proxy.url)).ask(post(`https://${host}/send`))
    expect(answer).toEqual({ kind: 'unsent', reason: 'no secure connection' })
  })
})

it('what breaks off in a tunnel may have been sent', async () => {
  const { proxy, provider } = await newPair()
  provider.behave('reset')
  expect(await newClient(withCredentials(proxy.url)).ask(post())).toMatchObject({ kind: 'unknown' })
  expect(provider.asked).toHaveLength(1)
})

it('an address of this machine or of a closed network is not asked for', async () => {
  const { proxy } = await newPair()
  const client = newClient(withCredentials(proxy.url))
  for (const to of ['http://127.0.0.1:9/', 'http://localhost/', 'http://10.0.0.7/', 'http://169.254.169.254/'])
    expect(await client.ask(post(to)), to).toEqual({ kind: 'unsent', reason: 'this address is not allowed' })
  expect(proxy.asked).toEqual([])
})

describe('which addresses go through a proxy', () => {
  const except = [
    'internal.example',
    '.corp.example',
    '*.dept.example',
    '10.0.0.0/8',
    '172.16.0.0/12:8443',
    '[fd12::]/16:8443',
    '192.0.2.7',
    'one.example:8443',
    '[2001:db8::1]',
  ]
  const settings = { http: 'http://plain:1', https: 'http://tls:2', except }
  const through = (text: string) => {
    const { protocol, hostname, port } = new URL(text)
    return readProxy(settings, { protocol, hostname, port })
  }

  it.each([
    ['http://provider.example', settings.http],
    ['https://provider.example', settings.https],
    ['https://notinternal.example', settings.https],
    ['https://one.example', settings.https],
    ['https://11.0.0.1', settings.https],
    ['https://172.16.0.1', settings.https],
    ['https://[fd12::1]', settings.https],
  ])('%s does', (text, proxy) => {
    expect(through(text)).toBe(proxy)
  })

  it.each([
    ...[
      'https://internal.example',
      'https://INTERNAL.example.',
      'https://sms.internal.example',
      'https://corp.example',
    ],
    ...['https://a.dept.example', 'https://10.1.2.3', 'https://192.0.2.7', 'https://one.example:8443'],
    ...['https://172.16.0.1:8443', 'https://[fd12::1]:8443'],
    ...['https://[2001:db8::1]/', 'http://localhost:9', 'http://127.0.0.1:9', 'https://[::1]/', 'http://a.localhost'],
  ])('%s does not', (text) => {
    expect(through(text)).toBeUndefined()
  })

  it('none does with *, and by a scheme without a proxy none', () => {
    const place = { protocol: 'https:', hostname: host, port: '' }
    expect(readProxy({ ...settings, except: ['*'] }, place)).toBeUndefined()
    expect(readProxy({ http: 'http://plain:1', except: [] }, place)).toBeUndefined()
  })
})
