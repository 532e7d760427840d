/** What this process can make of a connection that is stored: its settings, or why it cannot use it. */
import { createCache } from '../../kit/cache.ts'
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

type Readable = Pick<ConnectionKind, 'settings'> & { forPeople?: object | undefined }

/**
 * Read as they are now: settings that were good once can be refused, such as an address that the operator has closed since.
 *
 * @returns or why they cannot be used here. No value is in it.
 */
export function readConnection<Kind extends Readable>(
  { kinds, open }: ConnectionReader<Kind>,
  row: Connection,
): ReadConnection<Kind | NonNullable<Kind['forPeople']>> | { unusable: string } {
  const ofOperator = Object.hasOwn(kinds, row.kind) ? kinds[row.kind] : undefined
  if (!ofOperator) return { unusable: `this version has no kind "${row.kind}"` }
  const opened = open(row)
  if ('unusable' in opened) return opened
  const kind = kindFor(ofOperator, row)
  const { data: settings, error } = (kind as Readable).settings.safeParse(opened.settings, { error: schemaWords })
  if (settings) return { kind, settings, reportToken: opened.reportToken }
  const faults = faultsOfForm(error, opened.settings).map(({ path, fault }) => atPlace(path, fault))
  return { unusable: `its settings are refused: ${faults.join('; ')}` }
}

/** Kept for each connection as it was applied last: its answer changes with what the process is started with alone. */
const keptMax = 10_000

/** @returns why this process cannot use a connection; undefined where it can */
export function createWhyUnusable(parts: ConnectionReader<Readable>): (row: Connection) => string | undefined {
  const kept = createCache<{ why: string | undefined }>(keptMax)
  return (row) => {
    const key = `${row.accountId}/${row.id}/${row.revision}`
    const known = kept.get(key)
    if (known) return known.why
    const found = readConnection(parts, row)
    const why = 'unusable' in found ? found.unusable : undefined
    kept.set(key, { why })
    return why
  }
}
