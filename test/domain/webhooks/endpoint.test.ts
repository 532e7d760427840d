import { describe, expect, it, vi } from 'vitest'
import { eventTypes } from '../../../src/contract/event.ts'
import { createActCommit } from '../../../src/domain/access/act.ts'
import { createSecrets, type Secrets } from '../../../src/domain/access/secret.ts'
import { createEndpoints } from '../../../src/domain/webhooks/endpoint.ts'
import { createAddressGuard } from '../../../src/outbound/address.ts'
import { signatureOf, verifySignature } from '../../../src/outbound/signature.ts'
import { acting, testOperator } from '../../support/acting.ts'
import { openCommit } from '../../support/commit.ts'
import { type TestRuntime, testRuntime } from '../../support/runtime.ts'

const [older, newer] = ['an older secret, of enough characters', 'a newer secret, of enough characters']
const hourSeconds = 3600
const url = 'https://example.com/hooks'

const { test, commit } = await openCommit()

const addresses: Record<string, string> = { 'example.com': '203.0.114.7', 'inside.example.com': '10.0.0.7' }
const guard = createAddressGuard({ lookup: async (name) => [{ address: addresses[name]!, family: 4 }] })

function openEndpoints(...secrets: string[]) {
  const runtime = testRuntime()
  return { runtime, endpoints: endpointsWith(createSecrets(secrets), runtime) }
}

function endpointsWith(secrets: Secrets | undefined, runtime: TestRuntime) {
  const parts = { commit: createActCommit(commit, { runtime }), secrets, runtime, guard }
  return acting(createEndpoints(parts), testOperator)
}

let accounts = 0

async function newAccount(): Promise<string> {
  accounts += 1
  const id = `acct_${accounts}`
  await test.sql`insert into account (id, name, name_key, created_at) values (${id}, ${id}, ${id}, now())`
  return id
}

/** What is said of what is refused. */
function refusal(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'was done',
    (error: Error) => `${error.name}: ${error.message}`,
  )
}

