/** What an operator does beside the API, for a process of its own: it opens the database and nothing else. */
import type { Config } from './config.ts'
import { slugForm } from './contract/document.ts'
import { type Accounts, createAccounts } from './domain/account.ts'
import { type ApiKeys, createApiKeys } from './domain/apiKey.ts'
import { forgetPhone } from './domain/retention.ts'
import { createTemplates, type Templates } from './domain/template.ts'
import { createRuntime, type Runtime } from './runtime.ts'
import { connect, type Database } from './store/connect.ts'
import { openQueue } from './store/queue.ts'
import type { Erased } from './store/retention.ts'

export interface Admin {
  accounts: Accounts
  apiKeys: ApiKeys
  templates: Templates
  /** Erases all that is held about a phone. @throws Refusal when it is none */
  forget: (phone: string) => Promise<Erased>
}

/** What administers a database that is open. */
export function adminOf({ db }: Database, runtime: Runtime): Admin {
  return {
    accounts: createAccounts(db, runtime),
    apiKeys: createApiKeys(db, runtime),
    templates: createTemplates(db, runtime, slugForm),
    forget: (phone) => forgetPhone(db, phone),
  }
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
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** @throws as openDatabase does */
export async function createAdmin(config: Config): Promise<Admin & { close: () => Promise<void> }> {
  const database = await openDatabase(config)
  return { ...adminOf(database, createRuntime(config.logLevel)), close: database.close }
}

/** Brings the tables and the queue to this version. @throws as openDatabase does */
export async function migrate(config: Config): Promise<void> {
  const database = await openDatabase(config)
  try {
    const queue = await openQueue(database, createRuntime(config.logLevel).log, { supervise: false })
    await queue.close()
  } finally {
    await database.close()
  }
}
