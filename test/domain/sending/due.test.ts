/** Notifications whose time has come: one that fails holds up no other one, and no account waits for all of another one's. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { dueMax } from '../../../src/domain/sending/notifications/due.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

const hour = 3600
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(() => server.query(sql`delete from pgboss.job`))

const later = (seconds: number) => new Date(server.runtime.now().getTime() + seconds * 1000).toISOString()

async function schedule(phone = newPhone(), seconds = hour): Promise<{ phone: string; id: string }> {
  const body = { phone, template: 'welcome', variables: { name: 'Ada' }, send_at: later(seconds) }
  const { data } = await server.test.post<{ request_id: string }>('/v1/notifications/send', body)
  return { phone, id: data.request_id }
}
const read = async (id: string) =>
  (await server.test.get<{ status: string; error?: { code: string } }>(`/v1/messages/${id}`)).data
const textsOf = async (phone: string) => (await server.phone(phone)).map(({ text }) => text)
const errorsOfDue = () => server.runtime.internalErrors.count('due')

/** Has the database refuse what is written of a phone in a table, until the test ends. */
async function refuse(table: 'phone' | 'message', phone: string): Promise<() => Promise<unknown>> {
  const name = sql.identifier(`refuse_${table}`)
  await server.query(sql`create function ${name}() returns trigger language plpgsql as
    ${sql.raw(`$$ begin if new.phone = '${phone}' then raise 'cannot be written'; end if; return new; end $$`)}`)
  await server.query(
    sql`create trigger ${name} before insert or update on ${sql.identifier(table)} for each row execute function ${name}()`,
  )
  const end = () => server.query(sql`drop function if exists ${name} cascade`)
  onTestFinished(async () => void (await end()))
  return end
}

/** As many more like one that waits, in these accounts by turns. */
async function repeat(id: string, count: number, accountIds: readonly string[], sendAt: string): Promise<void> {
  const accounts = sql.param(JSON.stringify(accountIds))
  await server.query(sql`with one as materialized (
      select m, (${accounts}::jsonb) ->> ((n % ${accountIds.length}::int)::int) as account_id,
        substr(m.id, 1, 20) || lpad(n::text, 10, '0') as id, '+4670' || lpad(n::text, 7, '0') as phone
      from message m, generate_series(1, ${count}::int) n where m.id = ${id}
    ), made as (
      insert into message select (jsonb_populate_record(m, jsonb_build_object('account_id', account_id, 'id', id, 'phone', phone))).*
      from one
    )
    insert into scheduled (account_id, id, send_at) select account_id, id, ${sendAt}::timestamptz from one`)
}

/** The accounts of the messages that were dispatched, for each transaction in its order. */
async function dispatched(): Promise<string[][]> {
  const rows = await server.query<{ tx: string; account: string }>(sql`
    select j.xmin::text as tx, one ->> 'accountId' as account
    from pgboss.job j, jsonb_array_elements(j.data -> 'messages') one where j.name like 'deliver-%'`)
  const groups = [...Map.groupBy(rows, ({ tx }) => Number(tx))].toSorted(([one], [other]) => one - other)
  return groups.map(([, list]) => list.map(({ account }) => account))
}

it('one that cannot be sent ends as failed, and those behind it go', async () => {
  const bad = await schedule(newPhone(), hour - 60)
  const good = [await schedule(), await schedule(), await schedule()]
  await refuse('phone', bad.phone)
  const before = errorsOfDue()
  await server.advance(hour)
  await server.work()
  await server.work()
  expect(await read(bad.id)).toMatchObject({ status: 'failed', error: { code: 'not_delivered' } })
  for (const { phone } of good) expect(await textsOf(phone)).toEqual(['Welcome, Ada!'])
  expect(errorsOfDue()).toBe(before + 1)
  expect(server.runtime.lines.join('')).not.toContain(bad.phone)
})

it('one that can neither be sent nor ended is looked at again in an hour, and those behind it go', async () => {
  const bad = await schedule(newPhone(), hour - 60)
  const good = await schedule()
  const ends = [await refuse('phone', bad.phone), await refuse('message', bad.phone)]
  await server.advance(hour)
  await server.work()
  await server.work()
  expect(await textsOf(good.phone)).toEqual(['Welcome, Ada!'])
  expect(await textsOf(bad.phone)).toEqual([])
  for (const end of ends) await end()
  await server.advance(hour)
  await server.work()
  await server.work()
  expect(await textsOf(bad.phone)).toEqual(['Welcome, Ada!'])
})

/** As its processes do it, until that is so. */
async function workUntil(look: () => Promise<unknown>, expected: unknown): Promise<void> {
  server.app.worker.start()
  await expect.poll(look, { timeout: 20_000 }).toEqual(expected).finally(server.app.worker.stop)
}

it('what is due goes while a code cannot be ended', async () => {
  const { phone } = await schedule()
  const code = newPhone()
  await server.test.send(code)
  await server.query(sql`delete from pgboss.job`)
  await refuse('message', code)
  await server.advance(hour)
  await expect(server.app.worker.sweep()).rejects.toThrow()
  await server.work().catch(() => {})
  expect(await textsOf(phone)).toEqual(['Welcome, Ada!'])
})

it('tables are analysed while what is due cannot be read', async () => {
  await server.query(sql`analyze opt_out`)
  await server.query(sql`insert into opt_out (account_id, mode, phone_hash, category, source, since)
    select 'acct_other', 'test', n::text, 'all', 'provider', now() from generate_series(1, 5000) n`)
  await server.query(sql`alter table scheduled rename to away`)
  onTestFinished(async () => void (await server.query(sql`alter table if exists away rename to scheduled`)))
  const rows = () => server.query(sql`select reltuples from pg_class where relname = 'opt_out'`)
  await workUntil(rows, [{ reltuples: 5000 }])
  expect(server.runtime.lines.filter((line) => line.includes('"sweep: due"'))).toHaveLength(1)
})

it('of a hundred accounts, each has its first one go before an account with thousands has gone far', async () => {
  const { id } = await schedule()
  const { id: greedy } = await server.app.accounts.require('default')
  const quiet = Array.from({ length: 100 }, (_, n) => `acct_quiet${n}`)
  await repeat(id, 2000, [greedy], later(hour))
  const last = await schedule(newPhone(), hour + 1)
  await repeat(last.id, quiet.length, quiet, later(hour + 1))
  await server.advance(hour + 1)
  await server.app.worker.sweep()
  const transactions = await dispatched()
  // A transaction has all those whose rules were read by then: what is read at once may go in several.
  const first = transactions.flat().slice(0, dueMax)
  expect(first.filter((account) => account !== greedy).toSorted()).toEqual(quiet.toSorted())
  expect(transactions.flat()).toHaveLength(2002 + quiet.length)
  for (const transaction of transactions) expect(transaction.length).toBeLessThanOrEqual(dueMax)
})

it('a code of another account is sent while thousands are taken that are due', async () => {
  const { id } = await schedule()
  await repeat(id, 2000, [(await server.app.accounts.require('default')).id], later(hour))
  const other = server.as(await server.key({ account: (await server.app.accounts.create('other')).name }))
  await server.advance(hour)
  const taken = server.app.worker.sweep()
  expect(await other.send(newPhone())).toMatch(/^req_/)
  const [left] = await server.query<{ count: number }>(sql`select count(*)::int as count from scheduled`)
  await taken
  expect(left!.count).toBeGreaterThan(1000)
  expect((await dispatched()).flat()).toHaveLength(2002)
})
