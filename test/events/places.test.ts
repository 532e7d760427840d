import { describe, expect, it } from 'vitest'
import { createEndpointPlaces, type EndpointPace } from '../../src/events/places.ts'

/** Of a process with 5 places for an endpoint, 40 for quick ones, 20 for slow ones and 12 for unknown ones. */
const max = { ofEndpoint: 5, quick: 40, slow: 20, unknown: 12, fresh: 4 }

/** An endpoint is named by its account and a number: `a1` is of the account `a`. */
function start() {
  let now = 0
  const places = createEndpointPlaces({ max, runtime: { elapsedMs: () => now } })
  const one = (endpointId: string) => ({ accountId: endpointId.replace(/\d+$/, ''), endpointId })
  /** What the database knew of them when it was asked last. */
  const stored = new Map<string, EndpointPace>()
  let seenAt = -1
  const divide = (...due: [id: string, due: number][]) => {
    const divided = places.divide(
      due.map(([id, count]) => ({ ...one(id), due: count, pace: stored.get(id) ?? null, seenAt })),
    )
    return Object.fromEntries(divided.map(({ endpointId, count }) => [endpointId, count]))
  }
  const take = (id: string, count = 1) => Array.from({ length: count }, () => places.take(one(id)))
  const know = (pace: EndpointPace, ...ids: string[]) => {
    for (const id of ids) places.take(one(id))(pace)
  }
  /** Divides all, and takes what was given. */
  const give = (...due: [id: string, due: number][]) => {
    const divided = divide(...due)
    const ends = Object.entries(divided).flatMap(([id, count]) => take(id, count))
    return {
      divided,
      end: (pace: EndpointPace | undefined) => {
        for (const end of ends) end(pace)
      },
    }
  }
  const store = (pace: EndpointPace, ...ids: string[]) => {
    for (const id of ids) stored.set(id, pace)
    seenAt = now
  }
  return { ...places, divide, take, give, know, store, advance: (ms: number) => (now += ms) }
}

const names = (count: number, account: string) => Array.from({ length: count }, (_, index) => `${account}${index}`)
const much = (...ids: string[]) => ids.map((id): [string, number] => [id, 100])
const sum = (divided: Record<string, number>) => Object.values(divided).reduce((total, count) => total + count, 0)

describe('an endpoint', () => {
  it('has one place until it has answered, and five when it did so soon', () => {
    const { divide, take } = start()
    expect(divide(['a', 9])).toEqual({ a: 1 })
    const [answer] = take('a')
    expect(divide(['a', 9])).toEqual({})
    answer!('quick')
    expect(divide(['a', 9])).toEqual({ a: 5 })
    take('a', 3)
    expect(divide(['a', 9])).toEqual({ a: 2 })
    expect(divide(['a', 1])).toEqual({ a: 1 })
  })

  it('that takes long has five too, while nobody else needs them', () => {
    const { divide, know } = start()
    know('slow', 'a')
    expect(divide(['a', 9])).toEqual({ a: 5 })
  })

  it('is known by what the database knows, until something else is found out here', () => {
    const { divide, store, know, advance } = start()
    store('quick', 'a')
    expect(divide(['a', 9])).toEqual({ a: 5 })
    know('slow', ...names(5, 'a'))
    store('quick', 'a')
    advance(1)
    know('slow', 'a')
    // The slow places of the account are all that it has now: the database was asked before.
    expect(sum(divide(...much('a', 'a0', 'a1', 'a2', 'a3')))).toBe(10)
    advance(1)
    store('quick', 'a')
    expect(divide(...much('a', 'a0', 'a1', 'a2', 'a3')).a).toBe(5)
  })

  it('of which nothing was learned is taken for what it was', () => {
    const { give, divide, know } = start()
    know('quick', 'a')
    give(['a', 5]).end(undefined)
    expect(divide(['a', 9])).toEqual({ a: 5 })
    give(['b', 5]).end(undefined)
    expect(divide(['b', 9])).toEqual({ b: 1 })
  })
})

