import { expect, it } from 'vitest'
import { createRemembered } from '../../src/kit/remembered.ts'

/** What a database would say, with a clock that stands still. A read ends when the test says so. */
function open({ keysMax = 10 } = {}) {
  const at = { ms: 0 }
  const facts = new Map<string, string>()
  const asked: string[] = []
  const evicted: string[] = []
  let held: PromiseWithResolvers<void> | undefined
  const remembered = createRemembered<string | undefined, { fact: string; changes: number }>({
    now: () => at.ms,
    keysMax,
    read: async (key) => {
      asked.push(key)
      const found = facts.get(key)
      await held?.promise
      if (found === 'broken') throw new Error('out of reach')
      return found
    },
    keep: (fact, _key, last) => (fact === undefined ? undefined : { fact, changes: (last?.changes ?? -1) + 1 }),
    onEvicted: ({ fact }) => evicted.push(fact),
  })
  const hold = () => {
    const read = Promise.withResolvers<void>()
    held = read
    return () => {
      held = undefined
      read.resolve()
    }
  }
  return { ...remembered, at, facts, asked, evicted, hold }
}

it('reads once for all who ask at the same time, and again only when two seconds are over', async () => {
  const { get, recent, facts, asked, at } = open()
  facts.set('a', 'first')
  expect(await Promise.all([get('a'), get('a'), get('a')])).toMatchObject(Array(3).fill({ fact: 'first' }))
  facts.set('a', 'second')
  at.ms = 1999
  expect(recent('a')?.value).toMatchObject({ fact: 'first' })
  expect(asked).toEqual(['a'])
  at.ms = 2000
  for (let time = 0; time < 100; time++) expect(recent('a')?.value).toMatchObject({ fact: 'first' })
  await expect.poll(() => recent('a')?.value).toMatchObject({ fact: 'second' })
  expect(asked).toEqual(['a', 'a'])
})

it('uses nothing that is four seconds old, counted from the beginning of the read', async () => {
  const { get, recent, facts, hold, at } = open()
  facts.set('a', 'first')
  const release = hold()
  const slow = get('a')
  at.ms = 3999
  release()
  await slow
  facts.set('a', 'broken')
  expect(recent('a')?.value).toMatchObject({ fact: 'first' })
  at.ms = 4000
  expect(recent('a')).toBeUndefined()
  await expect(get('a')).rejects.toThrow('out of reach')
})

it('uses what it has while it cannot be read again, until that is stale', async () => {
  const { get, facts, at } = open()
  facts.set('a', 'first')
  await get('a')
  facts.set('a', 'broken')
  at.ms = 3000
  expect(await get('a')).toMatchObject({ fact: 'first' })
  at.ms = 3999
  expect(await get('a')).toMatchObject({ fact: 'first' })
})

it('does a read again that was under way when its key was forgotten, or all keys were', async () => {
  for (const forgotten of ['a', undefined]) {
    const { get, forget, facts, asked, hold } = open()
    facts.set('a', 'first')
    const release = hold()
    const earlier = get('a')
    facts.set('a', 'second')
    forget(forgotten)
    const meanwhile = get('a')
    release()
    expect([await earlier, await meanwhile, await get('a')]).toMatchObject(Array(3).fill({ fact: 'second' }))
    expect(asked).toEqual(['a', 'a'])
  }
})

it('goes on from the last value, also when that was forgotten', async () => {
  const { get, last, forget, facts } = open()
  facts.set('a', 'first')
  await get('a')
  forget('a')
  expect(last('a')).toEqual({ fact: 'first', changes: 0 })
  expect(await get('a')).toEqual({ fact: 'first', changes: 1 })
})

it('reads anew after a read that may have begun too early, and also when that one failed', async () => {
  for (const before of ['first', 'broken']) {
    const { get, readAnew, facts, hold } = open()
    facts.set('a', before)
    const release = hold()
    const earlier = get('a').catch(() => undefined)
    facts.set('a', 'second')
    const anew = readAnew('a')
    release()
    await earlier
    expect(await anew).toMatchObject({ fact: 'second' })
  }
})

it('knows for four seconds that there is nothing, and asks no sooner', async () => {
  const { get, recent, facts, asked, at } = open()
  expect(await get('a')).toBeUndefined()
  facts.set('a', 'first')
  at.ms = 3999
  expect(recent('a')).toMatchObject({ value: undefined })
  expect(asked).toEqual(['a'])
  at.ms = 4000
  expect(await get('a')).toMatchObject({ fact: 'first' })
})

it('keeps what there is, however many keys of nothing are asked for, also while they are read', async () => {
  const { get, recent, facts, evicted, hold } = open({ keysMax: 10 })
  facts.set('a', 'first')
  await get('a')
  const release = hold()
  const strangers = Promise.all(Array.from({ length: 1000 }, (_, index) => get(`stranger ${index}`)))
  expect(recent('a')).toBeDefined()
  release()
  await strangers
  expect(recent('a')).toBeDefined()
  expect(evicted).toEqual([])
})

it('tells of a value that has to make room for others', async () => {
  const { get, facts, evicted, keys } = open({ keysMax: 2 })
  for (const key of ['a', 'b', 'c']) {
    facts.set(key, `fact of ${key}`)
    await get(key)
  }
  expect(evicted).toEqual(['fact of a'])
  expect(keys().sort()).toEqual(['b', 'c'])
})
