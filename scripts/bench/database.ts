/** The PostgreSQL that everything is measured on, and the databases in it. */
import postgres from 'postgres'
import { temporaryPostgres } from '../../test/support/postgres.ts'
import { parentOf } from './process.ts'

type Row = Record<string, unknown>

export interface Databases {
  /** The process that has started all others of the server. */
  postmaster: number
  version: string
  /**
   * In place of the one that has this name.
   *
   * @param template a database that this one is a copy of
   * @returns its URL
   */
  create: (name: string, template?: string) => Promise<string>
  drop: (name: string) => Promise<void>
  /** Runs statements in a database of that name, and closes it again. @returns the rows of the last of them */
  run: (name: string, statements: string) => Promise<Row[]>
  open: (name: string) => Session
  stop: () => Promise<void>
}

export interface Session {
  /** @returns the rows of the last of these statements */
  run: (statements: string) => Promise<Row[]>
  close: () => Promise<void>
}

/** @param settings of PostgreSQL that are not as they come */
export async function openDatabases(settings: string[]): Promise<Databases> {
  const server = await temporaryPostgres('bench', settings)
  const urlOf = (name: string) => server.url.replace(/bench$/, name)
  const connect = (name: string) => postgres(urlOf(name), { max: 1, onnotice: () => {} })
  const open = (name: string): Session => {
    const sql = connect(name)
    return { run: async (statements) => [...(await sql.unsafe(statements))], close: () => sql.end() }
  }
  const admin = connect('bench')
  const drop = async (name: string) => {
    await admin.unsafe(`drop database if exists ${name} with (force)`)
  }
  const [about] = await admin`select pg_backend_pid() as pid, current_setting('server_version') as version`
  return {
    postmaster: parentOf(about?.pid),
    version: about?.version,
    create: async (name, template) => {
      await drop(name)
      await admin.unsafe(`create database ${name}${template ? ` template ${template}` : ''}`)
      return urlOf(name)
    },
    drop,
    run: async (name, statements) => {
      const session = open(name)
      try {
        return await session.run(statements)
      } finally {
        await session.close()
      }
    },
    open,
    stop: async () => {
      // What is not written yet would be written while it stops, which has a time limit.
      await admin`checkpoint`.catch(() => {})
      await admin.end()
      await server.stop()
    },
  }
}
