/** What a process knows of who listens. */
import { describe, expect, it } from 'vitest'
import { commitOptions } from '../../src/app/admin.ts'
import { createKnownEndpoints } from '../../src/events/listeners.ts'
import type { Commit } from '../../src/store/engine/commit.ts'
import { createCommit } from '../../src/store/engine/commit.ts'
import { connect } from '../../src/store/engine/connect.ts'
import { openCommit } from '../support/commit.ts'
import { giveEndpoint, start } from '../support/endpoint.ts'
import { createLateReads } from '../support/lateReads.ts'

const { test, commit } = await openCommit()

let accounts = 0

/** Of an account of its own, with a clock that stands still, counting what it asks the database. */
async function open() {
  accounts += 1
  const accountId = `acct_${accounts}`
  await test.sql`insert into account (id, name, name_key, created_at) values (${accountId}, ${accountId}, ${accountId}, ${start})`
  const at = { ms: 0 }
  let asked = 0
  const counting: Commit = {
    ...commit,
    shareReads: (question) =>
      commit.shareReads({
        ...question,
        work: (reader, drafts) => {
          asked += 1
          return question.work(reader, drafts)
        },
      }),
  }
  const late = createLateReads(counting)
  const listeners = createKnownEndpoints({ commit: late.commit, runtime: { elapsedMs: () => at.ms } })
  return {
    ...listeners,
    holdNext: late.holdNext,
    at,
    asked: () => asked,
    live: { accountId, mode: 'live' as const },
    accountId,
  }
}

describe('who listens', () => {
  it('is known by mode and type', async () => {
    const { isAny, mayWant, accountId, live, asked } = await open()
    const tested = { accountId, mode: 'test' } as const
    await giveEndpoint(commit, { accountId, mode: 'test', types: ['message.sent'] })
    expect([await isAny(live), await isAny(tested)]).toEqual([false, true])
    expect(mayWant(live, 'message.sent')).toBe(false)
    expect(mayWant(tested, 'message.sent')).toBe(true)
    expect(mayWant(tested, 'message.read')).toBe(false)
    expect(asked()).toBe(1)
  })

  it('is asked for once in two seconds, and nobody waits for it', async () => {
    const { isAny, mayWant, accountId, live, at, asked } = await open()
    await isAny(live)
    await giveEndpoint(commit, { accountId })
    for (at.ms = 0; at.ms < 2000; at.ms += 100) expect(mayWant(live, 'message.sent')).toBe(false)
    expect(asked()).toBe(1)
    at.ms = 2000
    for (let count = 0; count < 100; count++) expect(mayWant(live, 'message.sent')).toBe(false)
    await expect.poll(() => mayWant(live, 'message.sent')).toBe(true)
    expect(asked()).toBe(2)
  })

  it('is asked anew once this process has changed it, whatever answer is on its way', async () => {
    const { isAny, forget, holdNext, accountId, live } = await open()
    const held = holdNext()
    const earlier = isAny(live)
    await held.arrived
    await giveEndpoint(commit, { accountId })
    forget(accountId)
    const meanwhile = isAny(live)
    held.release()
    expect([await earlier, await meanwhile, await isAny(live)]).toEqual([true, true, true])
  })

  it('may be anybody after five seconds, also while the database is away', async () => {
    const away = await connect(test.settings)
    const { isAny, mayWant } = createKnownEndpoints({
      commit: createCommit(away, commitOptions(away)),
      runtime: { elapsedMs: () => 0 },
    })
    await away.close()
    const live = { accountId: 'acct_default', mode: 'live' } as const
    expect(mayWant(live, 'message.sent')).toBe(true)
    await expect(isAny(live)).rejects.toThrow()
    const old = await open()
    expect(await old.isAny(old.live)).toBe(false)
    old.at.ms = 4999
    expect(old.mayWant(old.live, 'message.sent')).toBe(true)
  })
})
