/** Jobs that are given back: whose they are then, and what counts towards the limit of their claims. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { commitOptions } from '../../../src/app/admin.ts'
import { createLog } from '../../../src/kit/runtime.ts'
import { type Commit, createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { type Job, openQueue, type Queue } from '../../../src/store/engine/queue.ts'
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
  const claim = async (name = 'any') => (await queue.claim(name, 9)).map(({ id }) => id)
  const handBack = (ids: Job['id'][], seconds = 0, name = 'any') =>
    commit.transaction(async (tx) =>
      queue.handBack(
        tx,
        ids.map((id) => ({ queue: name, id, seconds })),
      ),
    )

  it('is claimed again at once, however often, and the limit is for claims that ran out', async () => {
    await add('any')
    for (let times = 0; times < 8; times++) await handBack(await claim())
    for (let died = 0; died < 4; died++) {
      expect(await claim()).toHaveLength(1)
      await passClaims(own)
    }
    expect(await claim()).toEqual([])
  })

  it('does not count either when its claim had run out before, and nobody has claimed it since', async () => {
    await add('any')
    for (let times = 0; times < 8; times++) {
      const ids = await claim()
      await passClaims(own)
      await handBack(ids)
    }
    expect(await claim()).toHaveLength(1)
  })

  it('stays with another worker that has claimed it since', async () => {
    await add('any')
    const ids = await claim()
    await passClaims(own)
    expect(await claim()).toEqual(ids)
    await handBack(ids, 31)
    expect(await claim()).toEqual([])
  })

  it('stays done when it was done', async () => {
    await add('any')
    const ids = await claim()
    await commit.transaction((tx) => queue.complete(tx, 'any', ids))
    await handBack(ids)
    expect(await claim()).toEqual([])
  })

  it('stays lost to its time where it is not done again', async () => {
    await add('alone')
    await handBack(await claim('alone'), 0, 'alone')
    expect(await claim('alone')).toEqual([])
  })

  it('has no limit behind which nobody comes', async () => {
    await add('last')
    for (let died = 0; died < 8; died++) {
      expect(await claim('last')).toHaveLength(1)
      await passClaims(own)
    }
  })
})
