/**
 * Every statement that the service sends finds its rows by key, whatever is in the tables and whether or not they were ever
 * analysed: each is planned once for a connection, and a plan that was good on empty tables must be good on full ones.
 * `PLAN_ROWS=300000` fills more into them.
 */
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { commitOptions } from '../../src/app/admin.ts'
import { createCompanies } from '../../src/domain/people/company.ts'
import type { SignedIn } from '../../src/domain/people/userSession.ts'
import { createCommit } from '../../src/store/engine/commit.ts'
import { connect } from '../../src/store/engine/connect.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { PreparingClient } from '../../src/store/engine/postgres/pool.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { fill, part, tables } from '../support/filledTables.ts'
import { listenTo } from '../support/listening.ts'
import { enrol, from, type Joined, join, type People, password, peopleOn, signIn } from '../support/people.ts'
import { personOf } from '../support/person.ts'
import { type Plan, planOf } from '../support/plan.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { getAsTwilio } from '../support/twilio.ts'

/** What `read` and `write` make of the texts in the store. */
const made = vi.hoisted(() => new Set<string>())
vi.mock('../../src/store/engine/session.ts', async (original) => {
  const session = await original<typeof import('../../src/store/engine/session.ts')>()
  const noted = (make: (text: string) => unknown) => (text: string) => {
    made.add(text)
    return make(text)
  }
  return { ...session, read: noted(session.read), write: noted(session.write) }
})

const counts = [0, 1000, 30_000, ...(process.env.PLAN_ROWS ? [Number(process.env.PLAN_ROWS)] : [])]

const sent = new Set<string>()
beforeAll(async () => {
  const send = PreparingClient.prototype.query as (this: unknown, ...given: unknown[]) => never
  const spy = vi.spyOn(PreparingClient.prototype, 'query').mockImplementation(function (this: unknown, ...given) {
    const [query] = given as [string | { text: string }]
    sent.add(typeof query === 'string' ? query : query.text)
    return send.apply(this, given)
  })
  await useEverything()
  spy.mockRestore()
}, 120_000)

/** Of each index of the tables and of their parts: its name in the table, where it has one, and its last column. */
let indexes: Map<string, { name: string; lastColumn: string }>
/** The table that each part is of, and each table. */
let tableOf: Map<string, string>

describe.each(counts)('with %i rows in each table', (count) => {
  let database: TestDatabase
  let opened: Database
  beforeAll(async () => {
    database = await createDatabase()
    await part(database)
    await fill(database, count)
    opened = await connect(database.settings)
    await readCatalogue(database)
  }, 120_000)
  afterAll(async () => {
    await opened.close()
    await database.drop()
  })

  /** What is wrong with the plans of all statements, as they are made on a connection of the service. */
  async function faults(): Promise<string[]> {
    const found = statements().map(async (text) => {
      return findFaults(await planOf(opened, text), text).map(
        (fault) => `${fault}: ${text.replace(/\s+/g, ' ').trim()}`,
      )
    })
    return (await Promise.all(found)).flat()
  }

  it('that was never analyzed, each statement finds its rows by key', async () => {
    expect(await faults()).toEqual([])
  })

  it('that were analysed, each statement finds its rows by key', async () => {
    await database.sql`analyze`
    // Of a table that is known to be empty all of an index is no more than a part of it, until it is analysed again, which the
    // sweep sees to. What judges and counts sends must not: it has tens of milliseconds, and all wait for it.
    const isEmpty = / with no condition: /
    const ofSends = /\bprotection_count\b|insert into protection_finding\b|reads message_.*update budget_day\b/
    const isKnown = (fault: string) => count === 0 && isEmpty.test(fault) && !ofSends.test(fault)
    expect((await faults()).filter((fault) => !isKnown(fault))).toEqual([])
  })
})

it('the service sends statements on each of the tables, and most of them are its own', () => {
  const all = statements()
  for (const table of tables) expect(all.filter((text) => text.includes(table)).length).toBeGreaterThan(1)
  expect(all.filter((text) => made.has(text)).length).toBeGreaterThan(20)
})

