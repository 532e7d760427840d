/** What this process can make of a connection that is stored: its settings, or why it cannot use it. */
import { createCache } from '../../kit/cache.ts'
import { inTurns } from '../../kit/inTurns.ts'
import { atPlace, faultsOfForm } from '../../kit/reading/formFaults.ts'
import { schemaWords } from '../../kit/reading/wrongType.ts'
import type { Connection } from '../../store/channels/connection.ts'
import { type ConnectionKind, kindFor } from './connectionEntry.ts'

/** The settings of a connection with its secrets, as they were written, or why they cannot be had. */
export type OpenedConnection = { settings: object; reportToken?: string | undefined } | { unusable: string }

/** What it takes to read the settings of a connection. */
export interface ConnectionReader<Kind> {
  kinds: Readonly<Record<string, Kind>>
  open: (row: Connection) => OpenedConnection
}

/** @property kind as it takes what the writer of the connection has written */
export interface ReadConnection<Kind> {
  kind: Kind
  settings: object
  reportToken: string | undefined
}

/** Why a connection cannot be used here: in a short text, and with all that is wrong with its settings. No value is in it. */
export interface UnusableConnection {
  unusable: string
  inFull: string
}

type Readable = Pick<ConnectionKind, 'settings'> & { forPeople?: object | undefined }

/** Read as they are now: settings that were good once can be refused, such as an address that the operator has closed since. */
export function readConnection<Kind extends Readable>(
  { kinds, open }: ConnectionReader<Kind>,
  row: Connection,
): ReadConnection<Kind | NonNullable<Kind['forPeople']>> | UnusableConnection {
  const ofOperator = Object.hasOwn(kinds, row.kind) ? kinds[row.kind] : undefined
  if (!ofOperator) return unusableFor([`this version has no kind "${row.kind}"`])
  const opened = open(row)
  if ('unusable' in opened) return unusableFor([opened.unusable])
  const kind = kindFor(ofOperator, row)
  const { data: settings, error } = (kind as Readable).settings.safeParse(opened.settings, { error: schemaWords })
  if (settings) return { kind, settings, reportToken: opened.reportToken }
  const faults = faultsOfForm(error, opened.settings).map(({ path, fault }) => atPlace(path, fault))
  return unusableFor(faults, 'its settings are refused: ')
}

function unusableFor(faults: readonly string[], before = ''): UnusableConnection {
  return { unusable: `${before}${faults[0]}`, inFull: `${before}${faults.join('; ')}` }
}

/** Kept for each connection as it was applied last: its answer changes with what the process is started with alone. */
const keptMax = 10_000

/** Of connections, those that this process cannot use, each with a short text that says why. */
export type FindUnusable = (rows: readonly Connection[]) => Promise<ReadonlyMap<Connection, string>>

/** Each that is not known yet is read in a turn of its own: it may have a provider file, and other accounts wait meanwhile. */
export function createFindUnusable(parts: ConnectionReader<Readable>): FindUnusable {
  const kept = createCache<{ why: string | undefined }>(keptMax)
  return async (rows) => {
    const unread = rows.filter((row) => !kept.has(keyOf(row)))
    for await (const [row] of inTurns(unread, 1)) {
      const found = readConnection(parts, row!)
      kept.set(keyOf(row!), { why: 'unusable' in found ? found.unusable : undefined })
    }
    const unusable = new Map<Connection, string>()
    for (const row of rows) {
      const why = kept.get(keyOf(row))?.why
      if (why !== undefined) unusable.set(row, why)
    }
    return unusable
  }
}

function keyOf({ accountId, id, revision }: Connection): string {
  return `${accountId}/${id}/${revision}`
}
