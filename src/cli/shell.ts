/** What every command of an operator is made of: options, the database that it works on, and what it prints. */
import { setTimeout } from 'node:timers/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { createAdmin, migrate } from '../app/admin.ts'
import { dashboardUrlOf } from '../app/greeting.ts'
import { keepPartitions } from '../app/partitions.ts'
import type { PartitionsChanged } from '../domain/keeping/partition.ts'
import type { Commands, Served } from '../http/commands/calls.ts'
import { Refusal } from '../kit/refusal.ts'
import { jsonLine } from '../kit/terminal.ts'
import { type Config, loadConfig } from '../settings/config.ts'
import { DatabaseHeld } from '../store/engine/failure.ts'
import { openBeside } from './beside.ts'

/** Adds the commands of a noun. */
export type AddCommands = (program: Command, shell: Shell) => void

export interface Shell {
  environment: Readonly<NodeJS.ProcessEnv>
  /** @throws ConfigError */
  config: () => Config
  /** Where people reach the dashboard by the settings, without a slash at the end. @throws Refusal when there is none */
  dashboardUrl: () => string
  /** Does the work on the database of the settings: in this process, or where a service has it, in that one. */
  administer: (work: (admin: Commands & Around) => Promise<void>) => Promise<void>
  /** Brings the database of the settings to this version. */
  migrate: () => Promise<void>
  /** Makes the partitions that are needed next, and drops those that are past; ends early when told to. */
  keepPartitions: () => Promise<PartitionsChanged>
}

export interface Output {
  json?: boolean
}

export interface OfAccount extends Output {
  account: string
}

interface Around {
  now: () => Date
  /** Of the running service that does the work, where one does and has a dashboard. */
  dashboardUrl?: string | undefined
  /** Of the running service that does the work, or else of the command; a PUBLIC_URL that the command is given counts first. */
  served: Served
}

/** Milliseconds for which a service that is starting or stopping, or another command, may have the database. */
const heldMs = 10_000
const againMs = 100

function servedFor({ publicUrl, twilioVerify }: Served, ofService: Served | undefined): Served {
  return { publicUrl: publicUrl ?? ofService?.publicUrl, twilioVerify: ofService?.twilioVerify ?? twilioVerify }
}

export function createShell(environment: NodeJS.ProcessEnv): Shell {
  const config = () => ({ ...loadConfig(environment, { role: 'cli' }), logLevel: 'silent' })
  return {
    environment,
    config,
    dashboardUrl: () => {
      const settings = config()
      const { dashboardUrl, dashboardPort } = settings
      if (dashboardUrl !== undefined) return dashboardUrl
      if (dashboardPort === undefined) throw new Refusal('There is no dashboard: DASHBOARD_PORT is off.')
      return dashboardUrlOf(settings, dashboardPort)
    },
    administer: async (work) => {
      const settings = config()
      const admin = await reach(settings, createAdmin)
      try {
        await work({ ...admin, served: servedFor(settings, 'served' in admin ? admin.served : undefined) })
      } finally {
        await admin.close()
      }
    },
    migrate: async () => {
      // A service that has it is of this version, and has brought it there when it started.
      const done = await reach(config(), async (settings) => {
        await migrate(settings)
        return { close: async () => {} }
      })
      await done.close()
    },
    keepPartitions: () => {
      let isStopping = false
      // A change that is cut off leaves a check, which refuses ids until it is dropped.
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isStopping = true))
      return keepPartitions(config(), () => isStopping)
    },
  }
}

/** @returns what opens alone; or if a running service has the embedded database, what has that do the work */
export async function reach<Alone>(config: Config, open: (config: Config) => Promise<Alone>) {
  const { database } = config
  if (database.kind !== 'embedded') return open(config)
  for (const givenUpAt = performance.now() + heldMs; ; await setTimeout(againMs)) {
    const service = await openBeside(database.dataDir)
    // On the same machine there is one clock.
    if (service) return { ...service, now: () => new Date() }
    try {
      return await open(config)
    } catch (error) {
      if (!(error instanceof DatabaseHeld) || performance.now() > givenUpAt) throw error
    }
  }
}

export function command(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--json', 'print one JSON value')
}

export function print(options: Output, json: object, text: string): void {
  process.stdout.write(`${options.json ? jsonLine(json) : text}\n`)
}

/** Says on the error output what of each, by its name, is perhaps not as it was meant. */
export function warnOf(notes: readonly (readonly [name: string, note: string | undefined])[]): void {
  for (const [name, note] of notes) if (note !== undefined) process.stderr.write(`Warning: ${name} ${note}.\n`)
}

/** Twice as long ago, there was no year 1 yet, and the database reads no such time. */
const daysMax = 365_000

/** A length of time as people write it, in seconds: a whole number and s, m, h or d. */
export const seconds = secondsLike('90d, 24h or 30m')

/** @param examples that the option or argument takes */
export function secondsLike(examples: string) {
  return (text: string) => readSeconds(text, examples)
}

function readSeconds(text: string, examples: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count === undefined) throw new InvalidArgumentError(`Write a whole number and s, m, h or d, like ${examples}.`)
  if (unit === 'd' && Number(count) > daysMax) throw new InvalidArgumentError(`Write ${daysMax} days at most.`)
  return Number(count) * { s: 1, m: 60, h: 3600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd']
}

/** @param standard a length of time, as its help shows it */
export function lengthOption(flags: string, description: string, standard: string): Option {
  return new Option(flags, description).argParser(seconds).default(seconds(standard), standard)
}
