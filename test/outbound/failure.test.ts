/** What is no failure of who is asked comes out as an error of this service, with whether anything of the question was written. */
import { Resolver } from 'node:dns/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAddressGuard, type GuardParts } from '../../src/outbound/address.ts'
import { createClient } from '../../src/outbound/client.ts'
import { isAskFailure } from '../../src/outbound/failure.ts'
import { createLookup } from '../../src/outbound/lookup.ts'
import { throughProxy } from '../../src/outbound/proxy.ts'
import { startConnectProxy } from '../support/connectProxy.ts'
import { startProvider } from '../support/provider.ts'
import { throwWhenAsked } from '../support/thrown.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
})

const broken = () => {
  throw new TypeError('cannot read properties of undefined')
}

function newClient(parts: GuardParts = {}) {
  const client = createClient({
    guard: createAddressGuard({ allowHttp: true, allowLoopback: true, ...parts }),
    ...{ connectMs: 20_000, totalMs: 25_000, connectionsMax: 4, answerBytesMax: 65_536, now: () => new Date() },
  })
  closers.push(client.close)
  return client
}

const post = (url: string) => ({ method: 'POST', url, body: '{}' }) as const
const ours = (isUnsent: boolean, type: string) =>
  expect.objectContaining({ name: 'AskFault', isUnsent, cause: expect.objectContaining({ name: type }) })

describe('an error of this service', () => {
  it('in what asks is told as one, and the next question is asked', async () => {
    const provider = await startProvider({ status: 200 })
    const failing = throwWhenAsked(() => true)
    closers.push(provider.close, failing.restore)
    const client = newClient()
    await expect(client.ask(post(provider.url))).rejects.toThrow(ours(true, 'TypeError'))
    failing.restore()
    expect(await client.ask(post(provider.url))).toMatchObject({ kind: 'answered', status: 200 })
  })

  it('in judging an address is told as one', async () => {
    const guard = { ...createAddressGuard({}), faultOfUrl: broken }
    const parts = { connectMs: 1000, totalMs: 2000, connectionsMax: 1, answerBytesMax: 1, now: () => new Date() }
    const client = createClient({ ...parts, guard })
    closers.push(client.close)
    await expect(client.ask(post('https://provider.example'))).rejects.toThrow(ours(true, 'TypeError'))
  })

  it('in looking up a name is told as one, and never as a name that is not found', async () => {
    const lookup = async () => broken()
    await expect(newClient({ lookup }).ask(post('http://provider.example'))).rejects.toThrow(ours(true, 'TypeError'))
    const place = createAddressGuard({ allowHttp: true, lookup }).faultOfPlace('http://provider.example')
    await expect(place).rejects.toThrow(TypeError)
  })

  it('in asking DNS is told as one', async () => {
    const spy = vi.spyOn(Resolver.prototype, 'resolve4').mockRejectedValue(new TypeError('not a resolver'))
    closers.push(() => spy.mockRestore())
    await expect(createLookup({ hostsFile: '/nonexistent' })('hook.example')).rejects.toThrow(TypeError)
  })

  it('in what reads an answer is told as one that may have arrived', async () => {
    const provider = await startProvider({ status: 200, body: '{}' })
    const spy = vi.spyOn(Buffer, 'concat').mockImplementation(broken)
    closers.push(provider.close, () => spy.mockRestore())
    await expect(newClient().ask(post(provider.url))).rejects.toThrow(ours(false, 'TypeError'))
  })

  it('in the way through a proxy is told as one, and not as a proxy that cannot be reached', async () => {
    // A password that is not encoded: settings refuse it.
    const proxy = { http: 'http://watchword:%zz@127.0.0.1:1', except: [] }
    const asked = newClient({ proxy }).ask(post('http://provider.example'))
    await expect(asked).rejects.toThrow(ours(true, 'URIError'))
  })

  it('in making a connection within a tunnel is told to who waits for it', async () => {
    const provider = await startProvider({ status: 200 })
    const port = Number(new URL(provider.url).port)
    const proxy = await startConnectProxy({ 'provider.example:443': port })
    closers.push(provider.close, proxy.close)
    const connect = throughProxy({ https: proxy.url, except: [] })(() => broken, { timeout: 20_000 })
    const to = { protocol: 'https:', hostname: 'provider.example', host: 'provider.example', port: '443' }
    const { promise, resolve } = Promise.withResolvers<Error | null>()
    connect(to, (...[error]) => resolve(error))
    expect(await promise).toBeInstanceOf(TypeError)
  })
})

describe('the closed list', () => {
  const coded = (code: string, name = 'Error') => Object.assign(new Error('told'), { code, name })

  it.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EPROTO', 'UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT'],
    ...['HPE_INVALID_CONSTANT', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ...['ERR_SSL_WRONG_VERSION_NUMBER', 'OAUTH_PARSE_ERROR', 'Z_DATA_ERROR'],
  ])('has %s, also as what caused the error that is told', (code) => {
    expect(isAskFailure(coded(code))).toBe(true)
    expect(isAskFailure(new TypeError('fetch failed', { cause: coded(code) }))).toBe(true)
  })

  it.each([
    ...['EMFILE', 'ENOENT', 'ERR_INVALID_ARG_TYPE', 'ERR_ASSERTION', 'ERR_INVALID_URL'],
    ...['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'],
  ])('does not have %s', (code) => {
    expect(isAskFailure(coded(code))).toBe(false)
  })

  it.each([new TypeError('told'), new Error('told'), new RangeError('told'), undefined, 'told'])(
    'does not have what has no code: %o',
    (error) => {
      expect(isAskFailure(error)).toBe(false)
    },
  )

  it('has what fetch itself refuses, and not what is thrown within it', () => {
    expect(isAskFailure(new TypeError('fetch failed', { cause: new Error('bad port') }))).toBe(true)
    expect(isAskFailure(new TypeError('fetch failed', { cause: new TypeError('undefined') }))).toBe(false)
    expect(isAskFailure(new TypeError('fetch failed', { cause: coded('EMFILE') }))).toBe(false)
  })

  it('ends with an error that is its own cause', () => {
    const error = new Error('told')
    error.cause = error
    expect(isAskFailure(error)).toBe(false)
  })
})
