/** One change of an account's list at a time, as people make them in a browser: by the rules of the whole list. */
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { atPlace } from '../../kit/reading/formFaults.ts'
import { placedRefusal, Refusal } from '../../kit/refusal.ts'
import { lockAccount } from '../../store/access/account.ts'
import { type Connection, findConnections } from '../../store/channels/connection.ts'
import { type Actor, requireRole } from '../access/actor.ts'
import { requireSecrets, type Secrets } from '../access/secret.ts'
import { type Caps, pickCaps } from './caps.ts'
import type { ConnectionParts } from './connection.ts'
import {
  type ConnectionKinds,
  type Entry,
  entriesMax,
  type Fault,
  type KindWords,
  readEntry,
} from './connectionEntry.ts'
import { type ConnectionField, secretNames } from './connectionField.ts'
import { type Applied, openConnectionSecrets, tokenName, writeList } from './connectionList.ts'
import { findPlaceFaults } from './connectionPlace.ts'

export interface ConnectionEdits {
  /** In the order of the kinds. */
  kinds: readonly EditableKind[]
  /** @throws Forbidden */
  read: (actor: Actor, accountId: string) => Promise<EditableList>
  /**
   * @param version of the list that the change was thought of for
   * @throws Refusal where there is no such connection, ListChanged, FaultyEntry, Forbidden; nothing is changed then
   */
  edit: (actor: Actor, accountId: string, version: string, edit: Edit) => Promise<Applied>
}

export interface EditableKind {
  kind: string
  words: KindWords | undefined
  /** It does not leave the service. */
  isLocal: boolean
  /** The address of its reports ends with a token. */
  hasReportToken: boolean
  /** @param entry what is known of it so far */
  fieldsOf: (entry: Readonly<Record<string, unknown>>) => readonly ConnectionField[]
  /** What is wrong with those fields of a new entry that are filled in first. @param entry as in a file */
  firstFaultsOf: (entry: Readonly<Record<string, unknown>>) => readonly Fault[]
}

export interface EditableList {
  /** Another one after every change of the list. */
  version: string
  connections: EditableConnection[]
}

export interface EditableConnection
  extends Caps,
    Pick<Connection, 'id' | 'kind' | 'countries' | 'failoverSeconds' | 'settings'> {
  /** How many values are stored of each secret; none of those that cannot be read. */
  stored: Readonly<Record<string, number>>
}

/** `entry` is as in a file. */
export type Edit =
  /** @property before the id of the one that it comes before; undefined: it comes last */
  | { do: 'add'; entry: Readonly<Record<string, unknown>>; before: string | undefined }
  /** Secrets that the entry leaves out stay. */
  | { do: 'change'; id: string; entry: Readonly<Record<string, unknown>>; secrets: SecretChange }
  | { do: 'remove'; id: string }
  | { do: 'move'; id: string; by: -1 | 1 }

export interface SecretChange {
  /** Those of which the newest stored value stays good beside the one that is given. */
  beside: readonly string[]
  /** Those that are erased. */
  dropped: readonly string[]
}

/** Somebody was faster: what was to be changed may not be there any more. */
export class ListChanged extends Refusal {}

/** What is wrong with an entry, member by member. */
export class FaultyEntry extends Refusal {
  constructor(faults: readonly Fault[]) {
    const { message } = placedRefusal(faults, ({ path, fault }) => atPlace(path, fault))
    super(message, { faults })
  }
}

export function createConnectionEdits({ commit, secrets, runtime, kinds }: ConnectionParts): ConnectionEdits {
  return {
    kinds: Object.entries(kinds).map(([kind, { words, isLocal = false, fields, reporterOf }]) => ({
      ...{ kind, words, isLocal, hasReportToken: reporterOf !== undefined },
      fieldsOf: fields,
      firstFaultsOf: (entry) => {
        const isFirst = ({ path }: Fault) => fields(entry).some(({ name, first }) => first && name === path[0])
        return readEntry(entry, kinds, { byPerson: true }).faults.filter(isFirst)
      },
    })),
    read: async (actor, accountId) => {
      requireRole(actor, 'owner', accountId)
      const held = requireSecrets(secrets, 'connections')
      const [rows = []] = await findConnections(commit.reader, [accountId])
      return { version: versionOf(rows), connections: rows.map((row) => editable(held, row)) }
    },
    edit: async (actor, accountId, version, edit) => {
      requireRole(actor, 'owner', accountId)
      const held = requireSecrets(secrets, 'connections')
      const readWanted = (before: readonly Connection[]) => {
        if (edit.do !== 'add') requireThere(before, edit.id)
        if (versionOf(before) !== version) throw new ListChanged(changedMeanwhile)
        return wantedBy(edit, before, { kinds, secrets: held, byPerson: actor.kind !== 'operator' })
      }
      // In a transaction of the actor: a refusal tells about the list, so who lost the role meanwhile does not get one.
      const [known = []] = await commit.as(actor).transaction((tx) => findConnections(tx, [accountId]))
      const [closed] = (await findPlaceFaults(readWanted(known), known, kinds)).values()
      if (closed) throw new FaultyEntry(closed)
      return commit.as(actor).transaction(async (tx, note) => {
        await lockAccount(tx, accountId)
        const [before = []] = await findConnections(tx, [accountId])
        const wanted = readWanted(before)
        return writeList(tx, { accountId, before }, wanted, { secrets: held, runtime, note, kinds })
      })
    },
  }
}

