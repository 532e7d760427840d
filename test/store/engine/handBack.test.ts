/** Jobs that are given back: whose they are then, and what counts towards the limit of their claims. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { commitOptions } from '../../../src/app/admin.ts'
import { createLog } from '../../../src/kit/runtime.ts'
import { type Commit, createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { type Claim, openQueue, type Queue } from '../../../src/store/engine/queue.ts'
import { passClaims } from '../../support/claims.ts'
import { createDatabase } from '../../support/database.ts'

describe.each(['postgres', 'memory'] as const)('a job that is handed back (%s)', (kind) => {
  let own: Database
  let commit: Commit
  let queue: Queue
  let drop = async () => {}
  beforeAll(async () => {
    const test = kind === 'postgres' ? await createDatabase() : undefined
    own = await connect(test?.settings ?? { kind: 'memory' })
    commit = createCommit(own, commitOptions(own))
    const queues = [{ name: 'any' }, { name: 'last', isLast: true }, { name: 'alone', aloneSeconds: 60 }]
    queue = await openQueue(own, queues, { log: createLog('silent'), supervise: false })
    drop = async () => test?.drop()
  })
  afterEach(() => own.queueDb.executeSql('delete from pgboss.job'))
  afterAll(async () => {
    await queue.close()
    await own.close()
    await drop()
  })
  const add = (name: string) => commit.transaction((tx) => queue.add(tx, name, [{ data: {} }]))
  const claim = (name = 'any') => queue.claim(name, 9)
  const handBack = (claims: Claim[], name = 'any') => commit.transaction((tx) => queue.handBack(tx, name, claims))

  it('is claimed again at once, however often, and the limit is for claims that ran out', async () => {
    await add('any')
    for (let times = 0; times < 8; times++) await handBack(await claim())
    for (let died = 0; died < 4; died++) {
      expect(await claim()).toHaveLength(1)
      await passClaims(own)
    }
    expect(await claim()).toEqual([])
  })

  it('comes before those that wait', async () => {
    for (const n of [1, 2, 3]) await commit.transaction((tx) => queue.add(tx, 'any', [{ data: { n } }]))
    await handBack(await queue.claim('any', 2))
    for (const n of [1, 2]) expect(await queue.claim('any', 1)).toMatchObject([{ data: { n } }])
  })

  it('has as many claims left as before', async () => {
    await add('any')
    for (let died = 0; died < 4; died++) {
      await handBack(await claim())
      expect(await claim()).toHaveLength(1)
      await passClaims(own)
    }
    expect(await claim()).toEqual([])
  })

  it('is as urgent as before, and has been due for as long', async () => {
    const found = async () => {
      const text =
        'select data, group_id, start_after, priority > 0 as urgent from pgboss.job where state < $1 order by 1'
      return (await own.queueDb.executeSql(text, ['active'])).rows
    }
    const jobs = [
      { data: { n: 1 }, lane: 'a', isUrgent: true },
      { data: { n: 2 }, lane: 'b' },
    ]
    await commit.transaction((tx) => queue.add(tx, 'any', jobs))
    const before = await found()
    expect(before.map(({ urgent }) => urgent)).toEqual([true, false])
    await handBack(await claim())
    expect(await found()).toEqual(before)
    expect(await queue.claim('any', 9, { isUrgent: true })).toMatchObject([{ data: { n: 1 }, lane: 'a' }])
    expect(await queue.claim('any', 9, { isUrgent: false })).toMatchObject([{ data: { n: 2 }, lane: 'b' }])
  })

  it('stays done when it was done', async () => {
    await add('any')
    const claims = await claim()
    await commit.transaction((tx) => queue.complete(tx, 'any', [claims[0]!.id]))
    await handBack(claims)
    expect(await claim()).toEqual([])
  })

  it('comes again at once where it is alone', async () => {
    await add('alone')
    await handBack(await claim('alone'), 'alone')
    expect(await claim('alone')).toHaveLength(1)
  })

  it('has no limit behind which nobody comes', async () => {
    await add('last')
    await handBack(await claim('last'), 'last')
    for (let died = 0; died < 8; died++) {
      expect(await claim('last')).toHaveLength(1)
      await passClaims(own)
    }
  })
})
