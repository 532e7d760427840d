/** Requests that come at once share one piece of work, and none waits longer than it is told, or for another's fault. */
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createGroups, type Grouping } from '../../../src/store/engine/group.ts'

interface Work {
  drafts: string[]
  /** Ends the group, each of whose members gets its own draft back in capitals. */
  done: () => void
  fail: (error: Error) => void
}

/** Groups whose work ends when the test says so. */
function openGroups(limits: Partial<Grouping<string, string>> = {}) {
  const begun: Work[] = []
  const submit = createGroups<string, string>({
    groupsMax: 1,
    membersMax: 64,
    waitingMax: 1000,
    waitMs: 60_000,
    workMs: 60_000,
    work: (drafts) => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>()
      begun.push({ drafts, done: () => resolve(drafts.map((draft) => draft.toUpperCase())), fail: reject })
      return promise
    },
    ...limits,
  })
  return { begun, submit, draftsBegun: () => begun.map(({ drafts }) => drafts) }
}

/** Those of the next group go in the turn after the one that ends theirs. */
async function turn(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

const unavailable = { code: 'service_unavailable', retryAfterSeconds: 1 }
/** A word with the letter before the colon is in conflict with every other one that has it. */
const byLetter = (draft: string) => draft.split(':')[0] as string

describe('those of a moment', () => {
  it('go together at the end of their turn, and each gets its own outcome', async () => {
    const { begun, submit, draftsBegun } = openGroups()
    const outcomes = Promise.all(['a', 'b', 'c'].map(submit))
    expect(begun).toEqual([])
    await turn()
    expect(draftsBegun()).toEqual([['a', 'b', 'c']])
    begun[0]?.done()
    expect(await outcomes).toEqual(['A', 'B', 'C'])
  })

  it('wait for nobody, when there is one alone', async () => {
    const { begun, submit, draftsBegun } = openGroups()
    const outcome = submit('alone')
    await setImmediate()
    expect(draftsBegun()).toEqual([['alone']])
    begun[0]?.done()
    expect(await outcome).toBe('ALONE')
  })

  it('wait for the group that is under way, and go when it ends', async () => {
    const { begun, submit, draftsBegun } = openGroups()
    submit('a')
    await turn()
    submit('b')
    await turn()
    submit('c')
    await turn()
    expect(draftsBegun()).toEqual([['a']])
    begun[0]?.done()
    await turn()
    expect(draftsBegun()).toEqual([['a'], ['b', 'c']])
    begun[1]?.done()
  })

  it('go at most so many together, in so many groups at once, and in their order', async () => {
    const { begun, submit, draftsBegun } = openGroups({ groupsMax: 2, membersMax: 3 })
    const outcomes = Promise.all([...'abcdefghij'].map(submit))
    await turn()
    expect(draftsBegun()).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
    ])
    begun[1]?.done()
    await turn()
    expect(draftsBegun().slice(2)).toEqual([['g', 'h', 'i']])
    begun[2]?.done()
    await turn()
    expect(draftsBegun().slice(3)).toEqual([['j']])
    begun[0]?.done()
    begun[3]?.done()
    expect(await outcomes).toEqual([...'ABCDEFGHIJ'])
  })
})

describe('of those in conflict', () => {
  it('one is in a group, and the others come after it in their order', async () => {
    const { begun, submit, draftsBegun } = openGroups({ conflictOf: byLetter })
    const outcomes = Promise.all(['a:1', 'b:1', 'a:2', 'a:3', 'c:1'].map(submit))
    await turn()
    begun[0]?.done()
    await turn()
    begun[1]?.done()
    await turn()
    begun[2]?.done()
    expect(await outcomes).toEqual(['A:1', 'B:1', 'A:2', 'A:3', 'C:1'])
    expect(draftsBegun()).toEqual([['a:1', 'b:1', 'c:1'], ['a:2'], ['a:3']])
  })

  it('one is in all groups that are under way, also while there is place for more', async () => {
    const { begun, submit, draftsBegun } = openGroups({ groupsMax: 3, conflictOf: byLetter })
    const outcomes = ['a:1', 'a:2'].map(submit)
    await turn()
    outcomes.push(submit('b:1'), submit('a:3'))
    await turn()
    expect(draftsBegun()).toEqual([['a:1'], ['b:1']])
    begun[1]?.done()
    await turn()
    expect(begun).toHaveLength(2)
    begun[0]?.done()
    await turn()
    expect(draftsBegun().slice(2)).toEqual([['a:2']])
    begun[2]?.done()
    await turn()
    begun[3]?.done()
    expect(await Promise.all(outcomes)).toEqual(['A:1', 'A:2', 'B:1', 'A:3'])
  })

  it('the next one comes also after a failure', async () => {
    const { begun, submit, draftsBegun } = openGroups({ conflictOf: byLetter })
    const first = submit('a:1')
    submit('a:2')
    await turn()
    begun[0]?.fail(new Error('a bug'))
    await expect(first).rejects.toThrow('a bug')
    await turn()
    expect(draftsBegun()).toEqual([['a:1'], ['a:2']])
    begun[1]?.done()
  })
})

