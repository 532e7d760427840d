/** Lists of connections as operators write them: what is wrong with one, and what is kept of it. */
import { isSupportedCountry } from 'libphonenumber-js/max'
import { z } from 'zod'
import { inTurns } from '../../kit/inTurns.ts'
import { atPlace, faultsOfForm } from '../../kit/reading/formFaults.ts'
import { isStorable, notStorable } from '../../kit/reading/storable.ts'
import { schemaWords } from '../../kit/reading/wrongType.ts'
import { type Caps, capForms, readCaps } from './caps.ts'
import { type ConnectionField, secretNames } from './connectionField.ts'
import { isLocal } from './liveUse.ts'

/** What a kind of connection lets an operator configure. */
export interface ConnectionKind {
  /** The members of an entry beside those that every entry may have. Strict; its messages hold no values. */
  settings: z.ZodType<object>
  /** What is wrong with a place, with the addresses that its name has now. Left out, all places are good. */
  faultOfPlace?: (url: string) => Promise<string | undefined>
  /** The same for what people of an account wrote, and not the operator. Left out, there is no difference. */
  forPeople?: Pick<ConnectionKind, 'settings' | 'faultOfPlace'> | undefined
  /** Where an entry says that messages go. Left out, or without any, they go where its kind or a shipped provider is. */
  placesOf?: (entry: Readonly<Record<string, unknown>>) => readonly Place[]
  /** What a new entry is refused for, while a connection that was kept with it before can still be opened. */
  entryFaults?: (entry: Readonly<Record<string, unknown>>) => readonly Fault[]
  /** Those members as people fill them in. They can depend on what the entry says, which may be anything. */
  fields: FieldsOf
  /**
   * Who reports, by the settings of a connection; undefined where they do not tell. The address that its reports come to then
   * ends with a token, and another who reports gets another token. Left out, there is none.
   */
  reporterOf?: (settings: Readonly<Record<string, unknown>>) => string | undefined
  /** Whether each message tells its provider where to report: without `PUBLIC_URL`, no report comes then. */
  tellsAddress?: (settings: Readonly<Record<string, unknown>>) => boolean
  /** It does not leave the service. */
  isLocal?: boolean
  /** What a template of the account may say for it; nothing when left out. */
  template?: z.ZodType
  /** The variables that it names there, with their places; what it says may be anything. */
  templateVariables?: (said: unknown) => { path: PropertyKey[]; variable: string }[]
  words?: KindWords
}

/** An address that an entry names. */
export interface Place {
  /** The member that names it. */
  path: readonly string[]
  url: string
}

/** @param entry what is known of it, without the members that every entry may have */
export type FieldsOf = (entry: Readonly<Record<string, unknown>>) => readonly ConnectionField[]

/** What people read of a kind. */
export interface KindWords {
  /** What they call it. */
  title: string
  /** Which messages it carries, in a few words. */
  carries: string
  /** What one does with the address that its reports come to; left out where nothing is to be done. */
  reports?: string
}

/** By the name that `kind` has in a list. */
export type ConnectionKinds = Readonly<Record<string, ConnectionKind>>

export interface Entry extends Caps {
  id: string
  kind: string
  /** ISO 3166-1 alpha-2 codes; null is for all. */
  countries: string[] | null
  failoverSeconds: number | null
  /** As they were written: what a kind makes of them, it makes when it opens the connection. */
  settings: Record<string, unknown>
  secrets: Record<string, unknown>
  /** People of the account wrote where it leads, and not the operator. */
  byPerson: boolean
}

/** Who has written an entry: people lead the service to fewer places than the operator does. */
export interface Writer {
  byPerson: boolean
}

/** Something that is wrong in a list. */
export interface Fault {
  /** The place of the entry, from 0 on, and the members that lead to it. */
  path: readonly PropertyKey[]
  fault: string
}

export const entriesMax = 20
const failoverRange = { min: 1, max: 600 }
const seconds = `must be whole seconds, ${failoverRange.min} to ${failoverRange.max}`
const idForm = /^[a-z][a-z0-9-]{0,31}$/

/** No message has a value in it: where there should be something else, there may be a secret. */
const everyEntry = z.looseObject({
  id: z
    .string({ error: 'must be a text' })
    .regex(idForm, 'must be 1 to 32 lower-case letters, digits and "-", and begin with a letter'),
  kind: z.string({ error: 'must be a text' }),
  countries: z
    .array(
      z
        .string({ error: 'must be a text' })
        .transform((code) => code.toUpperCase())
        .refine((code) => isSupportedCountry(code), 'must be a two-letter country code (ISO 3166-1)'),
      { error: 'must be a list of two-letter country codes' },
    )
    .min(1, 'must have a country, or be left out for all')
    .transform((codes) => [...new Set(codes)])
    .optional(),
  failover_seconds: z
    .int({ error: seconds })
    .min(failoverRange.min, seconds)
    .max(failoverRange.max, seconds)
    .optional(),
  ...capForms,
})

