/** Chance that is the same in each run with the same seed. */

export interface Chance {
  /** From 0 up to, but not, 1. */
  part: () => number
  /** A whole number from 0 up to, but not, `below`. */
  whole: (below: number) => number
  /** So many digits. */
  digits: (count: number) => string
  pick: <Item>(list: readonly Item[]) => Item
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0
  // Mulberry32, by Tommy Ettinger: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c
  const part = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (below: number) => Math.floor(part() * below)
  return {
    part,
    whole,
    digits: (count) => String(whole(10 ** count)).padStart(count, '0'),
    pick: (list) => list[whole(list.length)]!,
  }
}
