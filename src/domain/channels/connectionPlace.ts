/** Looks up where entries lead before they are saved. Connections are checked each time they are made all the same. */
import { isDeepStrictEqual } from 'node:util'
import { inTime } from '../../kit/inTime.ts'
import type { Connection } from '../../store/channels/connection.ts'
import { type ConnectionKinds, type Entry, type Fault, kindFor } from './connectionEntry.ts'

/** Milliseconds for all names of a list together: they are looked up at the same time. */
const lookUpMs = 8000

/**
 * Only what leads to a new place is looked up: a gateway whose name cannot be found now keeps no other change from being saved.
 *
 * @param wanted entries that are good by themselves; rows stay as they are
 * @returns by the ids of the entries, what is wrong with the addresses that their names have now
 */
export async function findPlaceFaults(
  wanted: readonly (Entry | Connection)[],
  before: readonly Connection[],
  kinds: ConnectionKinds,
): Promise<ReadonlyMap<string, Fault[]>> {
  const entries = wanted.filter((one): one is Entry => !('revision' in one))
  const found = await Promise.all(
    entries.map(async (entry) => [entry.id, await findFaults(entry, before, kinds)] as const),
  )
  return new Map(found.filter(([, faults]) => faults.length > 0))
}

async function findFaults(entry: Entry, before: readonly Connection[], kinds: ConnectionKinds): Promise<Fault[]> {
  const kind = kinds[entry.kind]
  if (!kind?.placesOf) return []
  const { faultOfPlace } = kindFor(kind, entry)
  if (!faultOfPlace) return []
  const row = before.find(
    ({ id, kind: name, byPerson }) => id === entry.id && name === entry.kind && byPerson === entry.byPerson,
  )
  const known = row ? kind.placesOf(row.settings) : []
  const places = kind.placesOf(entry.settings).filter((place) => !known.some((one) => isDeepStrictEqual(one, place)))
  const faults = await Promise.all(
    places.map(async ({ path, url }): Promise<Fault[]> => {
      const fault = await inTime(faultOfPlace(url), lookUpMs, () => tookLong)
      return fault === undefined ? [] : [{ path, fault }]
    }),
  )
  return faults.flat()
}

const tookLong = 'looking up this host name took too long'
