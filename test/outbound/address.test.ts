/** Where a request may go, when a stranger has named the URL. */
import type { LookupAddress } from 'node:dns'
import { isIPv6, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AddressGuard, createAddressGuard, type GuardParts, isNetwork } from '../../src/outbound/address.ts'
import { createClient, type OutboundAnswer } from '../../src/outbound/client.ts'
import { type Provider, startProvider } from '../support/provider.ts'

const refused = { kind: 'unsent', reason: 'this address is not allowed' }
const open = '93.184.216.34'

let target: Provider
let port: string

beforeAll(async () => {
  target = await startProvider({ status: 200 })
  port = new URL(target.url).port
})
afterAll(() => target.close())

const listOf = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))

async function ask(url: string, guard: AddressGuard): Promise<OutboundAnswer> {
  const limits = { connectMs: 5000, totalMs: 8000, connectionsMax: 1, answerBytesMax: 100 }
  const client = createClient({ ...limits, guard, now: () => new Date() })
  try {
    return await client.ask({ method: 'POST', url, body: '{}' })
  } finally {
    await client.close()
  }
}

/** As a connection finds an address, whatever was said of the URL before. */
function connect(guard: AddressGuard, hostname: string, timeout = 5000): Promise<Error | Socket> {
  return new Promise((resolve) => {
    guard.connector(buildConnector, { timeout })(
      { hostname, host: hostname, protocol: 'http:', port },
      (error, socket) => resolve(error ?? socket),
    )
  })
}

