/** Rows that somebody changes while others wait for them: none is lost, in whatever partition it is. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { createPartitions } from '../../src/domain/keeping/partition.ts'
import { createLog, newUlid } from '../../src/kit/runtime.ts'
import type { Tx } from '../../src/store/engine/session.ts'
import { applyChanges } from '../../src/store/sending/change.ts'
import { markUnsure } from '../../src/store/sending/delivery.ts'
import { holdUndecided, settleAnswers } from '../../src/store/sending/verification.ts'
import { openCommit } from '../support/commit.ts'

const accountId = 'acct_default'
const days = ['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24']
const soon = { timeout: 10_000, interval: 10 }
const { test, commit } = await openCommit()
let keys: { accountId: string; id: string }[]

beforeAll(async () => {
  const runtime = { now: () => new Date('2026-11-21T09:00:00Z'), log: createLog('silent') }
  await createPartitions({ commit, runtime, retentionDays: 30 })(new Date(0), () => false)
})
beforeEach(async () => {
  await test.sql`delete from message`
  // Two in each of four partitions, in no order.
  keys = [...days, ...days].map((day) => ({ accountId, id: `req_${newUlid(new Date(`${day}T12:00:00Z`))}` }))
  for (const { id } of keys) {
    await test.sql`insert into message
      (account_id, id, mode, kind, phone, status, status_at, route, content, timeline, created_at, expires_at)
      values (${accountId}, ${id}, 'live', 'verification', '+14155550100', 'sent', now(), '{a}', '\\x00', '[]', now(), now())`
  }
})

const keysAt = [0, 3, 5, 7]
const at = new Date('2026-11-21T12:00:01Z')
const works: [what: string, work: (tx: Tx) => Promise<unknown>, done: string][] = [
  [
    'settle what guesses have decided',
    async (tx) => {
      const held = await holdUndecided(tx, keys)
      settleAnswers(tx, {
        right: keys.map((key) => ({ ...key, mode: 'live', phone: '+14155550100', at })),
        exhausted: [],
      })
      return held.filter(Boolean)
    },
    'verified_at is not null',
  ],
  [
    'apply what providers say',
    (tx) =>
      applyChanges(
        tx,
        keys.map((key) => ({ ...key, status: 'delivered', follows: ['sent'], at, connection: 'a' })),
      ),
    `status = 'delivered'`,
  ],
  [
    'count what may leave',
    async (tx) => {
      const counted = await markUnsure(
        tx,
        keys.map((key) => ({ ...key, leg: 1, unsure: 0 })),
      )
      return counted.filter(Boolean)
    },
    'unsure = 1',
  ],
]

it.each(works.flatMap(([what, work, done]) => keysAt.map((place) => ({ what, work, done, place }))))(
  'while somebody changes the message at $place, others $what',
  async ({ work, done, place }) => {
    const beside = await test.sql.reserve()
    await beside`begin`
    await beside`update message set country = 'DE' where id = ${keys[place]!.id}`
    const working = commit.transaction(work)
    try {
      await expect.poll(() => test.stuckAt('select'), soon).not.toEqual([])
    } finally {
      await beside`commit`
      beside.release()
    }
    expect(await working).toHaveLength(keys.length)
    expect(await test.sql.unsafe(`select 1 from message where ${done}`)).toHaveLength(keys.length)
  },
)
