/** The first send of a user is held by its process until there is a second one: what that lets pass besides. */
import { expect, it } from 'vitest'
import { openCommit } from '../../support/commit.ts'
import { openJudging } from './judgingProcess.ts'

const { test, commit } = await openCommit()
const listRows = async (user: string) => [
  ...(await test.sql`select sends from protection_count where key like ${`%/${user}`}`),
]
const [sendsMax, allowed] = [8, 3]

it('a second process lets two sends more pass at most, in whatever order the two get them', async () => {
  const processes = [await openJudging({ commit }), await openJudging({ commit })] as const
  // A user for each order: each bit says which process gets the next send.
  const users = Array.from({ length: 2 ** sendsMax }, (_, order) => ({ order, passed: 0 }))
  for (let turn = 0; turn < sendsMax; turn++) {
    for (const user of users) {
      const { send } = processes[((user.order >> turn) & 1) as 0 | 1]
      if (await send(`user ${user.order}`)) user.passed += 1
    }
    for (const { exchange } of processes) await exchange()
  }
  const passed = (most: number, { passed }: { passed: number }) => Math.max(most, passed)
  expect(users.reduce(passed, 0)).toBe(allowed + 2)
  // Those whose sends one process has got.
  expect([users[0]!.passed, users.at(-1)!.passed]).toEqual([allowed, allowed])
})

it('is held too where counts are exchanged while it is made', async () => {
  const { send, exchange } = await openJudging({ commit })
  expect(await send('under way', { beforeMade: exchange })).toBe(true)
  await exchange()
  expect(await listRows('under way')).toEqual([])
})

it('is told when its process stops, if others have counted the user', async () => {
  const [first, second] = [await openJudging({ commit }), await openJudging({ commit })]
  expect([await first.sendMany('both', 2), await second.send('both'), await second.send('alone')]).toEqual([
    2,
    true,
    true,
  ])
  await first.exchange()
  await second.close()
  expect([await listRows('both'), await listRows('alone')]).toEqual([[{ sends: 3 }], []])
})