describe('an address that is not public', () => {
  /** In the URL, P is the port of a server that is there to be reached. */
  const literals = [
    // This machine, in every base and with every number of parts.
    ...['http://127.0.0.1:P/', 'http://127.1:P/', 'http://127.0.1:P/', 'http://2130706433:P/', 'http://0x7f000001:P/'],
    ...['http://0x7f.1:P/', 'http://0177.0.0.1:P/', 'http://017700000001:P/', 'http://0x7f.0.0.0x1:P/'],
    ...[
      'http://127.0.0.1.:P/',
      'http://127.255.255.254:P/',
      'http://%31%32%37.0.0.1:P/',
      'http://１２７。０。０。１:P/',
    ],
    ...['http://0.0.0.0:P/', 'http://0:P/', 'http://[::]:P/', 'http://[::1]:P/', 'http://[0:0:0:0:0:0:0:1]:P/'],
    ...['http:\\\\127.0.0.1:P/', 'http:127.0.0.1:P/', 'http://\t127.0.0.1:P/'],
    // The same within IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo.
    ...['http://[::ffff:127.0.0.1]:P/', 'http://[::ffff:7f00:1]:P/', 'http://[::127.0.0.1]:P/', 'http://[::7f00:1]:P/'],
    ...['http://[::ffff:0:127.0.0.1]:P/', 'http://[64:ff9b::127.0.0.1]:P/', 'http://[64:ff9b:1::7f00:1]:P/'],
    ...['http://[2002:7f00:1::]:P/', 'http://[2001:0:7f00:1::]:P/', 'http://[::ffff:10.0.0.1]:P/'],
    // Private networks, shared ones, link-local ones, those of documents and tests, and to many at once.
    ...[
      'https://10.0.0.1/',
      'https://172.16.0.1/',
      'https://172.31.255.255/',
      'https://192.168.1.1/',
      'https://0xa000001/',
    ],
    ...['https://100.64.0.1/', 'https://198.18.0.1/', 'https://192.0.2.1/', 'https://203.0.113.9/', 'https://0.1.2.3/'],
    ...[
      'https://224.0.0.1/',
      'https://240.0.0.1/',
      'https://255.255.255.255/',
      'https://[fc00::1]/',
      'https://[fd12::1]/',
    ],
    ...[
      'https://[fe80::1]/',
      'https://[fec0::1]/',
      'https://[ff02::1]/',
      'https://[2001:db8::1]/',
      'https://[100::1]/',
    ],
    ...['https://[4000::1]/', 'https://[5f00::1]/'],
    // What clouds tell their machines.
    ...[
      'http://169.254.169.254/latest/meta-data/',
      'http://2852039166/',
      'http://0xa9fea9fe/',
      'http://169.254.170.2/',
    ],
    ...[
      'http://[::ffff:169.254.169.254]/',
      'http://[fd00:ec2::254]/',
      'http://168.63.129.16/',
      'http://100.100.100.200/',
    ],
    ...['http://[::ffff:a83f:8110]/', 'http://[64:ff9b::a9fe:a9fe]/', 'http://192.0.0.192/', 'http://[fd20:ce::254]/'],
    // On other ports, too.
    ...['https://127.0.0.1:443/', 'https://10.0.0.1:8443/', 'http://192.168.1.1:6379/', 'http://127.0.0.1:65535/'],
  ]

  it.each(literals)('is not asked: %s', async (text) => {
    const url = text.replace('P', port)
    const guard = createAddressGuard({ allowHttp: true })
    const before = target.asked.length
    expect(await ask(url, guard)).toEqual(refused)
    expect([guard.faultOfUrl(url), await guard.faultOfPlace(url)]).toEqual([refused.reason, refused.reason])
    expect(target.asked).toHaveLength(before)
    // As a connection would find it, had nobody looked at the URL.
    const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '')
    expect(await connect(guard, hostname)).toMatchObject({ message: refused.reason })
  })

  it.each([
    [['127.0.0.1']],
    [['10.1.2.3']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['fe80::1%1']],
    [['169.254.169.254']],
    [['168.63.129.16']],
    [['0.0.0.0']],
    [[open, '127.0.0.1']],
    [['127.0.0.1', open]],
    [[open, 'fd00:ec2::254']],
    [['not an address']],
    [[]],
  ])('is not asked by a name that has %j', async (addresses) => {
    const guard = createAddressGuard({ allowHttp: true, lookup: async () => listOf(...addresses) })
    const before = target.asked.length
    expect(await ask(`http://hook.example:${port}/`, guard)).toEqual(refused)
    expect(guard.faultOfUrl(`http://hook.example:${port}/`)).toBeUndefined()
    expect(await guard.faultOfPlace(`http://hook.example:${port}/`)).toBe(refused.reason)
    expect(target.asked).toHaveLength(before)
  })

  it.each(['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'ip6-localhost'])(
    'is not asked by a name of this machine: %s',
    async (name) => {
      const guard = createAddressGuard({ allowHttp: true, lookup: async () => listOf('127.0.0.1', '::1') })
      expect(await ask(`http://${name}:${port}/`, guard)).toEqual(refused)
    },
  )

  it('is not asked when it is the second thing that a name stands for', async () => {
    const turns = [listOf(open), listOf('127.0.0.1'), listOf(open)]
    const guard = createAddressGuard({ allowHttp: true, lookup: async () => turns.shift() ?? [] })
    const before = target.asked.length
    expect(await guard.faultOfPlace(`http://hook.example:${port}/`)).toBeUndefined()
    expect(await ask(`http://hook.example:${port}/`, guard)).toEqual(refused)
    expect(target.asked).toHaveLength(before)
  })

  it('is not asked because a public one has said so', async () => {
    const guard = createAddressGuard({ allowHttp: true, networks: ['127.0.0.1/32'] })
    for (const place of ['http://169.254.169.254/', `http://127.0.0.2:${port}/`, `//127.0.0.2:${port}/`]) {
      target.behave({ status: 307, headers: { Location: place } })
      const before = target.asked.length
      expect(await ask(target.url, guard)).toMatchObject({ kind: 'answered', status: 307 })
      expect(target.asked).toHaveLength(before + 1)
    }
    target.behave({ status: 200 })
  })
})

