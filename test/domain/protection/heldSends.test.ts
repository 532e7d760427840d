/** The first send of a user is held by its process until there is a second one: what that lets pass besides. */
import { expect, it } from 'vitest'
import { openCommit } from '../../support/commit.ts'
import { openJudging } from './judgingProcess.ts'

const { commit } = await openCommit()
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
