import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { commitOptions } from '../../../src/app/admin.ts'
import { createActCommit } from '../../../src/domain/access/act.ts'
import type { Actor, Role } from '../../../src/domain/access/actor.ts'
import { createSecrets } from '../../../src/domain/access/secret.ts'
import { type Connections, createConnections } from '../../../src/domain/channels/connection.ts'
import { listAudit } from '../../../src/store/access/audit.ts'
import { type Connection, findConnections, noCaps, restConnections } from '../../../src/store/channels/connection.ts'
import { type Commit, createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { type Acting, acting, testOperator } from '../../support/acting.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { kinds } from '../../support/kinds.ts'
import { addPerson, person } from '../../support/person.ts'
import { testRuntime } from '../../support/runtime.ts'

const [older, newer] = ['an older secret, of enough characters', 'a newer secret, of enough characters']
const runtime = testRuntime()
const token = 'EAAG-the-token-of-this-test'

let test: TestDatabase
let database: Database
let commit: Commit
let connections: Acting<Connections>
beforeAll(async () => {
  test = await createDatabase()
  database = await connect(test.settings)
  commit = createCommit(database, commitOptions(database))
  connections = withSecrets(newer)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

function withSecrets(...secrets: string[]): Acting<Connections> {
  return openConnections(secrets, testOperator)
}

/** @param secrets undefined: they are not known */
function openConnections(secrets: string[] | undefined, actor: Actor): Acting<Connections> {
  const known = secrets && createSecrets(secrets)
  return acting(
    createConnections({
      commit: createActCommit(commit, { runtime }),
      secrets: known,
      runtime,
      kinds,
      sandboxLive: true,
    }),
    actor,
  )
}

let accounts = 0
let accountId: string
beforeEach(async () => {
  accounts += 1
  accountId = await newAccount(`acct_${accounts}`)
})

async function newAccount(id: string): Promise<string> {
  await test.sql`insert into account (id, name, name_key, created_at) values (${id}, ${id}, ${id}, ${runtime.now()})`
  return id
}

async function rows(): Promise<Connection[]> {
  return (await findConnections(database.reader, [accountId]))[0]!
}

/** What is said of a list that is refused. */
async function refusal(...list: unknown[]): Promise<string> {
  const before = await rows()
  const said = await connections.apply(accountId, list).then(
    () => 'was applied',
    (error: Error) => `${error.name}: ${error.message}`,
  )
  expect(await rows()).toEqual(before)
  return said
}

const gateway = { id: 'gw', kind: 'gateway', token }
/** What is told of a connection that nothing went through yet. */
const unasked = {
  ...{ rest: undefined, takenAt: null, reportedAt: null, balance: null, words: undefined },
  ...{ reportPath: undefined, missingReports: undefined, day: undefined, ...noCaps },
}

describe('a list', () => {
  it('is kept in its order, and replaces the one before', async () => {
    const first = [
      { ...gateway, countries: ['de', 'FR', 'DE'], failover_seconds: 600 },
      { id: 'sandbox', kind: 'sandbox' },
    ]
    expect(await connections.apply(accountId, first)).toEqual({ changed: ['gw', 'sandbox'], removed: [] })
    expect(await connections.list(accountId)).toEqual([
      {
        ...{ id: 'gw', kind: 'gateway', countries: ['DE', 'FR'], failoverSeconds: 600 },
        ...unasked,
        isForTestKeys: false,
      },
      { id: 'sandbox', kind: 'sandbox', countries: null, failoverSeconds: null, ...unasked, isForTestKeys: true },
    ])
    const second = [{ id: 'other', kind: 'gateway', token }, gateway]
    expect(await connections.apply(accountId, second)).toEqual({ changed: ['other', 'gw'], removed: ['sandbox'] })
    expect((await connections.list(accountId)).map(({ id }) => id)).toEqual(['other', 'gw'])
    expect(await connections.apply(accountId, [])).toEqual({ changed: [], removed: ['other', 'gw'] })
    expect(await connections.list(accountId)).toEqual([])
  })

  it('is that of one account alone', async () => {
    const other = await newAccount('acct_other')
    await connections.apply(other, [gateway])
    await connections.apply(accountId, [{ id: 'gw', kind: 'sandbox' }])
    expect(await connections.list(other)).toMatchObject([{ id: 'gw', kind: 'gateway' }])
    await connections.apply(accountId, [])
    expect(await connections.list(other)).toHaveLength(1)
  })

  it('that two apply at once is that of one of them', async () => {
    const lists = Array.from({ length: 8 }, (_, n) => ['a', 'b', 'c'].map((id) => ({ ...gateway, id: `${id}${n}` })))
    await Promise.all(lists.map((list) => connections.apply(accountId, list)))
    const ids = (await connections.list(accountId)).map(({ id }) => id)
    expect(lists.map((list) => list.map(({ id }) => id))).toContainEqual(ids)
  })

  it('changes the revision of what it changes, and of nothing else', async () => {
    const sender = { name: 'acme' }
    const full = { ...gateway, countries: ['DE'], failover_seconds: 30, sender, app_secret: ['one', 'two'] }
    const last = { id: 'last', kind: 'sandbox' }
    await connections.apply(accountId, [full, last])
    const before = await rows()
    runtime.advance(1)
    expect(await connections.apply(accountId, [{ ...full }, last])).toEqual({ changed: [], removed: [] })
    expect(await rows()).toEqual(before)
    const changes = [
      { countries: ['DE', 'FR'] },
      { countries: undefined },
      { failover_seconds: 31, per_minute: 6 },
      { sender: { name: 'globex' } },
      { per_second: 1 },
      { token: `${token}2` },
      { app_secret: ['two', 'one'] },
      { app_secret: undefined },
    ]
    for (const change of changes) {
      const [revision] = (await rows()).map((row) => row.revision)
      const changed = Object.fromEntries(
        Object.entries({ ...full, ...change }).filter(([, value]) => value !== undefined),
      )
      expect(await connections.apply(accountId, [changed, last])).toEqual({ changed: ['gw'], removed: [] })
      const [first, second] = await rows()
      expect(first!.revision).not.toBe(revision)
      expect(second).toEqual(before[1])
    }
    const { changed } = await connections.apply(accountId, [last, { ...gateway, id: 'gw2' }, full])
    expect(changed).toEqual(['last', 'gw2', 'gw'])
  })

  it('lets what has changed be asked again at once, and what has not rest on', async () => {
    const second = { id: 'second', kind: 'sandbox' }
    await connections.apply(accountId, [gateway, second])
    const until = new Date(runtime.now().getTime() + 60_000)
    const rests = (await rows()).map(({ id, revision }) => ({
      accountId,
      id,
      revision,
      until,
      reason: 'token refused',
    }))
    await commit.transaction((tx) => restConnections(tx, rests))
    const resting = { until, reason: 'token refused' }
    expect(await connections.list(accountId)).toMatchObject([{ rest: resting }, { rest: resting }])
    await connections.apply(accountId, [{ ...gateway, token: 'another token' }, second])
    expect((await connections.list(accountId)).map(({ rest }) => rest)).toEqual([undefined, resting])
    runtime.advance(60)
    expect((await connections.list(accountId)).map(({ rest }) => rest)).toEqual([undefined, undefined])
  })
})

describe('a list with faults', () => {
  it('is refused with all of them at once, each with its place, and changes nothing', async () => {
    await connections.apply(accountId, [gateway])
    const said = await refusal(
      { id: 'Not an id', kind: 'gateway', token },
      { id: 'a', kind: 'pigeon', token },
      { id: 'b', kind: 'gateway', token: 'short', colour: 'blue', sender: {} },
      { id: 'c', kind: 'sandbox', countries: ['DE', 'XX'], failover_seconds: 0 },
      { id: 'd', kind: 'sandbox', countries: [], failover_seconds: 1.5, token },
      'text',
      { kind: 'sandbox' },
      { id: 'a', kind: 'sandbox', failover_seconds: 601 },
      { id: 'sandbox', kind: 'gateway', token },
      { id: 'e' },
      { id: 'f', kind: 'gateway', sender: 'me' },
      { ...gateway, id: 'g', per_minute: 0, per_hour: '100', per_day: 1.5 },
    )
    expect(said.split('; ')).toEqual([
      'Refusal: connection 1, id: must be 1 to 32 lower-case letters, digits and "-", and begin with a letter',
      '"a", kind: must be one of sandbox, gateway',
      '"b", token: must have at least 8 characters',
      '"b", sender.name: is missing',
      '"b", colour: is not known',
      '"c", countries, entry 2: must be a two-letter country code (ISO 3166-1)',
      '"c", failover_seconds: must be whole seconds, 1 to 600',
      '"d", countries: must have a country, or be left out for all',
      '"d", failover_seconds: must be whole seconds, 1 to 600',
      '"d", token: is not known',
      'connection 6: must be a mapping with id and kind',
      'connection 7, id: is missing',
      '"a", failover_seconds: must be whole seconds, 1 to 600',
      '"a", id: is there twice',
      '"sandbox", id: is reserved for a connection of that kind',
      '"e", kind: is missing',
      '"f", token: is missing',
      '"f", sender: must be a mapping',
      ...['per_minute', 'per_hour', 'per_day'].map((name) => `"g", ${name}: must be a whole number, 1 to 1000000`),
    ])
  })

  it.each([[null], [5], [[]], [true]])('is refused when an entry is %j', async (entry) => {
    expect(await refusal(entry)).toBe('Refusal: connection 1: must be a mapping with id and kind')
  })

  it.each(['constructor', '__proto__', 'toString'])('knows neither a kind nor a member %s', async (name) => {
    expect(await refusal({ id: 'a', kind: name })).toContain('must be one of sandbox, gateway')
    const entry = JSON.parse(`{"id": "a", "kind": "sandbox", "${name}": 1}`)
    expect(await refusal(entry)).toBe(`Refusal: "a", ${name}: is not known`)
  })

  it.each(['a\0b', 'a\ud800'])('is refused when a text is none that can be kept: %j', async (text) => {
    expect(await refusal({ ...gateway, sender: { name: text } })).toContain('it holds U+0000 or an unpaired surrogate')
    expect(await refusal({ ...gateway, token: `${token}${text}` })).toContain('holds U+0000')
  })

  it('is refused when it is too long, in a few words', async () => {
    const many = Array.from({ length: 21 }, (_, n) => ({ id: `a${n}`, kind: 'sandbox' }))
    expect(await refusal(...many)).toBe('Refusal: there are 21 connections, and 20 is the most')
    expect(await connections.apply(accountId, many.slice(1))).toMatchObject({ removed: [] })
    const wrong = Array.from({ length: 3000 }, () => ({ id: 'x'.repeat(5000), kind: {}, ['y'.repeat(5000)]: 1 }))
    const said = await refusal(...wrong)
    // No more of them are read than may be there.
    expect(said).toContain('connection 20, id')
    expect(said).not.toContain('connection 21')
    expect(said.length).toBeLessThan(20_000)
  })

  it('names what is missing in place of what is wrong for that', async () => {
    const list = [{ ...gateway, token: '', app_secret: ['', 5] }, gateway]
    const missing = [
      { path: [0, 'token'], fault: 'TOKEN is not set' },
      { path: [0, 'app_secret', 0], fault: 'SECRET is not set' },
    ]
    await expect(connections.apply(accountId, list, missing)).rejects.toThrow(
      /^"gw", token: TOKEN is not set; "gw", app_secret, entry 1: SECRET is not set; "gw", app_secret, entry 2: must be a text; "gw", id: is there twice$/,
    )
    await expect(connections.apply(accountId, [{ ...gateway }], missing.slice(0, 1))).rejects.toThrow(
      'TOKEN is not set',
    )
  })
})

describe('a secret', () => {
  const secretsOfList = [token, 'the-first-app-secret', 'the-second-app-secret']
  const list = [{ ...gateway, app_secret: secretsOfList.slice(1), sender: { name: 'acme' } }]

  it('is nowhere in the database, nor in what is listed or refused', async () => {
    await connections.apply(accountId, list)
    const dump =
      await test.sql`select row_to_json(c)::text as row, encode(sealed, 'escape') as sealed from connection c`
    const audits = await test.sql`select a::text as row from audit a`
    const shown = JSON.stringify([dump, audits, await connections.list(accountId)])
    expect(shown).toContain('acme')
    const refusals = await Promise.all(
      secretsOfList.flatMap((secret) => [
        refusal({
          id: `${secret}!`,
          kind: secret,
          token: { token: secret },
          countries: [secret],
          failover_seconds: secret,
        }),
        refusal({ ...gateway, token: [secret], sender: secret, per_second: secret, app_secret: { secret } }),
        refusal(secret),
      ]),
    )
    for (const secret of secretsOfList) {
      for (const text of [shown, ...refusals]) {
        expect(text).not.toContain(secret)
        expect(text).not.toContain(Buffer.from(secret).toString('hex'))
      }
    }
  })

  it('is opened with the settings, for its own connection alone', async () => {
    await connections.apply(accountId, list)
    const [row] = await rows()
    const settings = { token, app_secret: secretsOfList.slice(1), sender: { name: 'acme' } }
    expect(connections.open(row!)).toEqual({ settings })
    const unusable = { unusable: 'its secrets were encrypted with another WATCHWORD_SECRET: apply it again' }
    expect(connections.open({ ...row!, id: 'gw2' })).toEqual(unusable)
    expect(connections.open({ ...row!, accountId: 'acct_default' })).toEqual(unusable)
    expect(withSecrets(older).open(row!)).toEqual(unusable)
  })

  it('is not asked for where there is none', async () => {
    await connections.apply(accountId, [{ id: 'a', kind: 'sandbox' }])
    const [row] = await rows()
    expect(row!.sealed).toBeNull()
    expect(withSecrets(older).open(row!)).toEqual({ settings: {} })
  })

  it('cannot be sealed or opened where the secret of the service is not known', async () => {
    await connections.apply(accountId, list)
    const ignorant = openConnections(undefined, testOperator)
    await expect(ignorant.apply(accountId, list)).rejects.toThrow(
      'set WATCHWORD_SECRET to the same value as the service',
    )
    const [row] = await rows()
    expect(ignorant.open(row!)).toEqual({ unusable: expect.stringContaining('set WATCHWORD_SECRET') })
    expect(await ignorant.list(accountId)).toHaveLength(1)
  })
})

describe('a new secret of the service', () => {
  it('seals anew what older ones have sealed, so that they can go', async () => {
    await connections.reseal()
    const list = Array.from({ length: 20 }, (_, n) => ({ ...gateway, id: `gw${n}`, token: `${token}-${n}` }))
    const others = await Promise.all(Array.from({ length: 7 }, (_, n) => newAccount(`acct_reseal_${n}`)))
    for (const other of [...others, accountId]) await withSecrets(older).apply(other, list)
    const before = await rows()
    const both = [withSecrets(newer, older), withSecrets(newer, older)]
    const done = await Promise.all(both.map(({ reseal }) => reseal()))
    expect(done.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(160)
    expect(done.flatMap(({ unreadable }) => unreadable)).toEqual([])
    expect(await both[0]!.reseal()).toEqual({ resealed: 0, unreadable: [] })

    const after = await rows()
    const settings = list.map(({ token }) => ({ settings: { token } }))
    expect(after.map((row) => withSecrets(newer).open(row))).toEqual(settings)
    expect(after.map(({ sealed: _, ...row }) => row)).toEqual(before.map(({ sealed: _, ...row }) => row))
    // What is the same is the same, whatever it was sealed under.
    expect(await both[0]!.apply(accountId, list)).toEqual({ changed: [], removed: [] })
  })

  it('is told which none of the secrets opens, and leaves them; applied again they are good', async () => {
    await withSecrets(older).apply(accountId, [gateway, { ...gateway, id: 'gw2' }])
    const before = await rows()
    const { unreadable } = await connections.reseal()
    expect(unreadable).toEqual(['gw', 'gw2'].map((id) => ({ accountId, id })))
    expect(await rows()).toEqual(before)
    expect(await connections.apply(accountId, [gateway])).toEqual({ changed: ['gw'], removed: ['gw2'] })
    expect(connections.open((await rows())[0]!)).toEqual({ settings: { token } })
    expect((await connections.reseal()).unreadable).toEqual([])
  })
})

describe('an account with live keys', () => {
  it('is named with what it still has of a kind', async () => {
    await test.sql`insert into api_key (account_id, id, name, mode, scopes, hash, hint, created_at)
      values (${accountId}, 'key_1', '', 'live', '{}', '', '', ${runtime.now()})`
    await connections.apply(accountId, [gateway, { id: 'trial', kind: 'sandbox' }])
    expect(await connections.inLiveUse('sandbox')).toContainEqual({ account: accountId, connection: 'trial' })
    await connections.apply(accountId, [gateway])
    expect((await connections.inLiveUse('sandbox')).map(({ account }) => account)).not.toContain(accountId)
  })
})

describe('who may', () => {
  const as = (role: Role, own = accountId) => openConnections([newer], person(role, own))
  beforeEach(() => addPerson(test, person('owner', accountId)))

  it('apply a list is an owner; everybody of the account sees it, and nobody of another one', async () => {
    for (const role of ['viewer', 'developer'] as const) {
      await expect(as(role).apply(accountId, [gateway])).rejects.toThrow('This needs the role owner.')
    }
    await expect(as('owner', 'acct_other').apply(accountId, [gateway])).rejects.toThrow('This needs the role owner.')
    await as('owner').apply(accountId, [gateway])
    expect(await as('viewer').list(accountId)).toMatchObject([{ id: 'gw' }])
    expect(await as('owner', 'acct_other').list(accountId)).toEqual([])
  })

  it('is written down with the ids, once for what is done twice, and with no secret', async () => {
    await as('owner').apply(accountId, [gateway, { id: 'sandbox', kind: 'sandbox' }])
    await as('owner').apply(accountId, [gateway, { id: 'sandbox', kind: 'sandbox' }])
    await as('owner').apply(accountId, [gateway])
    const noted = await listAudit(database.reader, accountId, { before: undefined, count: 10 })
    expect(noted.map(({ act }) => act)).toEqual(['channels.applied', 'channels.applied'])
    // Of one moment, they are in any order.
    expect(noted.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining([
        { ids: ['gw', 'sandbox'], changed: ['gw', 'sandbox'], removed: [] },
        { ids: ['gw'], changed: [], removed: ['sandbox'] },
      ]),
    )
    expect(JSON.stringify(noted)).not.toContain(token)
  })
})
