/** The service as its users meet it: over HTTP, on a real database, with a clock that the test moves. */
import { type SQL, sql } from 'drizzle-orm'
import { expect, inject } from 'vitest'
import { startPrism } from '../../scripts/contract/prism.ts'
import { commitOptions } from '../../src/app/admin.ts'
import { type App, createApp } from '../../src/app/app.ts'
import type { Overrides } from '../../src/app/parts.ts'
import { scopes } from '../../src/contract/document.ts'
import { defaultAccount } from '../../src/domain/access/account.ts'
import { type Actor, theService } from '../../src/domain/access/actor.ts'
import type { Config } from '../../src/settings/config.ts'
import { type Commit, createCommit } from '../../src/store/engine/commit.ts'
import { connect, type DatabaseSettings } from '../../src/store/engine/connect.ts'
import { type Acting, acting } from './acting.ts'
import { type Client, createClient } from './client.ts'
import { testConfig } from './config.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { isPackaged, type PackagedRuntime, packagedRuntime, startPackaged } from './packaged.ts'
import { type TestRuntime, testRuntime } from './runtime.ts'
import { execute } from './statement.ts'

/** What the service does by itself; `as` is for somebody else. */
export type TestApp = App & Acting<App['admin']> & { as: (actor: Actor) => Acting<App['admin']> }

export interface TestServer {
  app: TestApp
  runtime: TestRuntime
  /** Opens transactions beside those of the server. */
  commit: Commit
  /** Runs a statement beside the server. */
  query: <Row>(statement: SQL) => Promise<Row[]>
  /** Undefined on the embedded database. */
  database: TestDatabase | undefined
  /** Of the API; of the proxy, where there is one. */
  url: string
  /** Of the server itself, also where there is a proxy. */
  directUrl: string
  opsUrl: string
  /** Of the dashboard; there is one where `dashboardPort` is set to 0. */
  dashboardUrl: string
  /** With a test key that may do everything. */
  test: Client
  /** With a live key that may do everything. */
  live: Client
  /** Makes a key of the default account; of the test mode and with every scope, if nothing else is said. */
  newKey: (changes?: KeyChanges) => Promise<{ key: string; id: string }>
  /** The same, when its id does not matter. */
  key: (changes?: KeyChanges) => Promise<string>
  /** A caller with that key; none when undefined. */
  as: (key: string | undefined) => Client
  /** The time of now as answers tell it: any, where the clock goes on meanwhile. */
  moment: () => string
  /** Waits until the service knows what was changed beside it: nothing where it is in this process. */
  known: () => Promise<void>
  /** Lets the worker do once what is due. @returns how many jobs that was */
  runJobs: () => Promise<number>
  /** Lets the worker do all that is due, and brings what it tells to endpoints. */
  work: () => Promise<void>
  /** Moves the clock, and with it the time at which waiting jobs are due. */
  advance: (seconds: number) => Promise<void>
  /** What a sandbox phone has. */
  phone: (number: string) => Promise<{ id: string; phone: string; text: string; at: string }[]>
  close: () => Promise<void>
}

interface KeyChanges {
  mode?: 'live' | 'test'
  scopes?: string[]
  expiresAt?: Date
  account?: string
}

export interface ServerOptions {
  config?: Partial<Config>
  overrides?: Omit<Overrides, 'runtime'>
  /** Share another server's database, clock and log. */
  beside?: TestServer
  /** A database that its caller has made, and drops. */
  on?: TestDatabase
  /** The embedded database in a folder, which stays when the server is closed. */
  inFolder?: string
}

/** Groups with which requests are waited for on a slow machine: what is refused is refused as too much. */
export const patient = { waitMs: 60_000, workMs: 60_000, readMs: 60_000 }

