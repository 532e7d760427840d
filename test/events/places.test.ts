import { describe, expect, it } from 'vitest'
import { createPlaces } from '../../src/events/places.ts'

/** Of a process with 50 places, 5 for an endpoint. */
function start() {
  let now = 0
  const places = createPlaces({ ofEndpoint: 5, inAll: 50, runtime: { elapsedMs: () => now } })
  const one = (endpointId: string) => ({ accountId: 'acct_default', endpointId })
  const divide = (...due: [id: string, due: number][]) => {
    const divided = places.divide(due.map(([id, count]) => ({ ...one(id), due: count })))
    return Object.fromEntries(divided.map(({ endpointId, count }) => [endpointId, count]))
  }
  const take = (id: string, count = 1) => {
    for (let taken = 0; taken < count; taken++) places.take(one(id))
  }
  const free = (id: string, ms: number | undefined, count = 1) => {
    for (let freed = 0; freed < count; freed++) places.free(one(id), ms)
  }
  const know = (id: string, ms: number | undefined) => {
    take(id)
    free(id, ms)
  }
  return { ...places, divide, take, free, know, advance: (ms: number) => (now += ms) }
}

const names = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}${index}`)

describe('an endpoint', () => {
  it('has one place until it has answered, and five when it did so soon', () => {
    const { divide, take, free } = start()
    expect(divide(['a', 9])).toEqual({ a: 1 })
    take('a')
    expect(divide(['a', 9])).toEqual({})
    free('a', 20)
    expect(divide(['a', 9])).toEqual({ a: 5 })
    take('a', 3)
    expect(divide(['a', 9])).toEqual({ a: 2 })
    expect(divide(['a', 1])).toEqual({ a: 1 })
  })

  it('that takes long has five too, while nobody else needs them', () => {
    const { divide, know } = start()
    know('a', 9000)
    expect(divide(['a', 9])).toEqual({ a: 5 })
  })
})

describe('endpoints that do not answer', () => {
  it('have half of the places together, and leave the others to those that do', () => {
    const { divide, know, take } = start()
    const [hanging, good] = [names(20, 'hanging'), names(20, 'good')]
    for (const id of hanging) know(id, undefined)
    for (const id of good) know(id, 20)
    const divided = divide(...[...hanging, ...good].map((id): [string, number] => [id, 100]))
    const sum = (ids: string[]) => ids.reduce((total, id) => total + (divided[id] ?? 0), 0)
    expect([sum(hanging), sum(good)]).toEqual([25, 25])
    for (const id of hanging) take(id, divided[id])
    expect(divide(...hanging.map((id): [string, number] => [id, 100]))).toEqual({})
    expect(sum(Object.keys(divide(...good.map((id): [string, number] => [id, 100]))))).toBe(25)
  })

  it('are known by it while they are still silent', () => {
    const { divide, know, take, advance } = start()
    const ids = names(5, 'once-good')
    for (const id of ids) know(id, 20)
    for (const id of ids) take(id, 4)
    advance(1001)
    know('good', 20)
    // 20 of the 25 are taken by them.
    const divided = divide(...ids.map((id): [string, number] => [id, 100]), ['good', 100])
    expect(divided).toEqual({ ...Object.fromEntries(ids.map((id) => [id, 1])), good: 5 })
  })

  it('are taken for good ones again when they answer soon', () => {
    const { divide, know } = start()
    for (const id of names(30, 'a')) know(id, undefined)
    for (const id of names(30, 'a')) know(id, 10)
    const divided = divide(...names(30, 'a').map((id): [string, number] => [id, 100]))
    expect(Object.values(divided).reduce((sum, count) => sum + count, 0)).toBe(50)
  })
})

describe('places', () => {
  it('are divided evenly, those first who have waited longest', () => {
    const { divide, know, take, areFree } = start()
    const ids = names(60, 'a')
    for (const id of ids) know(id, 20)
    const due = ids.map((id): [string, number] => [id, 100])
    const first = divide(...due)
    expect(Object.keys(first)).toEqual(ids.slice(0, 50))
    expect(new Set(Object.values(first))).toEqual(new Set([1]))
    for (const id of ids.slice(0, 50)) take(id)
    expect(areFree()).toBe(false)
    expect(divide(...due)).toEqual({})
  })

  it('come first to who has the fewest, also when it came last', () => {
    const { divide, know, take } = start()
    for (const id of [...names(10, 'busy'), 'new']) know(id, 20)
    for (const id of names(9, 'busy')) take(id, 5)
    expect(divide(['busy9', 100], ['new', 100])).toEqual({ busy9: 3, new: 2 })
    expect(divide(...names(10, 'busy').map((id): [string, number] => [id, 100]), ['new', 1])).toEqual({
      busy9: 4,
      new: 1,
    })
  })
})