describe('an endpoint', () => {
  it('has its secrets opened once for all attempts, and again when they are rotated', async () => {
    const secrets = createSecrets([newer])
    const open = vi.spyOn(secrets, 'open')
    const runtime = testRuntime()
    const endpoints = endpointsWith(secrets, runtime)
    const { endpoint } = await endpoints.add({ accountId: await newAccount(), mode: 'test', url, types: null })
    const attempt = async () => endpoints.openSecrets(await endpoints.require(endpoint.id))
    for (let attempts = 0; attempts < 3; attempts++) expect(await attempt()).toHaveLength(1)
    expect(open).toHaveBeenCalledTimes(1)
    await endpoints.rotate(endpoint)
    open.mockClear()
    for (let attempts = 0; attempts < 3; attempts++) expect(await attempt()).toHaveLength(2)
    runtime.advance(24 * hourSeconds)
    expect(await attempt()).toHaveLength(1)
    expect(open).toHaveBeenCalledTimes(1)
  })

  it('is added with a secret, which signs, and is kept sealed alone', async () => {
    const { endpoints, runtime } = openEndpoints(newer)
    const accountId = await newAccount()
    const { endpoint, secret } = await endpoints.add({ accountId, mode: 'test', url, types: ['message.read'] })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(endpoint).toMatchObject({ id: expect.stringMatching(/^ep_[0-9A-HJKMNP-TV-Z]{26}$/), url })
    const kept = await endpoints.require(endpoint.id)
    expect({ ...kept, sealed: undefined }).toEqual({ ...endpoint, account: accountId, sealed: undefined })
    expect(kept).toMatchObject({ accountId, mode: 'test', types: ['message.read'], createdAt: runtime.now() })
    expect(endpoints.openSecrets(kept)).toEqual([secret])
    const rows = await test.sql`select * from endpoint`
    expect(Buffer.concat(rows.map(({ sealed }) => sealed)).toString('latin1')).not.toContain(secret.slice(6))
    expect(JSON.stringify(rows)).not.toContain('whsec_')
  })

  it.each([
    ['http://example.com/', 'the URL must begin with https://'],
    ['https://user:pass@example.com/', 'the URL must not hold a user name or password'],
    ['https://10.0.0.7/', 'this address is not allowed'],
    ['https://inside.example.com/', 'this address is not allowed'],
    ['https://169.254.169.254/', 'this address is not allowed'],
    ['https://example.com/a b', 'the URL must be written in ASCII, without spaces'],
    ['https://exämple.com/', 'the URL must be written in ASCII, without spaces'],
    ['example.com/hook', 'the URL must begin with https://'],
    ['https://example.com:99999/', 'this is not a URL'],
    ['', 'the URL is missing'],
    [`https://example.com/${'x'.repeat(2029)}`, 'the URL must have 2048 characters at most'],
  ])('is refused at %s', async (given, fault) => {
    const { endpoints } = openEndpoints(newer)
    const accountId = await newAccount()
    const asked = endpoints.add({ accountId, mode: 'live', url: given, types: null })
    expect(await refusal(asked)).toBe(`Refusal: The endpoint was not added: ${fault}.`)
    expect((await endpoints.list()).filter((row) => row.accountId === accountId)).toEqual([])
  })

  it('is refused with types that there are not, and told those that there are', async () => {
    const { endpoints } = openEndpoints(newer)
    const accountId = await newAccount()
    const withTypes = (...types: string[]) => refusal(endpoints.add({ accountId, mode: 'live', url, types }))
    expect(await withTypes('message.read', 'message.opened', 'sms')).toBe(
      `Refusal: "message.opened" is no type of event; "sms" is no type of event; there is ${eventTypes.join(', ')}`,
    )
    expect(await withTypes()).toBe('Refusal: Name a type of event, or leave them out for all.')
  })

  it('is one of 20 of its account and mode at most, however many are added at once', async () => {
    const { endpoints } = openEndpoints(newer)
    const accountId = await newAccount()
    const add = (mode: 'live' | 'test') => refusal(endpoints.add({ accountId, mode, url, types: null }))
    const told = await Promise.all(Array.from({ length: 25 }, () => add('live')))
    expect(told.filter((text) => text === 'was done')).toHaveLength(20)
    expect(await add('live')).toBe('Refusal: The account has 20 endpoints for live events, which is the maximum.')
    expect(await add('test')).toBe('was done')
  })

  it('is enabled, disabled and removed once', async () => {
    const { endpoints, runtime } = openEndpoints(newer)
    const { endpoint } = await endpoints.add({ accountId: await newAccount(), mode: 'live', url, types: null })
    const { id } = endpoint
    expect(await refusal(endpoints.enable(endpoint))).toBe(`Refusal: The endpoint ${id} is enabled already.`)
    await endpoints.disable(endpoint)
    expect(await endpoints.require(id)).toMatchObject({ disabledAt: runtime.now(), disabledReason: 'manual' })
    expect(await refusal(endpoints.disable(endpoint))).toBe(`Refusal: The endpoint ${id} is disabled already.`)
    await endpoints.enable(endpoint)
    expect(await endpoints.require(id)).toMatchObject({ disabledAt: null, disabledReason: null })
    await endpoints.remove(endpoint)
    const gone = `Refusal: There is no endpoint ${id}.`
    const asked = [endpoints.remove, endpoints.enable, endpoints.disable, endpoints.rotate]
    for (const ask of asked) expect(await refusal(ask(endpoint))).toBe(gone)
    expect(await refusal(endpoints.require(id))).toBe(gone)
  })

  it('is disabled after five days of nothing but failures, ten at least', async () => {
    const { endpoints, runtime } = openEndpoints(newer)
    const { endpoint } = await endpoints.add({ accountId: await newAccount(), mode: 'live', url, types: null })
    const told = []
    for (let hour = 0; hour < 9; hour++) {
      told.push(...(await fail()))
      runtime.advance(hourSeconds)
    }
    runtime.advance(111 * hourSeconds - 1)
    told.push(...(await fail()))
    expect(told).toEqual([])
    runtime.advance(1)
    expect(await fail()).toMatchObject([{ id: endpoint.id, reason: 'failing' }])

    function fail() {
      const { accountId, id } = endpoint
      const outcome = { accountId, id, at: runtime.now(), result: 'failed', pace: 'slow' } as const
      return commit.transaction((tx) => endpoints.recordOutcomes(tx, [outcome]))
    }
  })
})

