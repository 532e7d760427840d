/** Counts that processes keep in memory, and exchange beside the commits of what they count. */
import { expect, it } from 'vitest'
import type { WrittenRule } from '../../../src/domain/protection/rule.ts'
import type { Commit } from '../../../src/store/engine/commit.ts'
import { openCommit } from '../../support/commit.ts'
import { newPhone, startServer } from '../../support/server.ts'
import { openJudging, type ProcessOptions, threeADay } from './judgingProcess.ts'

const { test, commit } = await openCommit()
const openProcess = (options: ProcessOptions = {}) => openJudging({ commit, ...options })

it('one process lets exactly as many sends pass as a rule allows, whatever it has exchanged', async () => {
  const { sendMany, exchange } = await openProcess()
  expect(await sendMany('one', 2)).toBe(2)
  await exchange()
  expect(await sendMany('one', 10)).toBe(1)
  await exchange()
  expect(await sendMany('one', 10)).toBe(0)
})

it('a second process lets pass what it has not heard of, and from an exchange on nothing more', async () => {
  const [first, second] = [await openProcess(), await openProcess()]
  expect([await first.sendMany('two', 2), await second.sendMany('two', 2)]).toEqual([2, 2])
  for (const { exchange } of [first, second]) await exchange()
  // The first one has heard nothing of the second yet.
  expect([await second.sendMany('two', 2), await first.sendMany('two', 2)]).toEqual([0, 1])
  for (const { exchange } of [first, second]) await exchange()
  expect([await second.sendMany('two', 2), await first.sendMany('two', 2)]).toEqual([0, 0])
})

it('tells others of the first send of a user with the second one, and of its right code', async () => {
  const { sendMany, verify, exchange } = await openProcess()
  const listRows = async () => [
    ...(await test.sql`select sends, verified from protection_count where key like '%/once'`),
  ]
  expect(await sendMany('once', 1)).toBe(1)
  await verify('once')
  await exchange()
  expect(await listRows()).toEqual([])
  expect(await sendMany('once', 1)).toBe(1)
  await exchange()
  expect(await listRows()).toEqual([{ sends: 2, verified: 1 }])
  await verify('once')
  await exchange()
  expect(await listRows()).toEqual([{ sends: 2, verified: 2 }])
})

it('tells others of the first send of a user that they have counted, too', async () => {
  const [first, second] = [await openProcess(), await openProcess()]
  expect([await first.sendMany('both', 2), await second.sendMany('both', 1)]).toEqual([2, 1])
  await first.exchange()
  await second.exchange()
  // The second one has heard of the others by this, and tells them soon.
  const listRows = async () => [...(await test.sql`select sends from protection_count where key like '%/both'`)]
  await expect.poll(listRows).toEqual([{ sends: 3 }])
})

it('a kill loses what was not exchanged, and nothing else', async () => {
  const killed = await openProcess()
  await killed.sendMany('three', 2)
  await killed.exchange()
  await killed.sendMany('three', 1)
  const [row] = await test.sql`select sends from protection_count where key like '%/three'`
  expect(row).toEqual({ sends: 2 })
  // The next process has to hear of the user first.
  const next = await openProcess()
  expect(await next.sendMany('three', 1)).toBe(1)
  await next.exchange()
  expect(await next.sendMany('three', 2)).toBe(0)
})

it('a process that stops tells what it has counted', async () => {
  const server = await startServer({ on: test })
  for (const user_id of ['the last', 'the last', 'of one send'])
    await server.live.post('/v1/verify/send', { phone: newPhone(), signals: { user_id } })
  await server.close()
  const counted =
    await test.sql`select sum(sends)::int as sends from protection_count where key ~ '/live/user:[0-9]+/[A-Za-z0-9_-]{22}$'`
  expect([...counted]).toEqual([{ sends: 2 }])
})

it('sends go on while counts cannot be exchanged; these wait, and it is told once', async () => {
  let isBroken = true
  const transaction: Commit['transaction'] = (...given) =>
    isBroken ? Promise.reject(new Error('broken')) : commit.transaction(...given)
  const { runtime, sendMany, exchange } = await openProcess({ commit: { ...commit, transaction } })
  for (const expected of [2, 1, 0]) {
    expect(await sendMany('four', 2)).toBe(expected)
    await exchange()
  }
  expect(runtime.lines.filter((line) => line.includes('cannot be exchanged'))).toHaveLength(1)
  isBroken = false
  await exchange()
  expect([...(await test.sql`select sends from protection_count where key like '%/four'`)]).toEqual([{ sends: 3 }])
  expect(runtime.lines.filter((line) => line.includes('exchanged with other processes again'))).toHaveLength(1)
})

it('asks whether a phone was verified before only where a rule is about to act', async () => {
  let asked = 0
  const shareReads: Commit['shareReads'] = (question) => {
    const ask = commit.shareReads(question)
    return (draft) => {
      asked += 1
      return ask(draft)
    }
  }
  const byCountry: WrittenRule = { ...threeADay, id: 'of-country', by: 'country', over: { constant: 1 } }
  const { send } = await openProcess({ commit: { ...commit, shareReads }, rules: [threeADay, byCountry] })
  const [known, other] = [newPhone(), newPhone()]
  await test.sql`insert into phone (account_id, mode, phone, has_verified) values ('acct_default', 'live', ${known}, true)`
  expect([await send('five', { country: 'FR' }), asked]).toEqual([true, 0])
  expect([await send('six', { country: 'FR', phone: other }), asked]).toEqual([false, 1])
  expect([await send('seven', { country: 'FR', phone: known }), asked]).toEqual([true, 2])
})

it('nothing is judged by country until the days before are known: no good day counts as none', async () => {
  const held = Promise.withResolvers<void>()
  const reader: Commit['reader'] = {
    run: async (statement, values) => {
      await held.promise
      return commit.reader.run(statement, values)
    },
  }
  const past: WrittenRule = { ...threeADay, id: 'of-country', by: 'country', over: { constant: 1, max14d: 0.1 } }
  const { send } = await openProcess({ commit: { ...commit, reader }, rules: [past] })
  for (let sent = 0; sent < 3; sent++) expect(await send('eight', { country: 'AT' })).toBe(true)
  held.resolve()
  await expect.poll(() => send('eight', { country: 'AT' })).toBe(false)
})