export async function startServer({
  config = {},
  overrides = {},
  beside,
  on,
  inFolder,
}: ServerOptions = {}): Promise<TestServer> {
  const isEmbedded = inject('engine') === 'memory' || inFolder !== undefined
  const database = on ?? beside?.database ?? (isEmbedded ? undefined : await createDatabase())
  const runtime = beside?.runtime ?? (isPackaged() ? packagedRuntime() : testRuntime())
  const embedded: DatabaseSettings =
    inFolder === undefined ? { kind: 'memory' } : { kind: 'embedded', dataDir: inFolder }
  const settings = database?.settings ?? embedded
  const opened = await connect(settings)
  if (isEmbedded) await opened.migrate()
  const made = await createApp(testConfig(settings, config), {
    drainMs: 0,
    restMs: 10,
    ...overrides,
    groups: { membersMax: inject('membersMax'), ...overrides.groups },
    runtime,
    database: opened,
  })
  // Opened before it is started, so that its database is that of an operator who has made everything.
  const packaged =
    isPackaged() && database
      ? await startPackaged(database, runtime as PackagedRuntime, testConfig(settings, config))
      : undefined
  const actingAs = (actor: Actor) => {
    const admin = acting(made.admin, actor)
    return packaged ? noting(admin, packaged.changed) : admin
  }
  const app: TestApp = { ...made, ...actingAs(theService), as: actingAs }
  const ports = packaged?.ports ?? (await app.listen({ api: true, worker: false }))
  const directUrl = `http://127.0.0.1:${ports.port}`
  const opsUrl = `http://127.0.0.1:${ports.opsPort}`
  const dashboardUrl = `http://127.0.0.1:${ports.dashboardPort}`
  const proxy = inject('proxied') ? await startPrism(directUrl) : undefined
  const url = proxy?.url ?? directUrl

  const commit = createCommit(opened, commitOptions(opened))
  const query: TestServer['query'] = <Row>(statement: SQL) => commit.transaction((tx) => execute<Row>(tx, statement))

  const accountOf = new Map<string, string>()
  const newKey: TestServer['newKey'] = async (changes = {}) => {
    const { id: accountId } = await app.accounts.require(changes.account ?? defaultAccount)
    const { key, row } = await app.apiKeys.create({
      accountId,
      name: 'a test',
      mode: changes.mode ?? 'test',
      scopes: changes.scopes ?? scopes,
      expiresAt: changes.expiresAt ?? null,
    })
    accountOf.set(key, accountId)
    return { key, id: row.id }
  }
  const key: TestServer['key'] = async (changes) => (await newKey(changes)).key
  const as = (presented: string | undefined) =>
    createClient(url, presented, async () => {
      await packaged?.known()
      packaged?.asked(accountOf.get(presented ?? '') ?? 'acct_default')
    })

  return {
    app,
    runtime,
    commit,
    query,
    database,
    url,
    directUrl,
    opsUrl,
    dashboardUrl,
    test: as(await key()),
    live: as(await key({ mode: 'live' })),
    newKey,
    key,
    as,
    moment: () => (packaged ? (expect.stringMatching(/^\d{4}-.*Z$/) as string) : runtime.now().toISOString()),
    known: async () => packaged?.known(),
    runJobs: async () => {
      await packaged?.known()
      return packaged ? packaged.work() : app.worker.runOnce()
    },
    work: async () => {
      await packaged?.known()
      if (packaged) return void (await packaged.work())
      while ((await app.worker.runOnce()) > 0);
      await app.worker.sweep()
      while ((await app.eventLoop.runOnce()) > 0);
    },
    advance: async (seconds) => {
      runtime.advance(seconds)
      await packaged?.known()
      await query(sql`update pgboss.job set start_after = start_after - make_interval(secs => ${seconds})
        where state < 'active'`)
    },
    phone: async (number) => {
      const response = await fetch(`${opsUrl}/sandbox/messages?phone=${encodeURIComponent(number)}`)
      return (await response.json()) as never
    },
    close: async () => {
      await proxy?.close()
      await packaged?.end()
      await app.close()
      await opened.close()
      if (!beside && !on) await database?.drop()
    },
  }
}

const changing = /^(add|apply|create|change|disable|enable|forget|remove|rename|replace|revoke|rotate)/

/** The same functions; of those that change something, it is noted whose it is. */
function noting<Part extends object>(part: Part, note: (accountId: string) => void): Part {
  const noted = Object.entries(part).map(([name, value]) => {
    if (typeof value !== 'function') return [name, isPlain(value) ? noting(value, note) : value]
    if (!changing.test(name)) return [name, value]
    const change = async (...given: unknown[]) => {
      const result = await value(...given)
      const [about] = given as [string | { accountId?: string } | undefined]
      note((typeof about === 'object' ? about?.accountId : about) ?? 'acct_default')
      return result
    }
    return [name, change]
  })
  return Object.fromEntries(noted)
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

let phones = 0

/** A number that no other test of this file uses, outside of the range that behaves on purpose. */
export function newPhone(): string {
  phones += 1
  return `+1415${2_000_000 + phones}`
}
