/** Faults at random, which come again in the same places: what a phone meets at its nth request hangs on the seed alone. */
import { hash } from 'node:crypto'
import { findFault, passing, type WireName } from './faults.ts'

export interface ChaosSettings {
  /** Of a request to meet a fault, from 0 to 1. */
  probability: number
  seed: number
  /** Names; those that a right service gets over when left out. */
  faults?: readonly string[] | undefined
}

export interface Chaos {
  settings: () => ChaosSettings | undefined
  /** Counts again. @param settings undefined ends it */
  set: (settings: ChaosSettings | undefined) => void
  /** Counts a request. @returns the name of the fault that it meets, if it meets one */
  draw: (wire: WireName, phone: string) => string | undefined
}

/** Phones whose requests are counted. */
const countedMax = 200_000

export function createChaos(): Chaos {
  let current: ChaosSettings | undefined
  const counts = new Map<string, number>()

  return {
    settings: () => current,
    set: (settings) => {
      current = settings
      counts.clear()
    },
    draw: (wire, phone) => {
      if (!current) return undefined
      const { probability, seed, faults = passing } = current
      const who = `${wire} ${phone}`
      const nth = counts.get(who) ?? 0
      if (counts.size >= countedMax) counts.clear()
      counts.set(who, nth + 1)
      const digest = hash('sha256', `${seed} ${who} ${nth}`, 'buffer')
      if (digest.readUInt32BE(0) / 2 ** 32 >= probability) return undefined
      const fitting = faults.filter((name) => findFault(name)?.[wire])
      return fitting[digest.readUInt32BE(4) % fitting.length]
    },
  }
}
