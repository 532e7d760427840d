/** The bare servers that the service is measured beside. */
import { join } from 'node:path'
import { table } from './bare/table.ts'
import type { Databases } from './database.ts'
import { messagesSql } from './rows.ts'
import { type Server, startServer } from './server.ts'

export const bareNames = {
  express: 'Express alone',
  insert: 'Express + postgres.js, one INSERT a request',
  select: 'Express + postgres.js, one SELECT a request',
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
    start: (kind, DATABASE_URL) =>
      startServer([`scripts/bench/bare/${kind}.ts`], { root, folder, settings: { DATABASE_URL } }),
  }
}

export const bareRowsMin = 1000