const changedMeanwhile =
  'Another user changed the list of channels in the meantime. Nothing was saved: review the list, then try again.'

/** A revision is another one whenever anything of its connection has changed but its place, which the order tells. */
function versionOf(rows: readonly Connection[]): string {
  return hash('sha256', rows.map(({ id, revision }) => `${id} ${revision}`).join('\n'), 'base64url')
}

/** @throws Refusal */
function requireThere(rows: readonly Connection[], id: string): void {
  if (!rows.some((row) => row.id === id)) throw new Refusal(`There is no channel ${id}.`)
}

function editable(secrets: Secrets, row: Connection): EditableConnection {
  const { id, kind, countries, failoverSeconds, settings } = row
  const { [tokenName]: _token, ...own } = openConnectionSecrets(secrets, row) ?? {}
  const stored = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, [value].flat().length]))
  return { id, kind, countries, failoverSeconds, ...pickCaps(row), settings, stored }
}

interface Rules {
  kinds: ConnectionKinds
  secrets: Secrets
  /** Of the change. */
  byPerson: boolean
}

/** @throws FaultyEntry */
function wantedBy(edit: Edit, before: readonly Connection[], rules: Rules): (Entry | Connection)[] {
  if (edit.do === 'remove') return before.filter(({ id }) => id !== edit.id)
  if (edit.do === 'add') {
    const entry = requireGood(edit.entry, rules, faultsAmong(edit.entry, before))
    const found = before.findIndex(({ id }) => id === edit.before)
    const place = found === -1 ? before.length : found
    return [...before.slice(0, place), entry, ...before.slice(place)]
  }
  const at = before.findIndex(({ id }) => id === edit.id)
  const row = before[at]!
  if (edit.do === 'move') {
    const to = Math.min(Math.max(at + edit.by, 0), before.length - 1)
    return before.toSpliced(at, 1).toSpliced(to, 0, row)
  }
  const { entry, faults, isElsewhere } = completed(edit, row, rules)
  // What the operator wrote stays his while it leads to the same place.
  const byPerson = rules.byPerson && (row.byPerson || isElsewhere)
  return before.map((one) => (one === row ? requireGood(entry, { ...rules, byPerson }, faults) : one))
}

/** What is wrong with a new one beside the others. */
function faultsAmong({ id }: Readonly<Record<string, unknown>>, before: readonly Connection[]): Fault[] {
  const isTaken = before.some((row) => row.id === id)
  const isFull = before.length >= entriesMax
  return [
    ...(isTaken ? [{ path: ['id'], fault: 'there is a channel of this name already' }] : []),
    ...(isFull ? [{ path: [], fault: `there are ${before.length} channels, and ${entriesMax} is the most` }] : []),
  ]
}

/** The entry with the secrets that stay. */
function completed(
  { entry, secrets: { beside, dropped } }: Extract<Edit, { do: 'change' }>,
  row: Connection,
  { kinds, secrets }: Rules,
): { entry: Record<string, unknown>; faults: Fault[]; isElsewhere: boolean } {
  const { id, kind: name, countries, failover_seconds, ...members } = entry
  const kind = Object.hasOwn(kinds, row.kind) ? kinds[row.kind] : undefined
  const own = { ...entry, id: row.id, kind: row.kind }
  if (!kind) return { entry: own, faults: [], isElsewhere: true }
  const stored = openConnectionSecrets(secrets, row) ?? {}
  const fields = kind.fields(members)
  const isElsewhere = fields.some(
    ({ name, leads, standard }) =>
      leads && !isDeepStrictEqual(trimmed(members[name] ?? standard), trimmed(row.settings[name] ?? standard)),
  )
  const faults: Fault[] = []
  const kept = secretNames(fields).flatMap((name): [string, unknown][] => {
    const [given, held] = [members[name], stored[name]]
    if (held === undefined) return []
    if (given === undefined && dropped.includes(name)) return []
    if (!isElsewhere) {
      if (given === undefined) return [[name, held]]
      return beside.includes(name) ? [[name, [given, [held].flat()[0]]]] : []
    }
    if (given === undefined) faults.push({ path: [name], fault: enterAgain })
    return []
  })
  return { entry: { ...own, ...Object.fromEntries(kept) }, faults, isElsewhere }
}

/** Spaces at the ends of a text lead nowhere else, and a form has none. */
function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value
}

/** Who can change an address cannot read the secrets: they would be brought to whoever listens there. */
const enterAgain = 'enter it again, because messages go to another address now'

/** @throws FaultyEntry */
function requireGood(
  value: Readonly<Record<string, unknown>>,
  { kinds, byPerson }: Omit<Rules, 'secrets'>,
  faults: readonly Fault[],
): Entry {
  const { entry, faults: own } = readEntry(value, kinds, { byPerson })
  const isSaid = ({ path }: Fault) => faults.some((other) => isDeepStrictEqual(other.path, path))
  const all = [...faults, ...own.filter((fault) => !isSaid(fault))]
  if (!entry || all.length > 0) throw new FaultyEntry(all)
  return entry
}