/**
 * @param missing values that are not in the list because they could not be had: of each, that alone is said
 * @returns the entries that are good by themselves, and everything that is wrong, never with a value
 */
export async function readEntries(
  list: readonly unknown[],
  kinds: ConnectionKinds,
  missing: readonly Fault[],
  writer: Writer,
): Promise<{ entries: Entry[]; faults: Fault[] }> {
  const ids = list.map(idOf)
  const entries: Entry[] = []
  const tooMany = { path: [], fault: `there are ${list.length} connections, and ${entriesMax} is the most` }
  const faults: Fault[] = list.length > entriesMax ? [tooMany] : []
  // No more are read than may be there. One with a provider file takes some ten milliseconds.
  for await (const part of inTurns([...list.slice(0, entriesMax).entries()], 1)) {
    const [index, value] = part[0]!
    const id = ids[index]
    const { entry, faults: found } = readEntry(value, kinds, writer)
    if (entry) entries.push(entry)
    if (id !== undefined && ids.indexOf(id) < index) found.push({ path: ['id'], fault: 'is there twice' })
    const unknown = missing
      .filter(({ path }) => path[0] === index)
      .map(({ path, fault }) => ({ path: path.slice(1), fault }))
    const told = [...unknown, ...found.filter((fault) => !unknown.some((above) => isAt(fault, above)))]
    faults.push(...told.map(({ path, fault }) => ({ path: [index, ...path], fault })))
  }
  return { entries, faults }
}

/** `"wa-eu", access_token: is missing`: a fault of a list, with the id of its entry, or its place where it has none. */
export function entryFaultText({ path: [index, ...path], fault }: Fault, list: readonly unknown[]): string {
  if (index === undefined) return fault
  const id = idOf(list[Number(index)])
  const label = id === undefined ? `connection ${Number(index) + 1}` : `"${id}"`
  return atPlace(path, fault, label)
}

/** Those of entries that lead where they may not. @param found by the ids of the entries */
export function faultsOfPlaces(found: ReadonlyMap<string, readonly Fault[]>, list: readonly unknown[]): Fault[] {
  const ids = list.map(idOf)
  return [...found].flatMap(([id, faults]) =>
    faults.map(({ path, fault }) => ({ path: [ids.indexOf(id), ...path], fault })),
  )
}

function isAt({ path }: Fault, above: Fault): boolean {
  return above.path.every((step, depth) => path[depth] === step)
}

/** A kind as it takes what this writer has written: what people of an account write may lead to fewer places. */
export function kindFor<Kind extends { forPeople?: object | undefined }>(
  kind: Kind,
  { byPerson }: Writer,
): Kind | NonNullable<Kind['forPeople']> {
  return (byPerson && kind.forPeople) || kind
}

/** @returns the entry, where there is no fault; and what is wrong with it by itself */
export function readEntry(
  value: unknown,
  kinds: ConnectionKinds,
  { byPerson }: Writer,
): { entry?: Entry; faults: Fault[] } {
  if (!isMapping(value)) return { faults: [{ path: [], fault: 'must be a mapping with id and kind' }] }
  const members = Object.entries(value).filter(([name]) => !Object.hasOwn(everyEntry.shape, name))
  const named = typeof value.kind === 'string' ? value.kind : undefined
  const kind = named !== undefined && Object.hasOwn(kinds, named) ? kinds[named] : undefined
  const common = everyEntry.safeParse(value, { error: schemaWords })
  const form = kind && kindFor(kind, { byPerson }).settings
  const own = form?.safeParse(Object.fromEntries(members), { error: schemaWords })
  const refused = kind?.entryFaults?.(Object.fromEntries(members)) ?? []
  const faults = [...faultsOfForm(common.error, value), ...refused, ...faultsOfForm(own?.error, value)]
  if (named !== undefined && !kind) {
    faults.push({ path: ['kind'], fault: `must be one of ${Object.keys(kinds).join(', ')}` })
  }
  if (common.data && common.data.id !== named && isLocal(common.data.id, kinds)) {
    faults.push({ path: ['id'], fault: 'is reserved for a connection of that kind' })
  }
  if (!isStorable(value)) faults.push({ path: [], fault: notStorable })
  if (!common.data || !kind || faults.length > 0) return { faults }
  const secret = secretNames(kind.fields(Object.fromEntries(members)))
  const [sealed = [], open = []] = [true, false].map((is) => members.filter(([name]) => secret.includes(name) === is))
  const entry = {
    id: common.data.id,
    kind: common.data.kind,
    countries: common.data.countries ?? null,
    failoverSeconds: common.data.failover_seconds ?? null,
    ...readCaps(common.data),
    settings: Object.fromEntries(open),
    secrets: Object.fromEntries(sealed),
    byPerson,
  }
  return { entry, faults }
}

/** Undefined for what is none: it is not repeated. */
function idOf(value: unknown): string | undefined {
  return isMapping(value) && typeof value.id === 'string' && idForm.test(value.id) ? value.id : undefined
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
