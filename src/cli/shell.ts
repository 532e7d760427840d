/** What every command of an operator is made of: options, the database that it works on, and what it prints. */
import { type Command, InvalidArgumentError } from 'commander'
import { createAdmin, type OpenAdmin } from '../admin.ts'
import { type Config, loadConfig } from '../config.ts'
import { jsonLine } from '../terminal.ts'

/** Adds the commands of a noun. */
export type AddCommands = (program: Command, shell: Shell) => void

export interface Shell {
  environment: Readonly<NodeJS.ProcessEnv>
  config: () => Config
  /** Does the work on the database of the settings, which is closed then. */
  administer: (work: (admin: OpenAdmin) => Promise<void>) => Promise<void>
}

export interface Output {
  json?: boolean
}

export interface OfAccount extends Output {
  account: string
}

export function createShell(environment: NodeJS.ProcessEnv): Shell {
  const config = () => ({ ...loadConfig(environment, { role: 'cli' }), logLevel: 'silent' })
  return {
    environment,
    config,
    administer: async (work) => {
      const admin = await createAdmin(config())
      try {
        await work(admin)
      } finally {
        await admin.close()
      }
    },
  }
}

export function command(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--json', 'print one JSON value')
}

export function print(options: Output, json: object, text: string): void {
  process.stdout.write(`${options.json ? jsonLine(json) : text}\n`)
}

/** A length of time as people write it, in seconds: a whole number and s, m, h or d. */
export function seconds(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count === undefined) throw new InvalidArgumentError('Write a whole number and s, m, h or d: 90d, 24h, 30m.')
  return Number(count) * { s: 1, m: 60, h: 3600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd']
}
