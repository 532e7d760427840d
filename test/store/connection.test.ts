import { expect, it } from 'vitest'
import {
  findConnections,
  findInLiveUse,
  type NewConnection,
  replaceConnections,
  restConnections,
  sealedConnections,
  upsertConnections,
  wakeConnections,
} from '../../src/store/channels/connection.ts'
import { openCommit } from '../support/commit.ts'
import { newConnection } from '../support/connection.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

const { test, database, deadlocks, commit } = await openCommit()

let accounts = 0

/** An account of its own with those connections, in their order. @returns its id */
async function newAccount(...list: (Partial<NewConnection> & { id: string })[]): Promise<string> {
  accounts += 1
  const accountId = `acct_${String(accounts).padStart(3, '0')}`
  await test.sql`insert into account (id, name, name_key, created_at)
    values (${accountId}, ${accountId}, ${accountId}, ${now})`
  const rows = list.map((changes, index) => newConnection({ position: index + 1, ...changes, accountId }))
  if (rows.length > 0) await commit.transaction((tx) => upsertConnections(tx, rows))
  return accountId
}

const idsOf = (list: { id: string }[] = []) => list.map(({ id }) => id)

it('finds those of many accounts at once, each in its order', async () => {
  const sealed = Buffer.from([0, 1, 255])
  const full = { id: 'z', kind: 'whatsapp', countries: ['DE', 'FR'], failoverSeconds: 30, settings: { a: [1] }, sealed }
  const [one, other, none] = [await newAccount(full, { id: 'a' }), await newAccount({ id: 'z' }), await newAccount()]
  const found = await findConnections(database.reader, [other, none, one, 'acct_nobody', other])
  expect(found.map(idsOf)).toEqual([['z'], [], ['z', 'a'], [], ['z']])
  const { sealed: bytes, ...row } = found[2]![0]!
  expect(row).toEqual({
    ...{ accountId: one, id: 'z', position: 1, kind: 'whatsapp', countries: ['DE', 'FR'], failoverSeconds: 30 },
    ...{ perMinute: null, perHour: null, perDay: null, spread: false },
    ...{
      settings: { a: [1] },
      byPerson: false,
      revision: 'first',
      restsUntil: null,
      restReason: null,
      takenAt: null,
      balance: null,
    },
    ...{ reportedAt: null, unreportedCount: 0, unreportedSince: null, templateFaults: null },
  })
  expect(Buffer.from(bytes!)).toEqual(sealed)
  expect(found[2]![1]).toMatchObject({ countries: null, failoverSeconds: null, settings: {}, sealed: null })
})

it('replaces a list: what is not in it goes, and what has not changed stays as it is', async () => {
  const accountId = await newAccount({ id: 'goes' }, { id: 'changes' }, { id: 'stays' })
  const beside = await newAccount({ id: 'goes' })
  const rests = ['changes', 'stays'].map((id) => ({
    accountId,
    id,
    revision: 'first',
    until: later(60),
    reason: 'down',
  }))
  await commit.transaction((tx) => restConnections(tx, rests))
  const changed = [
    newConnection({ accountId, id: 'new', position: 1, kind: 'http', revision: 'second' }),
    newConnection({ accountId, id: 'changes', position: 2, settings: { x: 1 }, revision: 'second' }),
  ]
  await commit.transaction((tx) => replaceConnections(tx, accountId, ['new', 'changes', 'stays'], changed))
  const [found, others] = await findConnections(database.reader, [accountId, beside])
  expect(found).toMatchObject([
    { id: 'new', kind: 'http', restsUntil: null },
    { id: 'changes', settings: { x: 1 }, revision: 'second', restsUntil: null, restReason: null },
    { id: 'stays', revision: 'first', restsUntil: later(60), restReason: 'down' },
  ])
  expect(idsOf(others)).toEqual(['goes'])

  await commit.transaction((tx) => replaceConnections(tx, accountId, [], []))
  expect(await findConnections(database.reader, [accountId, beside])).toEqual([[], others])
})