describe('endpoints that never answered', () => {
  it('leave the places of those that answer soon alone, however many they are', () => {
    const { give, know, divide, advance } = start()
    know('quick', 'good')
    const hanging = names(100, 'h').map((id, index) => `${id.replace(/\d+/, '')}${'abcdefghij'[index % 10]}${index}`)
    for (let second = 0; second < 20; second++) {
      give(...much(...hanging))
      expect(divide(...much(...hanging, 'good')).good).toBe(5)
      advance(1001)
    }
  })

  it('are asked a few at once, and more as soon as these answer or were silent for a second', () => {
    const { give, advance } = start()
    const all = much('a0', 'b0', 'c0', 'd0', 'e0', 'f0', 'g0', 'h0', 'i0')
    const first = give(...all)
    expect(sum(first.divided)).toBe(4)
    expect(give(...all).divided).toEqual({})
    first.end('quick')
    const second = give(...all.slice(4))
    expect(sum(second.divided)).toBe(4)
    advance(1001)
    expect(give(...all.slice(8)).divided).toEqual({ i0: 1 })
  })

  it('of an account have half of what is free, so that one of another account is asked at once', () => {
    const { give, divide, advance } = start()
    const many = much(...names(40, 'many'))
    for (let second = 0; second < 4; second++) {
      expect(sum(give(...many).divided)).toBe(2)
      expect(divide(...many, ['other', 1])).toEqual({ other: 1 })
      advance(1001)
    }
  })

  it('come by turns of their accounts, those of the one that waits longest first', () => {
    const { give, know, advance } = start()
    know('slow', 'b9', 'c9', 'd9', 'e9', 'a9')
    const [a, others] = [much(...names(9, 'a')), much('b0', 'c0', 'd0', 'e0')]
    const first = give(...a, ...others)
    expect(Object.keys(first.divided).toSorted()).toEqual(['b0', 'c0', 'd0', 'e0'])
    advance(1001)
    expect(sum(give(...a).divided)).toBe(2)
    advance(1001)
    expect(Object.keys(give(...a.slice(2), ['f0', 1], ['g0', 1]).divided).toSorted()).toEqual(['a2', 'f0', 'g0'])
  })
})

describe('endpoints that do not answer', () => {
  it('have places of their own, and leave the others to those that do', () => {
    const { divide, know, give } = start()
    const [hanging, good] = [
      ['h0', 'i0', 'j0', 'k0', 'l0', 'm0', 'n0'],
      ['good0', 'good1'],
    ]
    know('slow', ...hanging)
    know('quick', ...good)
    const divided = give(...much(...hanging)).divided
    expect(sum(divided)).toBeLessThanOrEqual(20)
    expect(divide(...much(...hanging))).toEqual({})
    expect(divide(...much(...hanging, ...good))).toEqual({ good0: 5, good1: 5 })
  })

  it('are known by it while they are still silent', () => {
    const { divide, know, take, advance } = start()
    const ids = names(4, 'a')
    know('quick', ...ids, 'good', 'b')
    for (const id of ids) take(id, 4)
    expect(divide(...much(...ids))).toEqual({ a0: 1, a1: 1, a2: 1, a3: 1 })
    advance(1001)
    know('slow', 'a8', 'a9')
    // They share what slow ones have now.
    expect(sum(divide(...much(...ids, 'a8', 'a9')))).toBe(10)
    expect(divide(...much('good', 'b'))).toEqual({ good: 5, b: 5 })
  })

  it('are taken for good ones again when they answer soon', () => {
    const { divide, know } = start()
    know('slow', ...names(30, 'a'))
    expect(sum(divide(...much(...names(30, 'a'))))).toBe(10)
    know('quick', ...names(30, 'a'))
    expect(sum(divide(...much(...names(30, 'a'))))).toBe(20)
  })
})

describe('an account', () => {
  it('an endpoint that answered soon and then hangs leaves half of the places to others', () => {
    const { give, know } = start()
    know('quick', ...names(20, 'a'), ...names(20, 'b'), ...names(20, 'c'), 'good')
    expect(sum(give(...much(...names(20, 'a'))).divided)).toBe(20)
    expect(sum(give(...much(...names(20, 'b'))).divided)).toBe(10)
    expect(sum(give(...much(...names(20, 'c'))).divided)).toBe(5)
    expect(give(['good', 1]).divided).toEqual({ good: 1 })
  })

  it('with many endpoints has no more than one with few, where both need places', () => {
    const { divide, know } = start()
    know('quick', ...names(20, 'a'), ...names(3, 'b'))
    const divided = divide(...much(...names(20, 'a'), ...names(3, 'b')))
    const ofAccount = (account: string) =>
      sum(Object.fromEntries(Object.entries(divided).filter(([id]) => id.startsWith(account))))
    expect([ofAccount('a'), ofAccount('b')]).toEqual([14, 13])
  })
})

describe('places', () => {
  it('are divided evenly among endpoints, those first who have waited longest', () => {
    const { divide, give, know } = start()
    const ids = names(30, 'a')
    know('quick', ...ids)
    const first = give(...much(...ids))
    expect(first.divided).toEqual(Object.fromEntries(ids.slice(0, 20).map((id) => [id, 1])))
    expect(divide(...much(...ids))).toEqual({})
    first.end('quick')
    expect(Object.keys(divide(...much(...ids))).toSorted()).toEqual([...ids.slice(20), ...ids.slice(0, 10)].toSorted())
  })

  it('come first to the endpoint of an account that has the fewest, also when it came last', () => {
    const { divide, know, take } = start()
    know('quick', ...names(5, 'a'), 'a9')
    for (const id of names(3, 'a')) take(id, 5)
    take('a3', 4)
    expect(divide(...much('a3', 'a9'))).toEqual({ a9: 1 })
  })
})
