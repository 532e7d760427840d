/** Places are shared among their owners: a crowd of one owner holds up its own. */
import { describe, expect, it } from 'vitest'
import { createPlaces } from '../../src/kit/places.ts'

const longMs = 60_000

/** Has them take places, and tells in which order they got one. */
function taker(places: ReturnType<typeof createPlaces>) {
  const got: string[] = []
  return {
    got,
    take: async (owner: string, name = owner, isFirst = false) => {
      if (await places.take(longMs, owner, isFirst)) got.push(name)
    },
  }
}

/** Until all that was resolved is told. */
const turn = () => new Promise(setImmediate)

describe('a place that comes free', () => {
  it('goes to the owner who has fewest, and then to the one who waits longest', async () => {
    const places = createPlaces(() => 3)
    const { got, take } = taker(places)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']) take(name[0]!, name)
    for (let freed = 0; freed < 4; freed++) {
      places.free('a')
      await turn()
    }
    expect(got).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'a5'])
  })

  it('goes to those who come first, before all that wait for longer', async () => {
    const places = createPlaces(() => 1)
    const { got, take } = taker(places)
    for (const name of ['a1', 'a2', 'b1']) take(name[0]!, name)
    take('a', 'a first', true)
    take('b', 'b first', true)
    for (const owner of ['a', 'a', 'b', 'a']) {
      places.free(owner)
      await turn()
    }
    expect(got).toEqual(['a1', 'a first', 'b first', 'a2', 'b1'])
  })

  it('goes to nobody while there are fewer places than before', async () => {
    let count = 2
    const places = createPlaces(() => count)
    const { got, take } = taker(places)
    for (const name of ['a', 'b', 'c']) take(name)
    count = 1
    places.free('a')
    await turn()
    expect(got).toEqual(['a', 'b'])
    places.free('b')
    await turn()
    expect(got).toEqual(['a', 'b', 'c'])
  })
})

describe('an owner', () => {
  it('has at most so many, and leaves the others free', async () => {
    const places = createPlaces(() => 3, 2)
    const { got, take } = taker(places)
    for (const name of ['a1', 'a2', 'a3', 'b1']) take(name[0]!, name)
    await turn()
    expect(got).toEqual(['a1', 'a2', 'b1'])
    places.free('b')
    await turn()
    expect(got).toEqual(['a1', 'a2', 'b1'])
    places.free('a')
    await turn()
    expect(got).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('is told when none came free in time, and then holds none', async () => {
    const places = createPlaces(() => 1)
    expect(await places.take(0, 'a')).toBe(true)
    expect(await places.take(0, 'b')).toBe(false)
    places.free('a')
    expect(await places.take(0, 'c')).toBe(true)
  })
})
