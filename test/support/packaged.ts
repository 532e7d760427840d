/**
 * The service of an installed package, as the process that its command starts, for tests that run on the checkout too. Its clock is
 * that of its database, which is moved here; what it knows of the database it looks at again in its own time.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inject } from 'vitest'
import type { Ports } from '../../src/app/app.ts'
import { newUlid } from '../../src/kit/runtime.ts'
import type { Config } from '../../src/settings/config.ts'
import type { TestDatabase } from './database.ts'
import { launchProcess, whenReady } from './process.ts'
import { type TestRuntime, testRuntime } from './runtime.ts'

/** Milliseconds after which a process has seen what another one has changed. */
const seenMs = 4100
/** Milliseconds for what is due to be done. What waits for longer waits for something that a test has made so. */
const patienceMs = 20_000
const pollMs = 50

export interface Packaged {
  ports: Ports
  /** Waits until the process goes by the moved clock, and has seen what was changed beside it. */
  known: () => Promise<void>
  /** Waits until nothing is due. @returns how many jobs were done since it was asked before */
  work: () => Promise<number>
  /** Notes that an account was changed beside the process. */
  changed: (accountId: string) => void
  /** Notes that the process was asked by an account. */
  asked: (accountId: string) => void
  end: () => Promise<void>
}

/** A clock that begins where that of other tests does, and goes on; `start` has it run in the database too. */
export interface PackagedRuntime extends TestRuntime {
  offsetMs: () => number
}

export function packagedRuntime(): PackagedRuntime {
  const standing = testRuntime()
  let offsetMs = standing.now().getTime() - Date.now()
  const now = () => new Date(Date.now() + offsetMs)
  return Object.assign(standing, {
    now,
    elapsedMs: () => performance.now(),
    newId: () => newUlid(now()),
    offsetMs: () => offsetMs,
    advance: (seconds: number) => {
      offsetMs += seconds * 1000
    },
  })
}

/** @throws Error for settings that no process is told by its environment */
export async function startPackaged(
  database: TestDatabase,
  runtime: PackagedRuntime,
  config: Config,
): Promise<Packaged> {
  const { sql } = database
  let movedTo = Number.NaN
  let moving = Promise.resolve()
  const moveClock = async (offsetMs: number) => {
    await sql.unsafe(`set allow_system_table_mods = on;
      create or replace function pg_catalog.clock_timestamp() returns timestamptz language sql volatile parallel safe
        as $$ select pg_catalog.statement_timestamp() + interval '${offsetMs} ms' $$`)
  }
  movedTo = runtime.offsetMs()
  await moveClock(movedTo)
  const dataDir = await mkdtemp(join(tmpdir(), 'watchword-packaged-'))
  const launched = launchProcess('serve', { ...buildSettings(config, database), DATA_DIR: dataDir })
  const running = await whenReady(launched)
  Object.defineProperty(runtime, 'lines', { get: () => launched.output().split('\n').filter(Boolean) })

  const seen = new Set(['acct_default'])
  let changedAt = Number.NEGATIVE_INFINITY
  let done = 0
  return {
    ports: running.ports,
    changed: (accountId) => {
      if (seen.has(accountId)) changedAt = performance.now()
    },
    asked: (accountId) => seen.add(accountId),
    known: async () => {
      if (runtime.offsetMs() !== movedTo) {
        movedTo = runtime.offsetMs()
        moving = moveClock(movedTo).then(() => openAgain(database))
      }
      // Requests that are made meanwhile wait as well.
      await moving
      const waitMs = changedAt + seenMs - performance.now()
      if (waitMs > 0) await setTimeout(waitMs)
    },
    work: async () => {
      const until = performance.now() + patienceMs
      // An event that is on its way shows nowhere, for as long as a receiver on this machine takes.
      for (let quiet = 0; quiet < 3 && performance.now() < until; await setTimeout(pollMs))
        quiet = (await isBusy(database, runtime.now())) ? 0 : quiet + 1
      const [row] = await sql<
        { count: number }[]
      >`select count(*)::int as count from pgboss.job where state = 'completed'`
      const before = done
      done = row!.count
      return done - before
    },
    end: async () => {
      await running.end('SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * A process asks for the time with each connection that it opens: so it opens new ones. One that has asked nothing yet is idle too, and
 * what it was answered is read before what is asked from here on.
 */
async function openAgain({ sql }: TestDatabase): Promise<void> {
  const [{ at } = { at: '' }] = await sql<{ at: string }[]>`select now()::text as at`
  const ours = sql`datname = current_database() and application_name = ${processName}`
  for (;;) {
    const old = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where ${ours} and backend_start < ${at}::timestamptz and state = 'idle'`
    const young = await sql`select from pg_stat_activity
      where ${ours} and backend_start > ${at}::timestamptz and state = 'idle' and query <> ''`
    if (old.length === 0 && young.length > 0) return
    await setTimeout(pollMs)
  }
}

/** Whether jobs or events are due, or verifications have run out that no sweep has ended. */
async function isBusy({ sql }: TestDatabase, now: Date): Promise<boolean> {
  const [row] = await sql<{ busy: boolean }[]>`select
    exists (select from pgboss.job where name like 'deliver-%' and state < 'completed' and start_after <= now())
    or exists (select from event_delivery where state = 'due' and due_at <= ${now})
    or exists (select from message where kind = 'verification' and (status = 'sent' or awaited)
      and verified_at is null and expires_at <= ${now}) as busy`
  return row!.busy
}

const processName = 'packaged'

function buildSettings(config: Config, { settings }: TestDatabase): Record<string, string> {
  const url = new URL(settings.url)
  url.searchParams.set('application_name', processName)
  const optional = {
    PUBLIC_URL: config.publicUrl,
    DASHBOARD_PORT: config.dashboardPort === undefined ? 'off' : String(config.dashboardPort),
  }
  return {
    DATABASE_URL: url.href,
    WATCHWORD_SECRET: config.secrets!.join(','),
    PORT: String(config.port),
    CODE_TTL_SECONDS: String(config.codeTtlSeconds),
    TWILIO_VERIFY: config.twilioVerify ? 'on' : 'off',
    KEY_RATE_PER_SECOND: String(config.keyRatePerSecond),
    KEY_BURST: String(config.keyBurst),
    TEST_KEY_RATE_PER_SECOND: String(config.testKeyRatePerSecond),
    TEST_KEY_BURST: String(config.testKeyBurst),
    UNKNOWN_KEYS_PER_MINUTE: String(config.unknownKeysPerMinute),
    CONNECTIONS_PER_ADDRESS: String(config.connectionsPerAddress),
    LOG_LEVEL: 'debug',
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  } as Record<string, string>
}

/** Whether these tests run on an installed package. */
export const isPackaged = (): boolean => inject('installed') !== undefined