it.each([
  ['reads all of message', 'select * from message where kind = $1'],
  ['reads message_account_id_id_pk with (account_id = $1)', 'select id from message where account_id = $1 order by id'],
])('a plan that %s is told', async (fault, text) => {
  const database = await createDatabase()
  await readCatalogue(database)
  const opened = await connect(database.settings)
  expect(findFaults(await planOf(opened, text), text)).toEqual([fault])
  await opened.close()
  await database.drop()
})

/**
 * Those on the tables; but for two that have all keys to read, for operators and while strangers try one after another, and one that
 * forgets a phone: what rules found is some rows an hour, and seldom looked through.
 */
function statements(): string[] {
  const ours = new RegExp(`\\b(${tables.join('|')})(_default)?\\b`)
  const readsAllKeys = /^\s*select\b.*\bfrom (api_key k join account a|\(select hash from api_key )/is
  const forgets = /^\s*update protection_finding f set phones = array/
  return [...new Set([...made, ...sent])].filter(
    (text) =>
      /^\s*(with|select|insert|update|delete)\b/i.test(text) &&
      ours.test(text) &&
      ![readsAllKeys, forgets].some((known) => known.test(text)),
  )
}

/** Indexes of which a shorter beginning is enough: few rows have it in common. */
const shortKeys: Record<string, string> = {
  message_phone: 'phone',
  sandbox_message_phone: 'phone',
  connection_account_id_id_pk: 'account_id',
  figure_account_id_mode_grain_at_kind_connection_country_pk: 'at',
  figure_at: 'at',
  spend_account_id_mode_grain_at_connection_country_currency_pk: 'at',
  spend_at: 'at',
  protection_count_key_slot_part_pk: 'slot',
  protection_finding_account_id_mode_hour_rule_did_part_pk: 'hour',
}

function findFaults(plan: Plan, text: string, above?: Plan): string[] {
  const { 'Node Type': node, 'Relation Name': relation = '', 'Index Cond': condition } = plan
  // The parts of a table, one after another or side by side.
  const isOfParts = node === 'Append' || node === 'Merge Append'
  const below = plan.Plans?.flatMap((part) => findFaults(part, text, isOfParts ? above : plan)) ?? []
  const table = tableOf.get(relation)
  if (node === 'Seq Scan' && table) return [`reads all of ${table}`, ...below]
  const { name: index, lastColumn } = indexes.get(plan['Index Name'] ?? '') ?? {}
  const key = index && (shortKeys[index] ?? lastColumn)
  // A claim is planned again each time: it reads all jobs of a queue while they are few.
  const isClaim = /\bnext AS\b.*\bskip locked\b/is.test(text) && condition?.includes('name = ')
  // From one key to the next that there is: one row of an index.
  const isStep = above?.['Node Type'] === 'Limit' && /^\(ROW\(.*\) > ROW\(.*\)\)$/.test(condition ?? '')
  // Before PostgreSQL 17, pg-boss' own completion does the same until they are counted, which is soon: they come and go.
  const isCompletion = inject('postgresMajor') < 17 && /'completed'/.test(text) && index === 'pgboss.job_pkey'
  if (!key || isClaim || isCompletion || isStep || new RegExp(`\\b${key}\\b`).test(condition ?? '')) return below
  return [`reads ${index} with ${condition ?? 'no condition'}`, ...below]
}

async function readCatalogue({ sql: beside }: TestDatabase): Promise<void> {
  const found = await beside<{ table: string; part: string; index: string; name: string; column: string }[]>`
    select coalesce(pg_partition_root(t.oid), t.oid)::regclass::text as table, t.relname as part, c.relname as index,
      coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name, a.attname as column
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indnkeyatts`
  const ours = found.filter(({ table }) => tables.includes(table.replace('pgboss.', '')))
  indexes = new Map(ours.map(({ index, name, column }) => [index, { name, lastColumn: column }]))
  tableOf = new Map(ours.map(({ part, table }) => [part, table]))
}

async function useEndpoints({ app }: Awaited<ReturnType<typeof startServer>>, accountId: string): Promise<void> {
  const { endpoints } = app
  const { endpoint } = await endpoints.add({ accountId, mode: 'live', url: 'http://127.0.0.1:9/', types: null })
  await endpoints.list()
  await endpoints.test(await endpoints.require(endpoint.id))
  const [line] = await endpoints.deliveries(endpoint, 10)
  await endpoints.delivery(endpoint, line!.eventId)
  for (const state of [undefined, 'due', 'held'] as const) {
    await endpoints.page(endpoint, { state, after: undefined, count: 1 })
  }
  await endpoints.counts([endpoint])
  await endpoints.reveal(endpoint)
  await endpoints.rotate(endpoint)
  await endpoints.disable(endpoint)
  await endpoints.enable(endpoint)
  await endpoints.replay(endpoint, { since: new Date(0) })
  await endpoints.reseal()
  await endpoints.remove(endpoint)
}

/** What callers, operators, the worker and time can make the service do. */
async function useEverything(): Promise<void> {
  const server = await startServer({ config: { testMessagesMax: 1, twilioVerify: true } })
  const { live, test, app } = server
  const phone = newPhone()
  const once = (key: string) => ({ 'Idempotency-Key': key })
  const notification = { phone, template: 'welcome', variables: { name: 'Ada' } }
  const first = await live.send(phone)
  await live.post('/v1/verify/send', { phone })
  await live.post('/v1/verify/send', { phone: newPhone() }, once('send'))
  await live.post('/v1/verify/send', { phone: newPhone() }, once('send'))
  await live.post('/v1/verify/send', { phone }, once('refused'))
  const id = await test.send(phone)
  for (const key of ['one', 'two']) await test.post('/v1/verify/send', { phone }, once(key))
  for (const code of ['111111', '000000', '000000']) await test.check(id, code)
  for (let sent = 0; sent < 61; sent++) await live.post('/v1/notifications/send', notification)
  await Promise.all([live.status(first), getAsTwilio(server, first, phone)])
  await server.work()
  await server.phone(phone)
  server.runtime.advance(601)
  await server.work()
  const retried = await live.send('+14155550150')
  await server.work()
  const { sql: beside } = server.database!
  const abandoned = beside.json({ messages: [{ accountId: 'acct_default', id: retried }] })
  await beside`insert into pgboss.job (name, data, policy) values ('abandoned', ${abandoned}, 'standard')`
  await beside`insert into pgboss.job (name, policy) values ('purge', 'standard')`
  await server.work()
  const { id: keyId } = await server.newKey()
  await app.apiKeys.revoke((await app.apiKeys.roll(keyId, 60)).row.id)
  await app.apiKeys.list()
  const { id: accountId } = await app.accounts.create('another')
  await Promise.all([app.accounts.list(), app.accounts.require('another')])
  await useEndpoints(server, accountId)
  await app.templates.apply(accountId, [{ slug: 'a', text: 'b' }])
  for (const asked of [app.templates.list(accountId), app.wordings.apply(accountId, { texts: {} })]) await asked
  await app.templates.find(accountId, 'a')
  await app.templates.sentLast(accountId)
  await app.templates.remove(accountId, 'a')
  await app.connections.apply(accountId, [{ id: 'sandbox', kind: 'sandbox' }])
  await app.connections.apply(accountId, [{ id: 'other', kind: 'sandbox' }])
  await app.connections.list(accountId)
  await app.countingLoop.runOnce()
  await app.figures.overview({ accountId: 'acct_default', mode: 'live' }, '7d')
  await app.troubles.find({ accountId: 'acct_default', mode: 'live' })
  server.runtime.advance(3 * 3600)
  await app.countingLoop.runOnce()
  await beside`insert into pgboss.job (name, policy) values ('test-mode', 'standard')`
  await server.work()
  await useEvents(server)
  await usePages(server, first, phone)
  await usePeople(server)
  await app.forget(phone)
  await server.close()
}

/** What people look at. */
async function usePages({ app, query }: TestServer, id: string, phone: string): Promise<void> {
  await app.history(id)
  const owner = app.as(await personOf({ query }, 'owner'))
  await owner.history(id)
  for (const search of [{}, { id }, { phone }, { before: id }, { phone, before: id }]) {
    await owner.searchMessages('acct_default', { limit: 50, ...search })
  }
  await owner.sandboxPhones.list('acct_default')
  await owner.sandboxPhones.texts('acct_default', phone)
  await owner.forget(phone)
}

/** Who comes in and how, what people do to each other, and what is written down of it. */
async function usePeople({ app, database, runtime }: TestServer): Promise<void> {
  const opened = await connect(database!.settings)
  const commit = createCommit(opened, commitOptions(opened))
  const people = peopleOn(commit, { runtime })
  const accountId = 'acct_default'
  const companies = createCompanies({ commit, runtime, account: 'default' })
  for (const email of [null, 'first@example.com']) await people.firstInvitations.ensure(accountId, email)
  const ada = await join(commit, people, { accountId })
  const bob = await join(commit, people, { accountId, role: 'viewer', name: 'Bob' })
  const identity = { issuer: 'i', subject: 's', name: 'Eve', email: 'eve@example.com', isEmailVerified: true }
  for (const role of ['viewer', 'developer'] as const)
    await companies.enter({ ...identity, role, provedAt: undefined }, from)
  for (const text of ['not the right one', password]) await signIn(people, bob.email, text)
  await people.signIns.prove(bob.of, password)
  const again = await signIn(people, bob.email)
  const { recovery } = await enrol(people, (await people.find(again.token!))!)
  const pending = await signIn(people, bob.email)
  await people.signIns.confirm((await people.pending(pending.token!))!, recovery[0]!)
  await people.authenticators.reseal()
  const { users, invitations } = people.as(ada.of)
  await users.rename(ada.of, 'Ada')
  const changed = await users.changePassword(ada.of, `${password} again`)
  runtime.advance(61)
  const of = (await people.find(changed))!
  await people.sessions.list(of)
  await people.sessions.endOthers(of)
  await useLinks(people, of, bob)
  await users.setRole(bob.user, 'developer')
  await users.signOut(bob.user)
  await users.removeAuthenticator(bob.user)
  await users.disable(bob.user)
  await users.enable(bob.user)
  await users.list(accountId)
  await people.users.listAll()
  await invitations.list(accountId)
  for (const before of [undefined, 'adt_1']) await app.listAudit(accountId, { before, count: 50 })
  await people.sessions.end(of)
  await users.signOutAll(accountId)
  await opened.close()
}

async function useLinks(people: People, owner: SignedIn, { user }: Joined): Promise<void> {
  const { invitations } = people.as(owner)
  const { accountId } = user
  const ended = await invitations.make({ accountId, role: 'viewer', email: 'new@example.com' })
  await invitations.look(ended.token)
  await invitations.end(accountId, ended.id)
  const link = await invitations.makeForPassword(user)
  await invitations.claim({ token: link.token, password, ...from })
}

/** Events that are told, taken, refused, shown and offered again. */
async function useEvents(server: TestServer): Promise<void> {
  const { app, test } = server
  const [taking, failing] = [await listenTo(server), await listenTo(server, { behaviour: { status: 500 } })]
  const gone = await listenTo(server, { behaviour: { status: 410 } })
  await test.check(await test.send(newPhone()), '000000')
  await server.work()
  server.runtime.advance(10)
  await server.work()
  await fetch(`${server.opsUrl}/metrics`)
  const [broken, left] = [failing, gone].map(({ id }) => ({ accountId: 'acct_default', id }))
  await app.endpoints.enable(left!)
  for (const end of [app.endpoints.disable, app.endpoints.remove]) await end(broken!)
  for (const { close } of [taking, failing, gone]) await close()
}
