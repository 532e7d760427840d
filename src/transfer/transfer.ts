/** What an operator does with all that a database holds: writes it to a file, reads it from one, takes it to another. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Secrets } from '../domain/access/secret.ts'
import { Refusal } from '../kit/refusal.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Manner } from '../store/engine/session.ts'
import { load, requireCopySecrets, requireUnused } from './load.ts'
import { type OpenParts, openFile } from './openFile.ts'
import type { Signers } from './signature.ts'
import { type Copied, databaseSource, type OnRows, requireEdition, type Source } from './source.ts'
import { type Written, writeCopy } from './writeFile.ts'

export type { Copied, OnRows, Written }

/** A database, and what it is called in a refusal. */
export interface Named {
  commit: Commit
  name: string
}

/** What is read is of the moment in which it begins, while others go on. */
const ofOneMoment: Manner = { isStill: true, isLong: true }

export type Backup = (place: string, onRows?: OnRows) => Promise<Written>

/**
 * @returns writes one moment of the database to a file, or into a folder under a name with the time. On PostgreSQL others go
 *   on meanwhile; the embedded database does nothing else until it is done
 */
export function createBackup(
  { commit, name, secrets }: Named & { secrets: Signers | undefined },
  now: () => Date,
): Backup {
  return (place, onRows = () => {}) => {
    const at = now()
    const file = toFile(place, at)
    return commit.transaction(
      async (tx) => writeCopy(await databaseSource(tx, name), file, { madeAt: at, secrets, onRows }),
      ofOneMoment,
    )
  }
}

function toFile(place: string, at: Date): string {
  const isFolder = existsSync(place) && statSync(place).isDirectory()
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '')
  return isFolder ? join(place, `watchword-${time}.backup.gz`) : place
}

export interface Target extends Named {
  /** Makes its tables, where they are not there. */
  migrate: () => Promise<void>
  /** Those that it will be used with; undefined: whatever they are. */
  secrets: Secrets | undefined
}

/** Of a database or a file, into one that nobody has used. */
export interface Transferred {
  tables: Copied[]
  /** Of a backup: when it was made. */
  madeAt?: string
}

/** @throws Refusal before anything is written, and otherwise with nothing left behind but empty tables */
export async function restore(
  file: string,
  target: Target,
  { onRows, ...parts }: OpenParts & { onRows: OnRows },
): Promise<Transferred> {
  const { source, madeAt } = await openFile(file, parts)
  return { tables: await receive(source, target, onRows), madeAt }
}

/** The same from another database, which is not changed. */
export async function move(from: Named, target: Target, onRows: OnRows): Promise<Transferred> {
  const tables = await from.commit.transaction(async (tx) => {
    const source = await databaseSource(tx, from.name)
    // Found out here before the work, not after it.
    await requireCopySecrets(tx, target.secrets)
    return receive(source, target, onRows)
  }, ofOneMoment)
  return { tables }
}

async function receive(source: Source, target: Target, onRows: OnRows) {
  const { commit, name, migrate, secrets } = target
  // Of a copy that failed before, PostgreSQL has all rows yet to clean up: to see that there are none takes long then.
  await commit.transaction((tx) => requireUnused(tx, name), { isLong: true })
  await migrate()
  const { migrations, queue } = await requireEdition(commit.reader, name)
  const { edition } = source
  if (edition.migrations.join() !== migrations.join() || edition.queue !== queue) {
    throw new Refusal(
      `${source.name} is of another version of Watchword than this command: use it with that version, and upgrade then.`,
    )
  }
  return load(source, { commit, name, secrets, onRows })
}
