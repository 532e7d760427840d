/** Where the names of connections lead when they are saved: DNS is that of the test. */
import type { LookupAddress } from 'node:dns'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { commitOptions } from '../../../src/app/admin.ts'
import { createKinds } from '../../../src/delivery/channels/kinds.ts'
import { createActCommit } from '../../../src/domain/access/act.ts'
import { createSecrets } from '../../../src/domain/access/secret.ts'
import { type Connections, createConnections } from '../../../src/domain/channels/connection.ts'
import { type ConnectionEdits, createConnectionEdits } from '../../../src/domain/channels/connectionEdit.ts'
import { createAddressGuard, type GuardParts } from '../../../src/outbound/address.ts'
import { createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { acme } from '../../delivery/channels/sms/acme.ts'
import { type Acting, acting, testOperator } from '../../support/acting.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { addPerson, person } from '../../support/person.ts'
import { testRuntime } from '../../support/runtime.ts'

const runtime = testRuntime()
const closed = 'this address is not allowed'

const addresses: Record<string, string[]> = {
  'public.example': ['93.184.215.14'],
  'home.example': ['10.0.0.5'],
  'metadata.example': ['169.254.169.254'],
  'mixed.example': ['93.184.215.14', '169.254.169.254'],
}
let asked: string[] = []
async function lookup(name: string): Promise<LookupAddress[]> {
  asked.push(name)
  const found = addresses[name]
  if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  return found.map((address) => ({ address, family: 4 }))
}

const entries: Record<string, { path: string; entry: (host: string) => Record<string, unknown> }> = {
  whatsapp: {
    path: 'base_url',
    entry: (host) => ({
      ...{ id: 'new', kind: 'whatsapp', phone_number_id: '106540352242922', business_account_id: '102290129340398' },
      ...{ access_token: 'token', app_secret: 'app', verify_token: 'verify' },
      code_template: { name: 'codes', language: 'en' },
      base_url: `https://${host}`,
    }),
  },
  telegram: { path: 'base_url', entry: telegram },
  'a provider that ships': {
    path: 'base_url',
    entry: (host) => ({
      ...{ id: 'new', kind: 'sms', provider: 'twilio', account_sid: `AC${'0'.repeat(32)}`, auth_token: 'word' },
      ...{ from: 'Acme', base_url: `https://${host}` },
    }),
  },
  'a provider file': {
    path: 'provider_file',
    entry: (host) => ({
      ...{ id: 'new', kind: 'sms', provider: './acme.yaml', api_key: 'word', from: 'Acme' },
      provider_file: acme.replaceAll('api.acme.example', host),
    }),
  },
  gateway: {
    path: 'url',
    entry: (host) => ({
      ...{ id: 'new', kind: 'http', url: `https://${host}/send` },
      secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    }),
  },
}

let test: TestDatabase
let database: Database
let accounts = 0
let accountId: string
let operator: Acting<Connections>
let owner: Acting<ConnectionEdits>
beforeAll(async () => {
  test = await createDatabase()
  database = await connect(test.settings)
})
beforeEach(async () => {
  accountId = `acct_${++accounts}`
  await test.sql`insert into account (id, name, name_key, created_at)
    values (${accountId}, ${accountId}, ${accountId}, ${runtime.now()})`
  await addPerson(test, person('owner', accountId))
  ;[operator, owner] = savedWith()
  asked = []
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

function savedWith(more: GuardParts = {}): [typeof operator, typeof owner] {
  const commit = createCommit(database, commitOptions(database))
  const guards = (parts: GuardParts) => {
    const given = { lookup, ...parts, ...more }
    return { strict: createAddressGuard(given), plain: createAddressGuard({ ...given, allowHttp: true }) }
  }
  const kinds = createKinds(guards({ allowOwnNetworks: true }), guards({}))
  const secrets = createSecrets(['a secret of enough characters for this'])
  const parts = { commit: createActCommit(commit, { runtime }), secrets, runtime, kinds, sandboxLive: true }
  return [
    acting(createConnections(parts), testOperator),
    acting(createConnectionEdits(parts), person('owner', accountId)),
  ]
}

const applied = (...list: unknown[]) =>
  operator.apply(accountId, list).then(
    () => 'saved',
    (error: Error) => error.message,
  )

async function entered(entry: Record<string, unknown>): Promise<unknown> {
  const { version } = await owner.read(accountId)
  return owner.edit(accountId, version, { do: 'add', entry, before: undefined }).then(
    () => 'saved',
    (error: { faults: unknown }) => error.faults,
  )
}

describe.each(Object.entries(entries))('a connection by a name: %s', (_name, { path, entry }) => {
  it('is refused when it is applied while the name stands for a closed network, or is not found', async () => {
    for (const host of ['metadata.example', 'mixed.example']) {
      expect(await applied(entry(host))).toBe(`"new", ${path}: ${closed}`)
    }
    expect(await applied(entry('missing.example'))).toBe(`"new", ${path}: this host name is not found`)
    expect(await operator.list(accountId)).toEqual([])
    expect(await applied(entry('home.example'))).toBe('saved')
  })

  it('is refused in the dashboard also where the operator may lead it, at the field that says it', async () => {
    for (const host of ['home.example', 'metadata.example']) {
      expect(await entered(entry(host))).toEqual([{ path: [path], fault: closed }])
    }
    expect(await entered(entry('missing.example'))).toEqual([{ path: [path], fault: 'this host name is not found' }])
    expect(await operator.list(accountId)).toEqual([])
    expect(await entered(entry('public.example'))).toBe('saved')
  })
})

describe('the names of connections', () => {
  it('are looked up only where something leads to a new place', async () => {
    const list = [telegram('public.example'), { ...telegram('home.example'), id: 'other' }]
    expect(await applied(...list)).toBe('saved')
    asked = []
    const { 'public.example': before } = addresses
    delete addresses['public.example']
    expect(await applied({ ...list[0], sender_username: 'acme_codes' }, list[1])).toBe('saved')
    expect(await applied(list[1], list[0])).toBe('saved')
    expect(asked).toEqual([])
    expect(await applied(list[1], telegram('missing.example'))).toBe('"new", base_url: this host name is not found')
    expect(asked).toEqual(['missing.example'])
    addresses['public.example'] = before!
  })

  it('are not looked up where a provider is asked at its own address', async () => {
    const { base_url: _own, ...standard } = telegram('')
    expect(await applied(standard)).toBe('saved')
    expect(asked).toEqual([])
  })

  it('that are entered are judged again when the operator applies them, and the other way round', async () => {
    expect(await applied(telegram('home.example'))).toBe('saved')
    const { version } = await owner.read(accountId)
    const entry = telegram('metadata.example')
    const edit = { do: 'change' as const, id: 'new', entry, secrets: { beside: [], dropped: [] } }
    await expect(owner.edit(accountId, version, edit)).rejects.toMatchObject({
      faults: [{ path: ['base_url'], fault: closed }],
    })
  })

  it('are said in one sentence each, of all that are wrong', async () => {
    const list = [telegram('metadata.example'), { ...telegram('missing.example'), id: 'other' }]
    const said = await applied(...list)
    expect(said).toContain(`"new", base_url: ${closed}`)
    expect(said).toContain('"other", base_url: this host name is not found')
  })

  it('behind a forward proxy are judged as they are written: the proxy looks them up', async () => {
    ;[operator, owner] = savedWith({ proxy: { https: 'http://proxy.example:3128', except: [] } })
    expect(await applied(telegram('metadata.example'))).toBe('saved')
    expect(await applied(telegram('localhost'))).toContain(closed)
    expect(asked).toEqual([])
  })
})

function telegram(host: string): Record<string, unknown> {
  return { id: 'new', kind: 'telegram', access_token: 'a-token-of-this-test', base_url: `https://${host}` }
}