it('rests and wakes, each told once, and never by what is known of settings that have changed', async () => {
  const accountId = await newAccount({ id: 'a' }, { id: 'b' })
  const rest = (id: string, seconds: number, reason: string, revision = 'first') => ({
    ...{ accountId, id, revision },
    ...{ until: later(seconds), reason },
  })
  const letRest = (...list: ReturnType<typeof rest>[]) => commit.transaction((tx) => restConnections(tx, list))
  const wake = (revision: string, ...ids: string[]) =>
    commit.transaction((tx) =>
      wakeConnections(
        tx,
        ids.map((id) => ({ accountId, id, revision })),
      ),
    )
  const state = async () =>
    (await findConnections(database.reader, [accountId]))[0]!.map(({ id, restsUntil, restReason }) => [
      id,
      restsUntil && (restsUntil.getTime() - now.getTime()) / 1000,
      restReason,
    ])

  expect(await letRest(rest('b', 15, 'no answer'), rest('a', 60, 'token'), rest('none', 60, 'token'))).toEqual([
    true,
    true,
    false,
  ])
  expect(await letRest(rest('a', 15, 'no answer'), rest('b', 60, 'payment'))).toEqual([false, true])
  expect(await letRest(rest('a', 90, 'old', 'older'), rest('b', 90, 'old', 'older'))).toEqual([false, false])
  expect(await state()).toEqual([
    ['a', 60, 'token'],
    ['b', 60, 'payment'],
  ])

  expect(await wake('older', 'a', 'b')).toEqual([false, false])
  expect(await wake('first', 'b', 'none')).toEqual([true, false])
  expect(await wake('first', 'b', 'a')).toEqual([false, true])
  expect(await state()).toEqual([
    ['a', null, null],
    ['b', null, null],
  ])
})

it('lets many rest and wake at once, in any order, and never in a circle', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const accountId = await newAccount(...ids.map((id) => ({ id })))
  const rounds = Array.from({ length: 60 }, (_, round) => {
    const order = round % 2 ? ids : ids.toReversed()
    const list = order.map((id) => ({ accountId, id, revision: 'first', until: later(round), reason: 'x' }))
    return commit.transaction((tx) => (round % 3 ? restConnections(tx, list) : wakeConnections(tx, list)))
  })
  expect(await Promise.all(rounds)).toHaveLength(60)
  expect(deadlocks()).toBe(0)
})

it('lists what is sealed, page after page', async () => {
  const sealed = Buffer.from('x')
  const accountId = await newAccount({ id: 'c', sealed }, { id: 'a', sealed }, { id: 'b' })
  const another = await newAccount({ id: 'a', sealed })
  const page = async (after: { accountId: string; id: string }) =>
    (await sealedConnections.list(database.reader, after, 2)).map((row) => [row.accountId, row.id])
  expect(await page({ accountId, id: '' })).toEqual([
    [accountId, 'a'],
    [accountId, 'c'],
  ])
  expect(await page({ accountId, id: 'c' })).toEqual([[another, 'a']])
  expect(await page({ accountId: another, id: 'a' })).toEqual([])
})

it('seals anew only what nobody has changed meanwhile', async () => {
  const accountId = await newAccount(
    { id: 'a', sealed: Buffer.from('old a') },
    { id: 'b', sealed: Buffer.from('old b') },
  )
  const list = [
    { accountId, id: 'a', sealed: Buffer.from('old a'), anew: Buffer.from('new a') },
    { accountId, id: 'b', sealed: Buffer.from('older b'), anew: Buffer.from('new b') },
  ]
  expect(await commit.transaction((tx) => sealedConnections.replace(tx, list))).toEqual([{ accountId, id: 'a' }])
  const [found] = await findConnections(database.reader, [accountId])
  expect(found!.map(({ sealed, revision }) => [Buffer.from(sealed!).toString(), revision])).toEqual([
    ['new a', 'first'],
    ['old b', 'first'],
  ])
})

it('finds those of a kind whose accounts have live keys that are good', async () => {
  const keys = {
    good: { mode: 'live' },
    ends: { mode: 'live', expires_at: later(1) },
    expired: { mode: 'live', expires_at: now },
    revoked: { mode: 'live', revoked_at: later(-1) },
    tests: { mode: 'test' },
  }
  const ids = new Map<string, string>()
  for (const [name, key] of Object.entries(keys)) {
    const account_id = await newAccount({ id: 'other', kind: 'other' }, { id: 'trial', kind: 'trial' })
    ids.set(name, account_id)
    for (const id of [1, 2]) {
      const row = { account_id, id: `key_${id}`, name, scopes: [], hash: Buffer.from([id]), hint: '', created_at: now }
      await test.sql`insert into api_key ${test.sql({ ...row, ...key })}`
    }
  }
  const found = await findInLiveUse(database.reader, 'trial', now)
  expect(found).toEqual([
    { account: ids.get('good'), connection: 'trial' },
    { account: ids.get('ends'), connection: 'trial' },
  ])
  expect(await findInLiveUse(database.reader, 'nothing', now)).toEqual([])
})
