/** The token that ends the address of a connection's reports: whose it is, and when it is another one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { commitOptions } from '../../../src/app/admin.ts'
import { createActCommit } from '../../../src/domain/access/act.ts'
import type { Role } from '../../../src/domain/access/actor.ts'
import { createSecrets } from '../../../src/domain/access/secret.ts'
import { createConnections } from '../../../src/domain/channels/connection.ts'
import { createConnectionEdits } from '../../../src/domain/channels/connectionEdit.ts'
import type { ConnectionKinds } from '../../../src/domain/channels/connectionEntry.ts'
import { createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { acting, testOperator } from '../../support/acting.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { person } from '../../support/person.ts'
import { testRuntime } from '../../support/runtime.ts'

const kinds: ConnectionKinds = {
  texts: {
    settings: z.strictObject({ provider: z.string(), from: z.string().optional(), key: z.string() }),
    fields: () => [
      { name: 'provider', title: 'Provider', about: '' },
      { name: 'from', title: 'From', about: '', optional: true },
      { name: 'key', title: 'Key', about: '', secret: true },
    ],
    words: { title: 'Texts', carries: 'all', reports: 'here' },
    // A newer version of a provider's file, by the same provider.
    reporterOf: ({ provider }) => String(provider).split('@')[0],
  },
  plain: { settings: z.strictObject({}), fields: () => [] },
}
const runtime = testRuntime()

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createDatabase()
  database = await connect(test.settings)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const partsWith = (secret: string) => {
  const commit = createActCommit(createCommit(database, commitOptions(database)), { runtime })
  return { commit, secrets: createSecrets([secret]), runtime, kinds, sandboxLive: true }
}
const [own, other] = ['a secret, of enough characters', 'another secret, of enough characters']
const open = (secret = own) => acting(createConnections(partsWith(secret)), testOperator)

let accounts = 0
let accountId: string
beforeEach(async () => {
  accountId = `acct_${++accounts}`
  await test.sql`insert into account (id, name, name_key, created_at)
    values (${accountId}, ${accountId}, ${accountId}, ${runtime.now()})`
})

const entry = { id: 'sms', kind: 'texts', provider: 'acme', key: 'the key' }
const pathNow = async (secret = own) => (await open(secret).list(accountId))[0]?.reportPath

describe('the token in the address of reports', () => {
  it('stays the same while the provider does', async () => {
    expect(await open().apply(accountId, [entry])).toEqual({ changed: ['sms'], removed: [] })
    const path = await pathNow()
    expect(path).toMatch(new RegExp(`^/providers/${accountId}/sms/[\\w-]{22}$`))
    for (const change of [{ from: 'Acme' }, { key: 'a new key' }, { provider: 'acme@2' }, { id: 'sms' }]) {
      expect((await open().apply(accountId, [{ ...entry, ...change }])).readdressed).toBeUndefined()
      expect(await pathNow()).toBe(path)
    }
  })

  it('is another one for another provider, and the person who changes that is told', async () => {
    await open().apply(accountId, [entry])
    const before = await pathNow()
    const applied = await open().apply(accountId, [{ ...entry, provider: 'other' }])
    expect(applied).toEqual({ changed: ['sms'], removed: [], readdressed: ['sms'] })
    expect(await pathNow()).not.toBe(before)
  })

  it('is another one when it could not be opened, and whoever saves the connection is told', async () => {
    await open(other).apply(accountId, [entry])
    const before = await pathNow(other)
    expect(await open().apply(accountId, [entry])).toMatchObject({ changed: ['sms'], readdressed: ['sms'] })
    expect(await pathNow()).not.toBe(before)
    const edits = acting(createConnectionEdits(partsWith(other)), testOperator)
    const { version } = await edits.read(accountId)
    const secrets = { beside: [], dropped: [] }
    const { id: _id, kind: _kind, ...members } = entry
    const changed = await edits.edit(accountId, version, { do: 'change', id: 'sms', entry: members, secrets })
    expect(changed).toMatchObject({ readdressed: ['sms'] })
  })

  it('is rotated, and the rest of the connection stays as it is', async () => {
    await open().apply(accountId, [entry, { id: 'more', kind: 'plain' }])
    const before = await pathNow()
    const path = await open().rotate(accountId, 'sms')
    expect(path).not.toBe(before)
    expect(await pathNow()).toBe(path)
    expect(await open().apply(accountId, [entry, { id: 'more', kind: 'plain' }])).toEqual({ changed: [], removed: [] })
  })

  it('is rotated by owners alone, and only where there is one that can be opened', async () => {
    await open().apply(accountId, [entry, { id: 'more', kind: 'plain' }])
    await expect(open().rotate(accountId, 'none')).rejects.toThrow('There is no channel none.')
    await expect(open().rotate(accountId, 'more')).rejects.toThrow('has no token')
    await expect(open(other).rotate(accountId, 'sms')).rejects.toThrow('another WATCHWORD_SECRET')
    for (const role of ['viewer', 'developer'] as Role[]) {
      const connections = acting(createConnections(partsWith(own)), person(role, accountId))
      await expect(connections.rotate(accountId, 'sms')).rejects.toThrow('This needs the role owner')
    }
  })
})