describe('a connection', () => {
  it('is made to the very address that was checked, of a name that was looked up once', async () => {
    const asked: string[] = []
    const lookup = async (name: string) => {
      asked.push(name)
      return listOf(asked.length === 1 ? '127.0.0.1' : open)
    }
    const guard = createAddressGuard({ allowHttp: true, networks: ['127.0.0.0/8'], lookup })
    expect(await ask(`http://hook.example:${port}/`, guard)).toMatchObject({ kind: 'answered', status: 200 })
    expect(asked).toEqual(['hook.example'])
    expect(target.asked.at(-1)?.headers.host).toBe(`hook.example:${port}`)
  })

  it('requests to a name with silent servers wait for one look-up, and delay no others', async () => {
    const asked: string[] = []
    const lookup = (name: string): Promise<LookupAddress[]> => {
      asked.push(name)
      return name === 'silent.example' ? new Promise(() => {}) : Promise.resolve(listOf('127.0.0.1'))
    }
    const guard = createAddressGuard({ allowHttp: true, networks: ['127.0.0.0/8'], lookup })
    const silent = Array.from({ length: 20 }, () => connect(guard, 'silent.example', 500))
    expect(await ask(`http://hook.example:${port}/`, guard)).toMatchObject({ kind: 'answered', status: 200 })
    expect(asked.toSorted()).toEqual(['hook.example', 'silent.example'])
    for (const error of await Promise.all(silent)) expect(error).toMatchObject({ code: 'UND_ERR_CONNECT_TIMEOUT' })
  })

  it('asks anew for a name when the look-up before it is over, whether that found it or not', async () => {
    const turns = [listOf(open), undefined, listOf('127.0.0.1')]
    const absent = Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    const lookup = async () => turns.shift() ?? Promise.reject(absent)
    const guard = createAddressGuard({ lookup })
    const faults = []
    for (let turn = 0; turn < 3; turn++) faults.push(await guard.faultOfPlace('https://hook.example/'))
    expect(faults).toEqual([undefined, 'this host name is not found', refused.reason])
  })

  it('says of a name without an answer of DNS that it could not be looked up', async () => {
    const guard = createAddressGuard({
      lookup: () => Promise.reject(Object.assign(new Error(), { code: 'EAI_AGAIN' })),
    })
    expect(await guard.faultOfPlace('https://hook.example/')).toBe('this host name could not be looked up: try again')
  })

  it('may be made to any public address', async () => {
    const guard = createAddressGuard({})
    for (const host of [open, '8.8.8.8', '[2606:4700:4700::1111]', 'hook.example', '172.32.0.1', '100.128.0.1']) {
      expect(guard.faultOfUrl(`https://${host}/`), host).toBeUndefined()
    }
    const named = createAddressGuard({ lookup: async () => listOf(open, '2606:4700:4700::1111') })
    expect(await named.faultOfPlace('https://hook.example/')).toBeUndefined()
  })
})

