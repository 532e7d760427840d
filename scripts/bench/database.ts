/** The PostgreSQL that everything is measured on, with its settings as they come, and the databases in it. */
import postgres from 'postgres'
import { temporaryPostgres } from '../../test/support/postgres.ts'
import { parentOf } from './process.ts'

export interface Databases {
  /** The process that has started all others of the server. */
  postmaster: number
  version: string
  /**
   * @param template a database that this one is a copy of
   * @returns its URL
   */
  create: (name: string, template?: string) => Promise<string>
  drop: (name: string) => Promise<void>
  /** Runs statements in a database of that name. @returns the rows of the last */
  run: (name: string, statements: string) => Promise<Record<string, unknown>[]>
  stop: () => Promise<void>
}

export async function openDatabases(): Promise<Databases> {
  const server = await temporaryPostgres('bench', [])
  const urlOf = (name: string) => server.url.replace(/bench$/, name)
  const open = (name: string) => postgres(urlOf(name), { max: 1, onnotice: () => {} })
  const admin = open('bench')
  const [about] = await admin`select pg_backend_pid() as pid, current_setting('server_version') as version`
  return {
    postmaster: parentOf(about?.pid),
    version: about?.version,
    create: async (name, template) => {
      await admin.unsafe(`create database ${name}${template ? ` template ${template}` : ''}`)
      return urlOf(name)
    },
    drop: async (name) => {
      await admin.unsafe(`drop database if exists ${name} with (force)`)
    },
    run: async (name, statements) => {
      const sql = open(name)
      try {
        return [...(await sql.unsafe(statements))]
      } finally {
        await sql.end()
      }
    },
    stop: async () => {
      await admin.end()
      await server.stop()
    },
  }
}
