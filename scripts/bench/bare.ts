/** The bare servers that the service is measured beside. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { table } from './bare/table.ts'
import type { Databases } from './database.ts'
import { messagesSql } from './rows.ts'
import { type Server, startServer } from './server.ts'

export const bareNames = {
  express: 'Express alone',
  insert: 'Express + postgres.js, one INSERT a request',
  select: 'Express + postgres.js, one SELECT a request',
  betterAuth: 'better-auth with its phone plug-in',
}

export type BareKind = keyof typeof bareNames

export interface Bare {
  /** The name of the database to copy. */
  template: string
  start: (kind: BareKind, databaseUrl: string) => Promise<Server>
}

/** @param rows how many messages there are from the start; there are some at least, to be read */
export async function prepareBare({
  databases,
  folder,
  rows,
}: {
  databases: Databases
  folder: string
  rows: number
}): Promise<Bare> {
  const template = 'bare_template'
  await databases.create(template)
  await databases.run(template, table + messagesSql(Math.max(rows, bareRowsMin)))
  await databases.run(template, 'vacuum analyze')
  const root = join(import.meta.dirname, '../..')
  return {
    template,
    start: async (kind, DATABASE_URL) => {
      const isPackage = kind === 'betterAuth'
      if (isPackage) await promisify(execFile)(process.execPath, ['scripts/install.ts', betterAuth], { cwd: root })
      const script = isPackage ? `${betterAuth}/server.ts` : `scripts/bench/bare/${kind}.ts`
      return startServer([script], { root, folder, settings: { DATABASE_URL } })
    },
  }
}

export const bareRowsMin = 1000
/** With what it needs, which is installed when it is measured. */
const betterAuth = 'packages/better-auth'
