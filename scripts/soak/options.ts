/** What the command line of the soak says. */
import { InvalidArgumentError } from 'commander'
import { packageFolder } from '../bench/program.ts'
import { createCommand } from '../command.ts'

export interface Options {
  minutes: number
  /** Requests a second; half of what is measured when undefined. */
  rate?: number
  seed: number
  /** Seconds between two faults, about. */
  faultEvery: number
  /** False: nothing is broken. */
  faults: boolean
  dashboards: number
  /** Gets the report as JSON. */
  report?: string
  /** The folder that the package is installed in, in place of this checkout. */
  package?: string
}

/** Ends the process with a sentence when they are wrong. */
export function parseOptions(args: string[]): Options {
  const about =
    'Runs the whole service under load and faults, and looks for what grows or is lost. See docs/operations.md.'
  const given = createCommand('soak', about)
    .option('--minutes <number>', 'how long the load lasts', above(0), 60)
    .option('--rate <number>', 'requests a second; half of what is measured at the start when left out', above(0))
    .option('--seed <number>', 'the same seed draws the same faults and callers', whole, Date.now() % 1_000_000)
    .option('--fault-every <seconds>', 'from one fault to the next, about', above(0))
    .option('--no-faults', 'break nothing')
    .option('--dashboards <number>', 'people who look at the dashboard all the time', whole, 3)
    .option('--report <file>', 'write the report there as JSON')
    .option('--package <folder>', 'the package that is installed there, in place of this checkout', packageFolder)
    .parse(args, { from: 'user' })
    .opts<Omit<Options, 'faultEvery'> & { faultEvery?: number }>()
  // In a short run, every kind of fault still has its turn.
  return { ...given, faultEvery: given.faultEvery ?? Math.min(20, given.minutes * 5) }
}

function above(least: number) {
  return (text: string): number => {
    const value = Number(text)
    if (!(value > least) || !Number.isFinite(value)) throw new InvalidArgumentError(`It is a number above ${least}.`)
    return value
  }
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.')
  return Number(text)
}
