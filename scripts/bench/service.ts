/** A checkout of the service, or its package, ready to be started on as many copies of its database as are wanted. */
import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Databases } from './database.ts'
import { findCli, findProgram } from './program.ts'
import { goodDaySql, messagesSql, phonesSql } from './rows.ts'
import { type Server, startServer } from './server.ts'

/** `both`: as one process, as an installation begins. */
export type Role = 'serve' | 'worker' | 'both'

export interface Service {
  name: string
  slug: string
  /** What its processes have in their environment, but for the database. */
  settings: Record<string, string>
  keys: { live: string; test: string }
  /** The names of databases to copy. In the second, no table has or gets statistics. */
  templates: { usual: string; neverAnalysed: string }
  /** @param more of its environment */
  start: (role: Role, databaseUrl: string, more?: Record<string, string>) => Promise<Server>
  /** Does an operator's command. @returns what it prints */
  command: (args: string[], databaseUrl: string) => Promise<string>
  /** Makes the channels of an account those of a file; of the default one when none is named. */
  applyChannels: (file: string, databaseUrl: string, account?: string) => Promise<void>
  /** On the embedded database in that folder. */
  startEmbedded: (dataDir: string) => Promise<Server>
}

/**
 * @param name for people; `slug` is for databases and folders
 * @param rows how many messages there are from the start
 */
export async function prepareService(
  { name, slug, root }: { name: string; slug: string; root: string },
  { databases, folder, rows }: { databases: Databases; folder: string; rows: number },
): Promise<Service> {
  const dataDir = join(folder, slug)
  await mkdir(dataDir)
  const settings = {
    WATCHWORD_SECRET: 'a secret of the benchmark that is long enough',
    DATA_DIR: dataDir,
    DEV_KEYS: 'on',
    KEY_RATE_PER_SECOND: '1000000',
    KEY_BURST: '1000000',
    TEST_KEY_RATE_PER_SECOND: '1000000',
    TWILIO_VERIFY: 'on',
    TEST_MESSAGES_MAX: '1000000000',
    // Where the receivers of events are.
    EVENTS_ALLOW_HTTP: 'on',
    EVENTS_ALLOW_NETWORKS: '127.0.0.0/8',
    // Where the simulated providers are.
    CHANNELS_ALLOW_NETWORKS: '127.0.0.0/8',
  }
  const program = await findProgram(root, 'start')
  const start: Service['start'] = (role, DATABASE_URL, more = {}) =>
    startServer([...program, role === 'worker' ? role : 'serve'], {
      root,
      folder,
      settings: { ...settings, DATABASE_URL, ...(role === 'serve' && { WORKER: 'off' }), ...more },
    })
  const command: Service['command'] = async (args, DATABASE_URL) => {
    const env = { ...settings, DATABASE_URL }
    return (await promisify(execFile)(process.execPath, [...findCli(root), ...args], { cwd: root, env })).stdout
  }
  const applyChannels: Service['applyChannels'] = async (file, databaseUrl, account = 'default') => {
    await command(['channels', 'apply', file, '--account', account], databaseUrl)
  }
  const neverAnalysed = `${slug}_never_analysed`
  const first = await start('serve', await databases.create(neverAnalysed))
  await first.end('SIGTERM')
  await databases.run(neverAnalysed, setAutovacuum('off'))
  await databases.run(neverAnalysed, goodDaySql + (rows > 0 ? messagesSql(rows) + phonesSql() : ''))
  const usual = `${slug}_usual`
  await databases.create(usual, neverAnalysed)
  await databases.run(usual, setAutovacuum('on'))
  if (rows > 0) await databases.run(usual, 'vacuum analyze')
  const key = async (mode: string) => (await readFile(join(dataDir, `${mode}-key`), 'utf8')).trim()
  return {
    name,
    slug,
    settings,
    keys: { live: await key('live'), test: await key('test') },
    templates: { usual, neverAnalysed },
    start,
    command,
    applyChannels,
    startEmbedded: (DATA_DIR) =>
      startServer([...program, 'serve'], { root, folder, settings: { DATA_DIR, WORKER: 'off' } }),
  }
}

function setAutovacuum(value: 'on' | 'off'): string {
  return `do $$ declare name text; begin
    for name in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %I set (autovacuum_enabled = ${value})', name);
    end loop;
  end $$`
}
