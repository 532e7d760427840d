/** Connections: what an account sends through, in the order in which it is asked. */
import { placedRefusal, Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { lockAccount } from '../../store/access/account.ts'
import {
  type Connection,
  type ConnectionKey,
  countStranded,
  findConnections,
  findInLiveUse,
  listConnectionsOfKinds,
  sealedConnections,
} from '../../store/channels/connection.ts'
import type { ActCommit } from '../access/act.ts'
import { type Actor, may, requireRole, sees } from '../access/actor.ts'
import { type Resealed, reseal } from '../access/reseal.ts'
import { requireSecrets, type Secrets, secretNeeded } from '../access/secret.ts'
import { type Caps, pickCaps } from './caps.ts'
import {
  type ConnectionKinds,
  entryFaultText,
  type Fault,
  faultsOfPlaces,
  type KindWords,
  readEntries,
} from './connectionEntry.ts'
import { exportEntries } from './connectionExport.ts'
import {
  type Applied,
  connectionContextOf,
  openConnectionSecrets,
  toEntry,
  tokenName,
  tokenOf,
  writeList,
} from './connectionList.ts'
import { findPlaceFaults } from './connectionPlace.ts'
import { createFindUnusable, type FindUnusable, type OpenedConnection } from './connectionUse.ts'
import { forTestKeysOnly } from './liveUse.ts'
import { findMissingReports, type MissingReports } from './missingReports.ts'
import { findUsedDays, type UsedDay, usedUp } from './usedDay.ts'

export interface ListedConnection extends Caps {
  id: string
  kind: string
  /** Of the kind; undefined where this version has none such. */
  words: KindWords | undefined
  countries: readonly string[] | null
  failoverSeconds: number | null
  /** It carries no live message. */
  isForTestKeys: boolean
  /** What is used of its day; undefined where its day has no cap. */
  day: UsedDay | undefined
  /** Why this process cannot use it, with the settings that it was started with; undefined where it can. */
  unusable: string | undefined
  /** Undefined: it is up. */
  rest: { until: Date; reason: string } | undefined
  /** When it took a message last, at most a minute late; null when it has not. */
  takenAt: Date | null
  /** When its provider reported last what became of messages, at most a minute late; null when it has not. */
  reportedAt: Date | null
  /** Undefined where reports come, or none are waited for. */
  missingReports: MissingReports | undefined
  /** What its provider said last that is left, in its own currency; null when it has not. */
  balance: number | null
  /** Where its reports come to, at the API's address; undefined where none come, or it is not to be shown. */
  reportPath: string | undefined
}

export interface Connections {
  /**
   * Makes the list of an account this one: all of it, or nothing when anything is wrong with it. What has not changed keeps
   * its revision, and goes on resting if it does.
   *
   * @param missing values that are not in the list because they could not be had
   * @returns the ids of what is new or has changed, and of what is gone
   * @throws Refusal which names everything that is wrong, and no value; Forbidden
   */
  apply: (actor: Actor, accountId: string, list: readonly unknown[], missing?: readonly Fault[]) => Promise<Applied>
  /**
   * Gives the address of a connection's reports another token. What comes to the one before is refused, also of messages that are
   * under way.
   *
   * @returns where its reports come to now, at the API's address
   * @throws Refusal when there is none, it has no token, or its secrets cannot be opened; Forbidden
   */
  rotate: (actor: Actor, accountId: string, id: string) => Promise<string>
  /** How many messages of the last hour wait for connections that are all gone: nothing brings them any more. @throws Forbidden */
  stranded: (actor: Actor, accountId: string) => Promise<number>
  /** The ids of those that are sealed under a secret that is not held here. @throws Forbidden */
  unreadable: (actor: Actor, accountId: string) => Promise<string[]>
  /** In their order. */
  list: (actor: Actor, accountId: string) => Promise<ListedConnection[]>
  /** The list as a file has it, with a place like `${WA_EU_ACCESS_TOKEN}` for each secret. @throws Forbidden */
  export: (actor: Actor, accountId: string) => Promise<Record<string, unknown>[]>
  open: (row: Connection) => OpenedConnection
  /** Where its secrets are not known, a process uses none, and finds none. */
  findUnusable: FindUnusable
  /**
   * Seals again what is sealed under another than the first secret.
   *
   * @returns how many were; and those that no secret opens, which have to be applied again
   */
  reseal: () => Promise<Resealed>
  /** Those of a kind whose accounts have live keys that are good now; each with the name of its account. */
  inLiveUse: (kind: string) => Promise<{ account: string; connection: string }[]>
  /** One that tells its provider with each message where to report, whoever has it; undefined where none is found. */
  findTelling: () => Promise<ConnectionKey | undefined>
}

export interface ConnectionParts {
  commit: ActCommit
  /** Undefined: they are not known here, and nothing can be sealed or opened. */
  secrets: Secrets | undefined
  runtime: Pick<Runtime, 'now' | 'newId'>
  kinds: ConnectionKinds
  /** Whether the sandbox carries live messages of accounts that have no other connection. */
  sandboxLive: boolean
}

/** Milliseconds back from now: codes live shorter, and messages are tried for about as long. */
const strandedMs = 3_600_000

/** Connections of all accounts that a process looks at when it starts. */
const lookedAtMax = 1000

export function createConnections({ commit, secrets, runtime, kinds, sandboxLive }: ConnectionParts): Connections {
  const open = (row: Connection): OpenedConnection => {
    if (!row.sealed) return { settings: row.settings }
    if (!secrets) return { unusable: secretNeeded('connections') }
    const own = openConnectionSecrets(secrets, row)
    if (!own) return { unusable: 'its secrets were encrypted with another WATCHWORD_SECRET: apply it again' }
    const { [tokenName]: reportToken, ...opened } = own
    return { settings: { ...row.settings, ...opened }, reportToken: reportToken as string | undefined }
  }
  const findUnusable: FindUnusable = secrets ? createFindUnusable({ kinds, open }) : async () => new Map()
  return {
    apply: (...given) => applyList({ commit, secrets, runtime, kinds }, ...given),
    rotate: (...given) => rotateToken({ commit, secrets, runtime, kinds }, ...given),
    list: async (actor, accountId) => {
      if (!sees(actor, accountId)) return []
      const now = runtime.now()
      const [found = []] = await findConnections(commit.reader, [accountId])
      const isShown = may(actor, 'owner')
      const forTests = forTestKeysOnly(found, { kinds, sandboxLive })
      const [days, unusable] = await Promise.all([findUsedDays(commit.reader, found, now), findUnusable(found)])
      return found.map((row) =>
        listed(row, {
          ...{ now, kinds, isForTestKeys: forTests.has(row), day: days.get(row.id), unusable: unusable.get(row) },
          tokenOf: () => (isShown ? tokenOf(secrets, row) : undefined),
        }),
      )
    },
    stranded: async (actor, accountId) => {
      requireRole(actor, 'owner', accountId)
      return countStranded(commit.reader, accountId, new Date(runtime.now().getTime() - strandedMs))
    },
    unreadable: async (actor, accountId) => {
      requireRole(actor, 'owner', accountId)
      const held = requireSecrets(secrets, 'connections')
      const [found = []] = await findConnections(commit.reader, [accountId])
      return found.filter((row) => openConnectionSecrets(held, row) === undefined).map(({ id }) => id)
    },
    export: async (actor, accountId) => {
      requireRole(actor, 'owner', accountId)
      const [found = []] = await findConnections(commit.reader, [accountId])
      return exportEntries(found, { secrets, kinds })
    },
    open,
    findUnusable,
    reseal: () =>
      reseal(commit, requireSecrets(secrets, 'connections'), { contextOf: connectionContextOf, ...sealedConnections }),
    inLiveUse: (kind) => findInLiveUse(commit.reader, kind, runtime.now()),
    findTelling: async () => {
      const telling = Object.keys(kinds).filter((kind) => kinds[kind]?.tellsAddress)
      const found = await listConnectionsOfKinds(commit.reader, telling, lookedAtMax)
      return found.find(({ kind, settings }) => kinds[kind]?.tellsAddress?.(settings as Record<string, unknown>))
    },
  }
}

/** What changes a list. */
type ListParts = Omit<ConnectionParts, 'sandboxLive'>

async function applyList(
  { commit, secrets, runtime, kinds }: ListParts,
  actor: Actor,
  accountId: string,
  list: readonly unknown[],
  missing: readonly Fault[] = [],
): Promise<Applied> {
  requireRole(actor, 'owner', accountId)
  const held = requireSecrets(secrets, 'connections')
  const { entries, faults } = await readEntries(list, kinds, missing, { byPerson: actor.kind !== 'operator' })
  const [known = []] = await findConnections(commit.reader, [accountId])
  const all = [...faults, ...faultsOfPlaces(await findPlaceFaults(entries, known, kinds), list)]
  if (all.length > 0) throw placedRefusal(all, (fault) => entryFaultText(fault, list))
  return commit.as(actor).transaction(async (tx, note) => {
    await lockAccount(tx, accountId)
    const [before = []] = await findConnections(tx, [accountId])
    return writeList(tx, { accountId, before }, entries, { secrets: held, runtime, note, kinds })
  })
}

async function rotateToken(
  { commit, secrets, runtime, kinds }: ListParts,
  actor: Actor,
  accountId: string,
  id: string,
): Promise<string> {
  requireRole(actor, 'owner', accountId)
  const held = requireSecrets(secrets, 'connections')
  return commit.as(actor).transaction(async (tx, note) => {
    await lockAccount(tx, accountId)
    const [before = []] = await findConnections(tx, [accountId])
    const row = before.find((one) => one.id === id)
    if (!row) throw new Refusal(`There is no channel ${id}.`)
    if (!kinds[row.kind]?.reporterOf) throw new Refusal(`The address of the reports of ${id} has no token.`)
    const wanted = before.map((one) => (one === row ? toEntry(held, row) : one))
    await writeList(tx, { accountId, before }, wanted, { secrets: held, runtime, note, kinds, readdress: id })
    const [after = []] = await findConnections(tx, [accountId])
    return reportPathOf(row, tokenOf(held, after.find((one) => one.id === id) ?? row) ?? '')
  })
}

interface Beside {
  now: Date
  kinds: ConnectionKinds
  isForTestKeys: boolean
  day: UsedDay | undefined
  unusable: string | undefined
  tokenOf: () => string | undefined
}

function listed(row: Connection, { now, kinds, isForTestKeys, day, unusable, tokenOf }: Beside): ListedConnection {
  const { accountId, id, kind, countries, failoverSeconds, restsUntil, restReason, takenAt, reportedAt, balance } = row
  const rest = restsUntil && restsUntil > now ? { until: restsUntil, reason: restReason ?? '' } : usedUp(day)
  const { words, reporterOf } = (Object.hasOwn(kinds, kind) && kinds[kind]) || {}
  const token = reporterOf ? tokenOf() : ''
  const isThere = words?.reports !== undefined && token !== undefined
  const reportPath = isThere ? reportPathOf({ accountId, id }, token) : undefined
  const missingReports = findMissingReports(row, now)
  const found = { day, unusable, rest, takenAt, reportedAt, missingReports, balance }
  return { id, kind, words, countries, failoverSeconds, ...pickCaps(row), isForTestKeys, ...found, reportPath }
}

/** @param token empty where there is none */
function reportPathOf({ accountId, id }: Pick<Connection, 'accountId' | 'id'>, token: string): string {
  return `/providers/${accountId}/${id}${token && `/${token}`}`
}
