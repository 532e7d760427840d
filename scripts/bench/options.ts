/** What the command line of the benchmark says. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { createCommand } from '../command.ts'
import { measures } from './measures.ts'
import { packageFolder } from './program.ts'
import type { ProviderKind } from './provider.ts'

export interface Options {
  seconds: number
  callers: number
  rounds: number
  rows: number
  /** Names of measures. */
  only: string[]
  mode: 'live' | 'test'
  /** What messages are delivered through. */
  channel: 'sandbox' | ProviderKind
  events?: boolean
  /** Messages of a month, beside which all is measured again. */
  years?: number
  /** Settings of PostgreSQL, as `shared_buffers=4GB`. */
  postgres: string[]
  /** The folder of another checkout. */
  against?: string
  /** The folder that the package is installed in, in place of this checkout. */
  package?: string
  json?: boolean
}

const delivering = ['deliver', 'hand-over']
const telling = ['events', 'told']
const lasting = ['years']
const whenAsked = [
  'life',
  'beside',
  'reports',
  'hanging',
  ...measures.flatMap((one) => (one.isWhenAsked ? [one.name] : [])),
]
const names = [
  ...measures.map(({ name }) => name),
  'judged',
  'notify-full',
  ...delivering,
  'due',
  'start',
  ...whenAsked,
  ...telling,
  ...lasting,
]

/** Ends the process with a sentence when they are wrong. */
export function parseOptions(args: string[]): Options {
  const about = 'Compares the service with bare servers on the same PostgreSQL. See docs/performance-method.md.'
  const given = createCommand('bench', about)
    .option('--seconds <number>', 'how long a run takes', positive, 5)
    .option('--callers <number>', 'requests at the same time; 1 for the latency of a single one', whole, 32)
    .option('--rounds <number>', 'runs of each server, in turn; the median counts', whole, 3)
    .option('--rows <number>', 'messages and phones that exist at the start', wholeOrNone, 0)
    .option('--only <names>', `some of ${names.join(',')}; "check", "by-phone" and "better-auth" are two each`, chosen)
    .addOption(new Option('--mode <mode>', 'of the key').choices(['live', 'test']).default('live'))
    .addOption(
      new Option('--channel <kind>', 'how messages are sent; the others are the simulator in its own process')
        .choices(['sandbox', 'whatsapp', 'sms'])
        .default('sandbox'),
    )
    .option('--events', 'what events cost: 10,000 to 50 endpoints, 5 of which hang, and sends with an endpoint')
    .option(
      '--years <number>',
      'so many messages of a month in their partitions, beside none; and what retention costs',
      whole,
    )
    .option('--postgres <settings...>', 'settings of PostgreSQL that are not as they come, as shared_buffers=4GB', [])
    .option('--against <folder>', 'another checkout to compare with, in turn with this one', checkout)
    .option('--package <folder>', 'the package that is installed there, in place of this checkout', packageFolder)
    .option('--json', 'print one JSON value')
    .parse(args, { from: 'user' })
    .opts<Options>()
  return { ...given, only: given.only ?? standardNames(given) }
}

function standardNames({ channel, events, years }: Options): string[] {
  if (years) return lasting
  if (events) return telling
  return channel === 'sandbox'
    ? names.filter((name) => ![...telling, ...lasting, ...whenAsked, 'hand-over'].includes(name))
    : delivering
}

function positive(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('It is a number above 0.')
  return value
}

function wholeOrNone(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It is a whole number.')
  return Number(text)
}

function whole(text: string): number {
  return positive(String(wholeOrNone(text)))
}

function checkout(path: string): string {
  if (!existsSync(join(path, 'src/main.ts'))) throw new InvalidArgumentError('There is no src/main.ts.')
  return resolve(path)
}

function chosen(text: string): string[] {
  return text.split(',').flatMap((wanted) => {
    const found = names.filter((name) => name === wanted || name.startsWith(`${wanted}-`))
    if (found.length === 0) throw new InvalidArgumentError(`It is some of ${names.join(', ')}.`)
    return found
  })
}