describe('of several owners', () => {
  const byOwner = { ownerOf: byLetter, waitingMax: 4 }

  it('each has its turn in a group, however many another one has sent before', async () => {
    const { begun, submit, draftsBegun } = openGroups({ membersMax: 2, ownerOf: byLetter })
    const outcomes = Promise.all(['a:1', 'a:2', 'a:3', 'a:4', 'a:5', 'b:1', 'c:1', 'b:2'].map(submit))
    for (let group = 0; group < 4; group++) {
      await turn()
      begun[group]?.done()
    }
    await outcomes
    expect(draftsBegun()).toEqual([
      ['a:1', 'b:1'],
      ['a:2', 'c:1'],
      ['a:3', 'b:2'],
      ['a:4', 'a:5'],
    ])
  })

  it('the one with the most loses its latest when too many wait', async () => {
    const { begun, submit, draftsBegun } = openGroups(byOwner)
    submit('a:0')
    await turn()
    const waiting = ['a:1', 'a:2', 'b:1', 'a:3', 'b:2'].map((draft) => submit(draft).catch((refused) => refused))
    expect(await waiting[3]).toMatchObject(unavailable)
    begun[0]?.done()
    await turn()
    expect(draftsBegun()[1]).toEqual(['a:1', 'a:2', 'b:1', 'b:2'])
    begun[1]?.done()
  })

  it('with as many as another, the one that came last is turned away', async () => {
    const { begun, submit } = openGroups(byOwner)
    submit('a:0')
    await turn()
    const waiting = ['a:1', 'b:1', 'b:2', 'a:2', 'c:1'].map((draft) => submit(draft).catch((refused) => refused))
    expect(await waiting[3]).toMatchObject(unavailable)
    begun[0]?.done()
    await turn()
    begun[1]?.done()
    expect(await Promise.all(waiting)).toEqual(['A:1', 'B:1', 'B:2', expect.objectContaining(unavailable), 'C:1'])
  })
})

describe('a group that fails', () => {
  it.each([0, 5, 7])('is split, until only the guilty one fails: number %i of eight', async (guilty) => {
    const sizes: number[] = []
    const { submit } = openGroups({
      work: async (drafts) => {
        sizes.push(drafts.length)
        if (drafts.includes(`${guilty}`)) throw new Error('poisoned')
        return drafts
      },
    })
    const settled = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => submit(`${index}`)))
    settled.forEach((end, index) => {
      if (index === guilty) expect(end).toMatchObject({ status: 'rejected', reason: { message: 'poisoned' } })
      else expect(end).toEqual({ status: 'fulfilled', value: `${index}` })
    })
    // Of each pair of halves, one passes.
    expect(sizes.toSorted()).toEqual([1, 1, 2, 2, 4, 4, 8])
  })

  it('is not split when the database is away: each is told so, and nothing is tried again', async () => {
    const work = vi.fn(async () => {
      throw Object.assign(new Error('terminating connection'), { code: '57P01' })
    })
    const { submit } = openGroups({ work })
    const settled = await Promise.allSettled(['a', 'b', 'c', 'd'].map(submit))
    for (const end of settled) expect(end).toMatchObject({ status: 'rejected', reason: { code: '57P01' } })
    expect(work).toHaveBeenCalledOnce()
  })
})

describe('the wait', () => {
  let now: number
  beforeEach(() => {
    now = 0
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    vi.spyOn(performance, 'now').mockImplementation(() => now)
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  function pass(ms: number): void {
    now += ms
    vi.advanceTimersByTime(ms)
  }

  it('is for so many at once: one more is turned away at once, and those who wait keep their place', async () => {
    const { begun, submit, draftsBegun } = openGroups({ waitingMax: 2 })
    submit('under way')
    await turn()
    const waiting = ['a', 'b'].map(submit)
    await expect(submit('c')).rejects.toMatchObject(unavailable)
    begun[0]?.done()
    await turn()
    begun[1]?.done()
    expect(await Promise.all(waiting)).toEqual(['A', 'B'])
    expect(draftsBegun()).toEqual([['under way'], ['a', 'b']])
  })

  it('bounds the wait to begin for each by its own arrival; who is told to come again is not done', async () => {
    const { begun, submit, draftsBegun } = openGroups({ waitMs: 1000 })
    submit('under way')
    await turn()
    const first = submit('first')
    const told = vi.fn()
    first.catch(told)
    pass(600)
    const second = submit('second')
    pass(300)
    await turn()
    expect(told).not.toHaveBeenCalled()
    pass(100)
    await expect(first).rejects.toMatchObject(unavailable)
    begun[0]?.done()
    await turn()
    expect(draftsBegun()).toEqual([['under way'], ['second']])
    begun[1]?.done()
    expect(await second).toBe('SECOND')
  })

  it('bounds the wait for an answer from its beginning; what was begun is done and keeps its place', async () => {
    const { begun, submit, draftsBegun } = openGroups({ waitMs: 5000, workMs: 1000 })
    submit('before')
    await turn()
    const slow = submit('slow')
    pass(900)
    begun[0]?.done()
    await turn()
    const next = submit('next')
    pass(900)
    await turn()
    pass(100)
    await expect(slow).rejects.toMatchObject(unavailable)
    await turn()
    expect(draftsBegun()).toEqual([['before'], ['slow']])
    begun[1]?.done()
    await turn()
    expect(draftsBegun()).toEqual([['before'], ['slow'], ['next']])
    begun[2]?.done()
    expect(await next).toBe('NEXT')
  })

  it('costs nothing when nobody waits', async () => {
    const { begun, submit } = openGroups()
    const outcome = submit('a')
    await turn()
    expect(vi.getTimerCount()).toBe(1)
    begun[0]?.done()
    await outcome
    await turn()
    pass(100)
    expect(vi.getTimerCount()).toBe(0)
  })
})
