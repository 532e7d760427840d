/** A list of connections as a file that can be applied again: a place for each secret, to be filled in from the environment. */
import type { Connection, ConnectionKey } from '../../store/channels/connection.ts'
import type { Secrets } from '../access/secret.ts'
import { type Caps, capMembers } from './caps.ts'
import type { ConnectionKinds } from './connectionEntry.ts'
import { secretNames } from './connectionField.ts'
import { openConnectionSecrets, tokenName } from './connectionList.ts'

/** What is exported of a connection. */
type Kept = ConnectionKey & Caps & Pick<Connection, 'kind' | 'countries' | 'failoverSeconds' | 'settings' | 'sealed'>

export interface ConnectionExportParts {
  /** Undefined: they are not known here, and how many values a secret has is not told. */
  secrets: Secrets | undefined
  kinds: ConnectionKinds
}

/** @returns the entries as in a file, which holds no secret; each place stands for one value alone */
export function exportEntries(rows: readonly Kept[], parts: ConnectionExportParts): Record<string, unknown>[] {
  const newPlace = createPlaceNames()
  return rows.map((row) => toEntry(row, parts, newPlace))
}

function toEntry(row: Kept, parts: ConnectionExportParts, newPlace: (name: string) => string): Record<string, unknown> {
  const { id, kind, countries, failoverSeconds, settings } = row
  const places = Object.entries(toCounts(row, parts)).map(([name, count]): [string, unknown] => {
    const place = placeOf(id, name)
    const several = Array.from({ length: count }, (_value, index) => newPlace(`${place}_${index + 1}`))
    return [name, count > 1 ? several : newPlace(place)]
  })
  return {
    ...{ id, kind },
    ...(countries && { countries }),
    ...(failoverSeconds !== null && { failover_seconds: failoverSeconds }),
    ...capMembers(row),
    ...(escaped(settings) as Record<string, unknown>),
    ...Object.fromEntries(places),
  }
}

/** How many values each secret has. */
function toCounts(row: Kept, { secrets, kinds }: ConnectionExportParts): Record<string, number> {
  const own = secrets && openConnectionSecrets(secrets, row)
  if (own) {
    const members = Object.entries(own).filter(([name]) => name !== tokenName)
    return Object.fromEntries(members.map(([name, value]) => [name, [value].flat().length]))
  }
  const fields = Object.hasOwn(kinds, row.kind) ? (kinds[row.kind]?.fields(row.settings) ?? []) : []
  const needed = secretNames(fields.filter(({ optional }) => !optional))
  return Object.fromEntries(needed.map((name) => [name, 1]))
}

/** `wa` and `app_secret` have the name that `wa-app` and `secret` have: a name that is taken gets a number. */
function createPlaceNames(): (name: string) => string {
  const taken = new Set<string>()
  return (name) => {
    let free = name
    for (let number = 2; taken.has(free); number++) free = `${name}_${number}`
    taken.add(free)
    return `\${${free}}`
  }
}

/** `WA_EU_ACCESS_TOKEN`. */
function placeOf(id: string, name: string): string {
  return `${id}_${name}`.replaceAll(/\W/g, '_').toUpperCase()
}

/** What is written as `${` in a setting stays that when the file is applied. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${')
  if (Array.isArray(value)) return value.map(escaped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escaped(member)]))
}
