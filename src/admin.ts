/** What an operator does beside the API, for a process of its own: it opens the database and nothing else. */
import type { Config } from './config.ts'
import { slugForm } from './contract/document.ts'
import { queues } from './delivery/delivery.ts'
import { type Accounts, createAccounts } from './domain/account.ts'
import { type ApiKeys, createApiKeys } from './domain/apiKey.ts'
import type { Strangers } from './domain/authentication.ts'
import { forgetPhone } from './domain/retention.ts'
import { createTemplates, type Templates } from './domain/template.ts'
import { createRuntime, type Runtime } from './runtime.ts'
import { type Commit, type CommitLimits, createCommit } from './store/commit.ts'
import { connect } from './store/connect.ts'
import type { Database } from './store/database.ts'
import { openQueue } from './store/queue.ts'
import type { Erased } from './store/retention.ts'

export interface Admin {
  accounts: Accounts
  apiKeys: ApiKeys
  templates: Templates
  /** Erases all that is held about a phone. @throws Refusal when it is none */
  forget: (phone: string) => Promise<Erased>
}

export interface OpenAdmin extends Admin {
  /** By the database's clock. */
  now: () => Date
  close: () => Promise<void>
}

/** What administers a database that is open. */
export function adminOf(commit: Commit, runtime: Runtime, strangers?: Strangers): Admin {
  return {
    accounts: createAccounts({ commit, runtime }),
    apiKeys: createApiKeys({ commit, runtime, strangers }),
    templates: createTemplates({ commit, runtime, slugForm }),
    forget: (phone) => forgetPhone(commit, phone),
  }
}

/** How requests share commits, and how long they wait for one. */
export function groupLimits({ kind }: Database): CommitLimits {
  const groupsMax = kind === 'embedded' ? 1 : 3
  return { groupsMax, membersMax: 64, waitingMax: 1000, waitMs: 2000, workMs: 10_000, readMs: 3000 }
}

/**
 * Opens the database and brings its tables to this version.
 *
 * @throws DatabaseHeld, or what the driver throws when the database is out of reach
 */
export async function openDatabase(config: Config): Promise<Database> {
  const database = await connect(config.database)
  try {
    await database.migrate()
    await database.keepTime()
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** @throws as openDatabase does */
export async function createAdmin(config: Config): Promise<OpenAdmin> {
  const database = await openDatabase(config)
  const commit = createCommit(database, groupLimits(database))
  const { now, close } = database
  return { ...adminOf(commit, createRuntime(config.logLevel, { now })), now, close }
}

/** Brings the tables and the queue to this version. @throws as openDatabase does */
export async function migrate(config: Config): Promise<void> {
  const database = await openDatabase(config)
  try {
    const { log } = createRuntime(config.logLevel)
    const queue = await openQueue(database, queues, { log, supervise: false })
    await queue.close()
  } finally {
    await database.close()
  }
}
