/** The list of an account's connections as it is written: all at once, and what has not changed stays as it is. */
import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../../kit/refusal.ts'
import { type Runtime, randomSlice } from '../../kit/runtime.ts'
import {
  type Connection,
  type ConnectionKey,
  type NewConnection,
  replaceConnections,
} from '../../store/channels/connection.ts'
import type { Tx } from '../../store/engine/session.ts'
import type { WriteNote } from '../access/act.ts'
import { openSealed } from '../access/reseal.ts'
import type { Secrets } from '../access/secret.ts'
import { pickCaps } from './caps.ts'
import type { ConnectionKind, ConnectionKinds, Entry } from './connectionEntry.ts'

/** By their ids. */
export interface Applied {
  /** New ones too, and those that have another place. */
  changed: string[]
  removed: string[]
  /** Those whose reports come to another address now; left out where there are none. */
  readdressed?: string[]
  /** Those that a person had entered and that are the operator's now; left out where there are none. */
  takenOver?: string[]
}

export interface ListParts {
  secrets: Secrets
  runtime: Pick<Runtime, 'now' | 'newId'>
  note: WriteNote
  kinds: ConnectionKinds
  /** The id of one whose reports are to come to another address. */
  readdress?: string
}

/**
 * Whoever calls this holds the account's row. It is written to the audit.
 *
 * @param before the list as it is
 * @param wanted the list as it is to be: rows of the one before stay, in another place perhaps, and go on resting if they do
 */
export async function writeList(
  tx: Tx,
  { accountId, before }: { accountId: string; before: readonly Connection[] },
  wanted: readonly (Entry | Connection)[],
  { secrets, runtime, note, kinds, readdress }: ListParts,
): Promise<Applied> {
  const readdressed: string[] = []
  const updatedAt = runtime.now()
  const written = wanted.flatMap((one, index): NewConnection[] => {
    const position = index + 1
    if ('revision' in one) return []
    const { secrets: given, ...entry } = one
    const row = before.find(({ id }) => id === entry.id)
    const kind = kinds[entry.kind]
    const token = row && entry.id !== readdress && isSameReporter(row, one, kind) ? tokenOf(secrets, row) : undefined
    const own = kind?.reporterOf ? { ...given, [tokenName]: token ?? newToken() } : given
    if (row && kinds[row.kind]?.reporterOf && kind?.reporterOf && token === undefined) readdressed.push(row.id)
    if (row && isSame(secrets, row, { ...entry, secrets: own })) return []
    const isSealed = Object.keys(own).length > 0
    const sealed = isSealed ? secrets.seal(JSON.stringify(own), connectionContextOf({ accountId, id: entry.id })) : null
    return [{ ...entry, accountId, position, sealed, revision: runtime.newId(), updatedAt }]
  })
  const ids = wanted.map(({ id }) => id)
  await replaceConnections(tx, accountId, ids, written)
  const takenOver = written
    .filter(({ id, byPerson }) => !byPerson && before.some((row) => row.id === id && row.byPerson))
    .map(({ id }) => id)
  const isMoved = (id: string, index: number) => before.some((row) => row.id === id && row.position !== index + 1)
  const applied = {
    changed: ids.filter((id, index) => isMoved(id, index) || written.some((row) => row.id === id)),
    removed: before.map(({ id }) => id).filter((id) => !ids.includes(id)),
    ...(readdressed.length > 0 && { readdressed }),
    ...(takenOver.length > 0 && { takenOver }),
  }
  if (applied.changed.length + applied.removed.length > 0) {
    await note({ accountId, act: 'channels.applied', subject: accountId, detail: { ids, ...applied } })
  }
  return applied
}

/**
 * The member of the secrets that no entry can have: the token of the address of its reports. It stays the same until somebody else
 * reports, or it is rotated.
 */
export const tokenName = 'report_token'

function newToken(): string {
  return randomSlice(16).toString('base64url')
}

/** A provider that is left behind knows the token: the next one gets another. */
function isSameReporter(row: Connection, entry: Entry, kind: ConnectionKind | undefined): boolean {
  if (row.kind !== entry.kind) return false
  const before = kind?.reporterOf?.(row.settings)
  return before === undefined || before === kind?.reporterOf?.(entry.settings)
}

/** A connection as it was written. @throws Refusal when its secrets cannot be opened here */
export function toEntry(secrets: Secrets, row: Connection): Entry {
  const { id, kind, countries, failoverSeconds, settings, byPerson } = row
  const opened = openConnectionSecrets(secrets, row)
  if (!opened) throw new Refusal(`The secrets of ${id} were encrypted with another WATCHWORD_SECRET: apply it again.`)
  const { [tokenName]: _token, ...own } = opened
  return { id, kind, countries, failoverSeconds, ...pickCaps(row), settings, byPerson, secrets: own }
}

/** @returns undefined where there is none, or it cannot be opened here */
export function tokenOf(secrets: Secrets | undefined, row: Connection): string | undefined {
  return secrets && (openConnectionSecrets(secrets, row)?.[tokenName] as string | undefined)
}

/** What is sealed is never the same twice: what it was made of is compared. */
function isSame(secrets: Secrets, row: Connection, entry: Entry): boolean {
  const own = openConnectionSecrets(secrets, row)
  if (!own) return false
  const { id, kind, countries, failoverSeconds, settings, byPerson } = row
  const kept = { id, kind, countries, failoverSeconds, ...pickCaps(row), settings, byPerson, secrets: own }
  return isDeepStrictEqual(kept, JSON.parse(JSON.stringify(entry)))
}

/** @returns undefined when none of our secrets opens them */
export function openConnectionSecrets(
  secrets: Secrets,
  row: ConnectionKey & Pick<Connection, 'sealed'>,
): Record<string, unknown> | undefined {
  const plain = row.sealed ? openSealed(secrets, row.sealed, connectionContextOf(row)) : '{}'
  return plain === undefined ? undefined : (JSON.parse(plain) as Record<string, unknown>)
}

/** What the secrets of a connection are bound to. */
export function connectionContextOf({ accountId, id }: ConnectionKey): string {
  return `connection/${accountId}/${id}`
}