describe('a rotation', () => {
  it('makes a secret that signs at once, and the old one signs too for 24 hours', async () => {
    const { endpoints, runtime } = openEndpoints(newer)
    const { endpoint, secret: first } = await endpoints.add({
      ...{ accountId: await newAccount(), mode: 'live', url, types: null },
    })
    const { secret: second, oldEndsAt } = await endpoints.rotate(endpoint)
    expect(oldEndsAt.getTime() - runtime.now().getTime()).toBe(24 * hourSeconds * 1000)
    const secretsNow = async () => endpoints.openSecrets(await endpoints.require(endpoint.id))
    expect(await secretsNow()).toEqual([second, first])

    const seconds = Math.floor(runtime.now().getTime() / 1000)
    const signature = signatureOf({ id: 'evt_1', timestamp: seconds, body: '{}' }, await secretsNow())
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': `${seconds}`, 'webhook-signature': signature }
    for (const one of [first, second]) expect(verifySignature(headers, '{}', [one], runtime.now())).toBe(true)

    runtime.advance(24 * hourSeconds - 1)
    expect(await secretsNow()).toEqual([second, first])
    runtime.advance(1)
    expect(await secretsNow()).toEqual([second])
  })

  it('after another one leaves each its own 24 hours, and no more than five sign', async () => {
    const { endpoints, runtime } = openEndpoints(newer)
    const added = await endpoints.add({ accountId: await newAccount(), mode: 'live', url, types: null })
    const made = [added.secret]
    const secretsNow = async () => endpoints.openSecrets(await endpoints.require(added.endpoint.id))
    for (let hour = 0; hour < 5; hour++) {
      made.unshift((await endpoints.rotate(added.endpoint)).secret)
      expect(await secretsNow()).toEqual(made.slice(0, 5))
      runtime.advance(hourSeconds)
    }
    runtime.advance(20 * hourSeconds)
    expect(await secretsNow()).toEqual(made.slice(0, 4))
    runtime.advance(3 * hourSeconds)
    expect(await secretsNow()).toEqual(made.slice(0, 1))
  })

  it('loses none of many that come at once', async () => {
    const { endpoints } = openEndpoints(newer)
    const { endpoint, secret } = await endpoints.add({
      ...{ accountId: await newAccount(), mode: 'live', url, types: null },
    })
    const made = await Promise.all(Array.from({ length: 4 }, () => endpoints.rotate(endpoint)))
    const all = endpoints.openSecrets(await endpoints.require(endpoint.id))
    expect(all.toSorted()).toEqual([secret, ...made.map((one) => one.secret)].toSorted())
  })
})

describe('the secret of the service', () => {
  it('seals anew what an older one has sealed, and names what none opens', async () => {
    await test.sql`delete from endpoint`
    const input = { accountId: await newAccount(), mode: 'live', url, types: null } as const
    const [before, both, after] = [openEndpoints(older), openEndpoints(newer, older), openEndpoints(newer)]
    const { endpoint, secret } = await before.endpoints.add(input)
    const lost = await openEndpoints('a secret that nobody holds any more').endpoints.add(input)
    expect(await both.endpoints.reseal()).toEqual({
      ...{ resealed: 1, unreadable: [{ accountId: input.accountId, id: lost.endpoint.id }] },
    })
    expect(after.endpoints.openSecrets(await after.endpoints.require(endpoint.id))).toEqual([secret])
    expect(await both.endpoints.reseal()).toMatchObject({ resealed: 0 })

    expect(after.endpoints.openSecrets(await after.endpoints.require(lost.endpoint.id))).toEqual([])
    const { secret: anew } = await after.endpoints.rotate(lost.endpoint)
    expect(after.endpoints.openSecrets(await after.endpoints.require(lost.endpoint.id))).toEqual([anew])
    expect(await after.endpoints.reseal()).toEqual({ resealed: 0, unreadable: [] })
  })

  it('is asked for where it is not known and something is to be sealed', async () => {
    const endpoints = endpointsWith(undefined, testRuntime())
    const input = { accountId: await newAccount(), mode: 'live', url, types: null } as const
    expect(await refusal(endpoints.add(input))).toContain('set WATCHWORD_SECRET')
    expect(await endpoints.list()).toBeInstanceOf(Array)
  })
})