describe('what a guard opens', () => {
  const faults = (parts: GuardParts, urls: string[]) =>
    Object.fromEntries(urls.map((url) => [url, createAddressGuard(parts).faultOfUrl(url)]))
  const noHttps = 'the URL must begin with https://'

  it('is nothing but https and public addresses, when nothing is said', () => {
    expect(faults({}, ['http://hook.example/', 'http://127.0.0.1/', 'ftp://hook.example/', 'hook.example'])).toEqual({
      ...{ 'http://hook.example/': noHttps, 'http://127.0.0.1/': noHttps, 'ftp://hook.example/': noHttps },
      'hook.example': noHttps,
    })
    for (const url of [
      'https://me@hook.example/',
      'https://:secret@hook.example/',
      'https://hook.example:x@10.0.0.1/',
    ]) {
      expect(createAddressGuard({}).faultOfUrl(url)).toBe('the URL must not hold a user name or password')
    }
  })

  it('is this machine by its own names, where it is allowed', async () => {
    const lookup = async () => listOf('127.0.0.1')
    const guard = createAddressGuard({ allowLoopback: true, lookup })
    for (const host of ['127.0.0.1', 'localhost', 'a.localhost', 'localhost.']) {
      expect(await ask(`http://${host}:${port}/`, guard), host).toMatchObject({ kind: 'answered' })
    }
    expect(guard.faultOfUrl('http://hook.example/')).toBe(noHttps)
    expect(await guard.faultOfPlace('https://hook.example/')).toBe(refused.reason)
    expect(guard.faultOfUrl('https://10.0.0.1/')).toBe(refused.reason)
  })

  it('is this machine by its own names only where one of its addresses is open', () => {
    const { faultOfUrl } = createAddressGuard({ allowOwnNetworks: true, allowHttp: true })
    const opened = createAddressGuard({ networks: ['127.0.0.1/32'] })
    for (const host of ['127.0.0.1', '[::1]', 'localhost', 'LOCALHOST', 'a.localhost', 'localhost.']) {
      expect(faultOfUrl(`http://${host}:9/`), host).toBe(refused.reason)
      expect(opened.faultOfUrl(`https://${host}/`), host).toBe(host === '[::1]' ? refused.reason : undefined)
    }
    expect(faultOfUrl('http://localhost.example/')).toBeUndefined()
  })

  it('is the networks that are named, whichever way they are written', () => {
    const guard = createAddressGuard({ networks: ['10.1.0.0/16', 'fd12::/16', '0.0.0.0/0'] })
    for (const host of ['10.1.2.3', '[::ffff:10.1.2.3]', '[fd12::1]', '192.168.0.1']) {
      expect(guard.faultOfUrl(`https://${host}/`), host).toBeUndefined()
    }
    for (const host of ['[fd13::1]', '169.254.169.254', '168.63.129.16', '[64:ff9b::10.1.2.3]']) {
      expect(guard.faultOfUrl(`https://${host}/`), host).toBe(refused.reason)
    }
  })

  it('is http to an address in the networks that are named, where that is said, and not to a name', () => {
    const networks = ['127.0.0.1/32', '10.1.0.0/16', '169.254.0.0/16']
    const of = (parts: GuardParts, ...hosts: string[]) =>
      hosts.map((host) => createAddressGuard({ networks, ...parts }).faultOfUrl(`http://${host}:8080/`))
    const opened = ['127.0.0.1', 'localhost', '10.1.2.3', '[::ffff:10.1.2.3]']
    expect(of({ allowHttpInNetworks: true }, ...opened)).toEqual(opened.map(() => undefined))
    expect(of({}, ...opened)).toEqual(opened.map(() => noHttps))
    const others = ['10.2.0.1', '[::1]', '93.184.216.34', 'gateway.internal', '10.1.2.3.example']
    expect(of({ allowHttpInNetworks: true }, ...others)).toEqual(others.map(() => noHttps))
    expect(of({ allowHttpInNetworks: true, closedPorts: [8080] }, '127.0.0.1')).toEqual([refused.reason])
    expect(of({ allowHttpInNetworks: true }, '169.254.169.254')).toEqual([refused.reason])
  })

  it("is the operator's own networks, and neither this machine nor what a cloud tells its machines", async () => {
    const guard = createAddressGuard({
      allowOwnNetworks: true,
      allowHttp: true,
      lookup: async (name) => listOf(name === 'sms.internal' ? '10.0.0.9' : '127.0.0.1'),
    })
    expect(await guard.faultOfPlace('http://sms.internal/')).toBeUndefined()
    expect(await ask(`http://elsewhere.internal:${port}/`, guard)).toEqual(refused)
    for (const host of ['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '[fd12::1]', open]) {
      expect(guard.faultOfUrl(`http://${host}/`), host).toBeUndefined()
    }
    const never = ['169.254.169.254', '169.254.170.2', '[fd00:ec2::254]', '168.63.129.16', '[::ffff:169.254.169.254]']
    for (const host of [
      ...never,
      '127.0.0.1',
      '[::1]',
      '0.0.0.0',
      '224.0.0.1',
      '[fe80::1]',
      '[64:ff9b::a9fe:a9fe]',
      '100.100.100.200',
    ]) {
      expect(guard.faultOfUrl(`http://${host}/`), host).toBe(refused.reason)
    }
  })

  it('never is a port that is closed, at whichever address, also where it is that of the scheme', () => {
    const guard = createAddressGuard({ allowHttp: true, allowLoopback: true, closedPorts: [9464, 443] })
    for (const url of [
      'http://127.0.0.1:9464/',
      'http://hook.example:9464/',
      `https://${open}/`,
      'https://[::1]:9464/',
    ]) {
      expect(guard.faultOfUrl(url), url).toBe(refused.reason)
    }
    expect(guard.faultOfUrl('http://127.0.0.1:9465/')).toBeUndefined()
  })

  it('names networks as addresses with a length', () => {
    for (const text of ['10.0.0.0/8', '192.168.1.7/32', 'fd12::/16', '::/0']) expect(isNetwork(text), text).toBe(true)
    for (const text of ['', '10.0.0.0', '10/8', '10.0.0.0/33', '10.0.0.0/', 'fd12::/129', 'home', '0x0a.0.0.0/8']) {
      expect(isNetwork(text), text).toBe(false)
    }
    expect(() => createAddressGuard({ networks: ['home'] })).toThrow('not a network')
  })
})
