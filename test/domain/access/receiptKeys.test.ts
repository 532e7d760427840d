/** The keys of receipts, as those see them who verify receipts: over HTTP, and over an hour. */
import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase } from '../../support/database.ts'
import { testRuntime } from '../../support/runtime.ts'
import { startServer, type TestServer } from '../../support/server.ts'

const config = { publicUrl: 'https://otp.acme.example' }
const hour = 3600
const day = 24 * hour

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config })
})
afterAll(() => server.close())

type Mode = 'live' | 'test'
const pathOf = (mode: Mode) => (mode === 'live' ? '/.well-known/jwks.json' : '/.well-known/jwks-test.json')
const fetchSet = (mode: Mode, init?: RequestInit) => fetch(server.directUrl + pathOf(mode), init)
type KeySet = { keys: Record<string, string>[] }
const keysIn = async (response: Response) => ((await response.json()) as KeySet).keys
const published = async (mode: Mode) => keysIn(await fetchSet(mode))
const kidsOf = async (mode: Mode) => (await published(mode)).map(({ kid }) => kid)
/** The key that signs, and those that signed or will. */
const statesOf = async (mode: Mode) => {
  const rows = (await server.app.receiptKeys.list()).filter((row) => row.mode === mode)
  return Object.fromEntries(rows.map(({ kid, state }) => [kid, state]))
}
const signing = async (mode: Mode) => Object.entries(await statesOf(mode)).find(([, state]) => state === 'signs')?.[0]

describe('the public keys of receipts', () => {
  it('are one that signs and one that waits, for all who ask, and nothing secret is in them', async () => {
    for (const mode of ['live', 'test'] as const) {
      const response = await fetchSet(mode)
      expect(response.headers.get('content-type')).toBe('application/jwk-set+json')
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      const keys = await keysIn(response)
      expect(keys).toHaveLength(2)
      for (const key of keys) {
        expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
        expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' })
      }
      expect(Object.values(await statesOf(mode)).toSorted()).toEqual(['signs', 'waits'])
    }
  })

  it('are named by their thumbprints, as RFC 7638 has them', async () => {
    for (const { kid, crv, kty, x } of await published('live'))
      expect(kid).toBe(hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url'))
  })

  it('of live and of test mode have none in common', async () => {
    const [live, test] = [await kidsOf('live'), await kidsOf('test')]
    expect(live.filter((kid) => test.includes(kid))).toEqual([])
  })

  it('answer HEAD without a body, and nothing but GET and HEAD', async () => {
    const head = await fetchSet('live', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await fetchSet('live', { method: 'POST', body: '{}' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('are the same in another process, and after a restart', async () => {
    const before = await kidsOf('live')
    const other = await startServer({ beside: server, config })
    const found = await keysIn(await fetch(other.directUrl + pathOf('live')))
    await other.close()
    expect(found.map(({ kid }) => kid)).toEqual(before)
  })
})

describe('a rotation', () => {
  it('lets a key sign only when it was published for an hour, and publishes the next', async () => {
    const [first, before] = [await signing('live'), await kidsOf('live')]
    const next = before.find((kid) => kid !== first)!
    await server.advance(hour - 120)
    await server.app.receiptKeys.rotate()
    await server.advance(60)
    expect(await statesOf('live')).toMatchObject({ [first!]: 'signs', [next]: 'waits' })
    const after = await kidsOf('live')
    expect(after).toHaveLength(3)
    expect(after).toEqual(expect.arrayContaining(before))
    await server.advance(60)
    expect(await statesOf('live')).toMatchObject({ [first!]: 'signed', [next]: 'signs' })
  })

  it('at once twice never signs with a key that others may not know yet', async () => {
    const known = new Set(await kidsOf('live'))
    await Promise.all([server.app.receiptKeys.rotate(), server.app.receiptKeys.rotate()])
    expect(known).toContain(await signing('live'))
    await server.advance(60)
    const seen = await kidsOf('live')
    await server.advance(hour - 61)
    expect(known).toContain(await signing('live'))
    await server.advance(1)
    expect(seen).toContain(await signing('live'))
    expect(known).not.toContain(await signing('live'))
  })

  it('leaves what signed before published for a day, and no longer', async () => {
    const old = (await signing('live'))!
    await server.advance(hour)
    await server.app.receiptKeys.rotate()
    await server.advance(day - 1)
    expect(await kidsOf('live')).toContain(old)
    await server.advance(1)
    expect(await kidsOf('live')).not.toContain(old)
    await server.app.receiptKeys.rotate()
    const rows = await server.database!.sql`select kid from receipt_key`
    expect(rows.map(({ kid }) => kid)).not.toContain(old)
  })
})

describe('keys that may have leaked', () => {
  it('are gone at once, and new ones sign', async () => {
    const before = [...(await kidsOf('live')), ...(await kidsOf('test'))]
    await server.app.receiptKeys.rotate(true)
    await server.advance(60)
    const after = [...(await kidsOf('live')), ...(await kidsOf('test'))]
    expect(after).toHaveLength(4)
    expect(after.filter((kid) => before.includes(kid))).toEqual([])
    expect(after).toContain(await signing('live'))
  })
})

describe('the secrets of the service', () => {
  const old = 'a secret for tests of enough characters'
  const start = (secrets: string[]) => startServer({ on: server.database!, config: { ...config, secrets } })

  it('seal the private halves: the database has none in the clear', async () => {
    const rows = await server.database!.sql`select sealed from receipt_key`
    expect(rows.length).toBeGreaterThan(0)
    for (const { sealed } of rows) expect(Buffer.from(sealed).toString('latin1')).not.toContain('"d"')
  })

  it('may be replaced: the keys are sealed anew, and stay the same', async () => {
    await server.advance(60)
    const [kids, secret] = [await kidsOf('live'), 'another secret, which is long enough too']
    await (await start([secret, old])).close()
    const alone = await start([secret])
    const keys = await keysIn(await fetch(alone.directUrl + pathOf('live')))
    await alone.close()
    expect(keys.map(({ kid }) => kid)).toEqual(kids)
    await expect(start(['a third secret, and this one is long as well'])).rejects.toThrow(/receipt keys: \d/)
  })

  it('may be replaced where no receipts are signed any more', async () => {
    const [first, second] = ['another secret, which is long enough too', 'a fourth secret, and long enough as well']
    const silent = (secrets: string[]) => startServer({ on: server.database!, config: { secrets } })
    await (await silent([second, first])).close()
    await (await silent([second])).close()
  })

  it('may be lost: others sign, and after a day nothing is missed', async () => {
    const lost = await createDatabase()
    const begin = (secret: string, secretsMissing: 'refuse' | 'accept' = 'refuse', seconds = 0) => {
      const runtime = testRuntime()
      runtime.advance(seconds)
      const beside = { ...server, database: lost, runtime }
      return startServer({ beside, config: { ...config, secrets: [secret], secretsMissing } })
    }
    const [first, second] = ['the secret that will be lost, of course', 'the secret that comes in its place']
    await (await begin(first)).close()
    await expect(begin(second)).rejects.toThrow(/receipt keys: \d/)
    const after = await begin(second, 'accept', 1)
    const signs = (await after.app.receiptKeys.list()).filter(({ state }) => state === 'signs')
    expect(signs).toHaveLength(2)
    await after.close()
    await (await begin(second, 'accept', day + 1)).close()
    await (await begin(second)).close()
    await lost.drop()
  })
})
