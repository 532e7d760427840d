/** PostgreSQL inside this process (PGlite), in a folder that one process holds alone, or in memory. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setFlagsFromString } from 'node:v8'
import { PGlite, type PGliteOptions, type Transaction } from '@electric-sql/pglite'
import { fromPglite } from 'pg-boss'
import type { Database } from './database.ts'
import { makeFolder, onDisk, syncFolder, syncTree } from './disk.ts'
import { DatabaseHeld } from './failure.ts'
import { bringUp } from './migrate.ts'
import type { Link, Manner, Read, Write } from './session.ts'
import { pinned, unbounded } from './settings.ts'
import { createUpkeep } from './upkeep.ts'

const sqliteBusy = 5

/** PostgreSQL's own 128 MB are more than the whole of an installation of this size has. */
const inMemory = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']
/** `-F` turns `fsync` off. The log is let go of by `upkeep`, to these sizes. */
const inFolder = [
  ...inMemory.filter((param) => param !== '-F'),
  ...['fsync=on', 'wal_sync_method=fsync', 'min_wal_size=32MB', 'max_wal_size=64MB'].flatMap((one) => ['-c', one]),
]

/**
 * @param dataDir undefined: in memory, and forgotten at the end
 * @throws DatabaseHeld when another process has the folder
 */
export async function openEmbedded(dataDir: string | undefined): Promise<Database> {
  const release = dataDir === undefined ? () => {} : await holdAlone(dataDir)
  const client = dataDir === undefined ? await openInMemory() : await openInFolder(dataDir)
  await client.query(pinned)
  return {
    kind: 'embedded',
    reader: { run: runOn(client) },
    transact: (work, manner) => client.transaction((transaction) => inTransaction(transaction, work, manner)),
    queueDb: fromPglite(client),
    migrate: () => client.transaction((one) => bringUp((text, values) => one.query(text, values))),
    // It is in this process, and has no other clock.
    now: () => new Date(),
    pool: () => undefined,
    keepTime: async () => {},
    upkeep: createUpkeep({ run: runOn(client), command: (text) => client.query(text) }),
    close: async () => {
      await client.close()
      release()
    },
  }
}

async function inTransaction<T>(
  transaction: Transaction,
  work: (link: Link) => Promise<T>,
  { isStill = false, isLong = false }: Manner = {},
): Promise<T> {
  if (isStill) await transaction.query('set transaction isolation level repeatable read, read only')
  if (isLong) await transaction.query(unbounded)
  const last: { text: string; values: readonly unknown[] }[] = []
  const run = runOn(transaction)
  const result = await work({
    run,
    // There are no round trips to spare.
    runLast: run,
    atCommit: ({ text }, values) => {
      last.push({ text, values })
    },
  })
  for (const { text, values } of last) await transaction.query(text, [...values])
  return result
}

function runOn(on: Pick<PGlite | Transaction, 'query'>) {
  return async <Row>({ text }: Read<Row> | Write<Row>, values: readonly unknown[]): Promise<Row[]> =>
    (await on.query<Row>(text, [...values])).rows
}

/**
 * Takes the data folder for this process. The operating system gives the lock back however the process ends, which a
 * file with a process id cannot promise; that id is written beside it for people.
 */
async function holdAlone(dataDir: string): Promise<() => void> {
  await makeFolder(dataDir)
  const lock = new DatabaseSync(join(dataDir, 'lock'))
  const holderFile = join(dataDir, 'lock.pid')
  try {
    // The write is what makes sure: a file that may only be read is locked by everybody at once.
    lock.exec('BEGIN EXCLUSIVE; PRAGMA user_version = 1')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== sqliteBusy) {
      throw new Error(`cannot lock ${join(dataDir, 'lock')}: ${(error as Error).message}`)
    }
    throw new DatabaseHeld(dataDir, readHolder(holderFile))
  }
  writeFileSync(holderFile, `${process.pid}\n`)
  return () => lock.close()
}

function readHolder(holderFile: string): string {
  try {
    return `process ${readFileSync(holderFile, 'utf8').trim()}`
  } catch {
    return 'another process'
  }
}

/** Fills the folder at the first start. What a process that was ended over that has left, is thrown away. */
async function openInFolder(dataDir: string): Promise<PGlite> {
  const folder = join(dataDir, 'database')
  /** Is there while the folder is being filled: nobody has been given anything yet that could be lost. */
  const unfinished = join(dataDir, 'database.unfinished')
  if (existsSync(unfinished)) await rm(folder, { recursive: true, force: true })
  let isFilled = existsSync(join(folder, 'PG_VERSION'))
  let reason = 'it was aborted'
  const options: PGliteOptions = {
    startParams: inFolder,
    onStderr: (text) => {
      reason = /PANIC: +(.*)/.exec(text)?.[1] ?? reason
      return false
    },
    // File by file, it would take seconds to have the new ones on the disk.
    extensions: onDisk(
      () => isFilled,
      () => giveUp(dataDir, reason),
    ),
  }
  if (isFilled) return open(await ownFolder(folder), options)
  await writeFile(unfinished, '')
  // Before and after: with a part of the folder it is there, and with what somebody was given it is not.
  await syncFolder(dataDir)
  const client = await open(await ownFolder(folder), { ...options, loadDataDir: await emptyCluster() })
  isFilled = true
  await syncTree(folder)
  await rm(unfinished)
  await syncFolder(dataDir)
  return client
}

/**
 * For a database that has found that it cannot go on, because it does not know what the disk has of its log. It would wait for
 * ever with whatever is asked of it now, and this thread with it: so it ends as a PostgreSQL does. A start finds what there is.
 */
function giveUp(dataDir: string, reason: string): never {
  process.stderr.write(
    `The embedded database in ${dataDir} cannot go on: ${reason}. Nothing is lost that was acknowledged: start again.\n`,
  )
  process.exit(1)
}

async function openInMemory(): Promise<PGlite> {
  return open(undefined, { startParams: inMemory, loadDataDir: await emptyCluster() })
}

async function open(folder: string | undefined, options: PGliteOptions): Promise<PGlite> {
  // V8 would compile PostgreSQL's largest functions a second time, for which it takes 500 MB; they get no faster by it.
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)
  // With its folder among the options: it reads none beside a folder that is undefined.
  const client = new PGlite({ ...options, ...(folder !== undefined && { dataDir: folder }) })
  await client.waitReady
  return client
}

/**
 * A cluster that was initialised elsewhere: to unpack it takes a third of the time and half of the memory. It is of an
 * older minor version than PGlite, and of the same major one, so that it can be opened as it is.
 */
async function emptyCluster(): Promise<Blob> {
  // Loaded here, so that only who needs it does.
  const { dataDir } = await import('@electric-sql/pglite-prepopulatedfs')
  return dataDir()
}

/** A folder that only its owner can enter: PGlite leaves its files open to everybody. */
async function ownFolder(folder: string): Promise<string> {
  await makeFolder(folder)
  await chmod(folder, 0o700)
  return folder
}
