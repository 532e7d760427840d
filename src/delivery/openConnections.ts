/** The connections that this process holds open: looked up by account, at most five seconds behind the database. */

import { type OpenedConnection, readConnection } from '../domain/channels/connectionUse.ts'
import { forTestKeysOnly, type LiveUseParts } from '../domain/channels/liveUse.ts'
import { createCache } from '../kit/cache.ts'
import { inTurns } from '../kit/inTurns.ts'
import { createPlaces, type Places } from '../kit/places.ts'
import { unavailable } from '../kit/problem.ts'
import { createRemembered, type Remembered } from '../kit/remembered.ts'
import type { Runtime } from '../kit/runtime.ts'
import { AskFault } from '../outbound/failure.ts'
import { findTurnUse } from '../store/channels/cap.ts'
import { type Connection, type ConnectionRevision, findConnections } from '../store/channels/connection.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Mode } from '../store/schema/schema.ts'
import type { Channel, Kinds } from './channel.ts'
import { neverBeats, type Pulse, type StartPulse } from './pulse.ts'
import { createRest, neverRests, type Rest, type Resting } from './rest.ts'
import { ourFault } from './settlement.ts'
import { findSilence } from './silence.ts'
import { type Capacity, capacityOf, computeReturn, findFull } from './turns/capacity.ts'
import { type ComeBack, createReturns } from './turns/returns.ts'
import { computeWeight, type Share } from './turns/spread.ts'

export interface OpenConnection {
  accountId: string
  id: string
  kind: string
  /** ISO 3166-1 alpha-2 codes that it is for; undefined is for all. */
  countries: ReadonlySet<string> | undefined
  failoverSeconds: number | undefined
  /** It carries no live message. */
  isForTestKeys: boolean
  channel: Channel
  /** Templates that its provider would not send as the account has them; null for none. */
  templateFaults?: Connection['templateFaults']
  /** Undefined where it has no caps. */
  capacity: Capacity | undefined
  /** Undefined where it shares with no others. */
  share?: Share | undefined
  places: Places
  comeBack: ComeBack
  rest: Rest
  /** What the provider said last that is left, in its own currency. */
  balance?: number
  pulse: Pulse
}

/** Whose connection: test keys always have the sandbox. */
export interface ConnectionOfMode {
  accountId: string
  mode: Mode
  connection: string
}

export interface OpenConnections {
  /** Those of an account in their order, also those that are for test keys only. @throws when the database is out of reach */
  ofAccount: (accountId: string) => Promise<readonly OpenConnection[]>
  /** One that carries messages of this mode. @throws when the database is out of reach */
  find: (key: ConnectionOfMode) => Promise<OpenConnection | undefined>
  /**
   * For live keys, asked by anybody: names that nobody has cost a bounded number of questions.
   *
   * @throws Problem `service_unavailable` when more is asked
   */
  findForStranger: (key: Omit<ConnectionOfMode, 'mode'>) => Promise<OpenConnection | undefined>
  /** Without asking the database. */
  known: (key: ConnectionOfMode) => OpenConnection | undefined
  /** Those that were in use lately, as they were known last; they are looked up again behind it. */
  inUse: () => OpenConnection[]
  /** Looks again at the next call: this process has changed the list. */
  forget: (accountId: string) => void
  close: () => Promise<void>
}

export interface OpenConnectionsParts extends Pick<LiveUseParts, 'sandboxLive'> {
  commit: Commit
  kinds: Kinds
  /** What test keys take in every account: a connection with the name of its kind. */
  forTests: { kind: string; channel: Channel }
  /** The settings of a connection with its secrets, or why there are none. */
  openSettings: (row: Connection) => OpenedConnection
  publicUrl: string | undefined
  runtime: Runtime
  startPulse: StartPulse
  /** Told when one begins to rest, and with undefined when it is up again. */
  onRest: (connection: ConnectionRevision, resting: Resting | undefined) => void
}

const accountsMax = 10_000
/** Milliseconds in which a connection that is replaced ends what it has begun. */
const lingerMs = 15_000
/** Accounts that are looked up at once, when a stranger names another. */
const strangersMax = 64
/** Messages that a provider is asked about at once. */
const standardPlaces = 64
/** Of messages that it had no turn for, so many come back in a second for each that it takes in that time: some come in vain. */
const returnsPart = 1.25
/** Messages a second, of one that has no pace. */
const unpacedPerSecond = 160

/** @property weight of one that shares messages with others */
type Row = Connection & { weight?: number | undefined }

/** In their order, each as it was applied last. */
type List = readonly (OpenConnection & Pick<Connection, 'revision'>)[]

export function createOpenConnections(parts: OpenConnectionsParts): OpenConnections {
  const lists = createLists(parts)
  const ofAccount = async (accountId: string): Promise<readonly OpenConnection[]> => (await lists.get(accountId)) ?? []
  const testConnections = createCache<OpenConnection>(accountsMax)
  const forTests = (accountId: string): OpenConnection => {
    const made = testConnections.get(accountId) ?? testConnection(accountId, parts.forTests)
    testConnections.set(accountId, made)
    return made
  }
  const pick = (list: readonly OpenConnection[] | undefined, id: string) =>
    list?.find((one) => one.id === id && !one.isForTestKeys)

  return {
    ofAccount,
    find: async ({ accountId, mode, connection }) => {
      if (mode === 'test') return forTests(accountId)
      // A message can come from a process that knows of a newer list: for one that is not in ours, it would be lost.
      return pick(await lists.get(accountId), connection) ?? pick(await lists.readAnew(accountId), connection)
    },
    findForStranger: async ({ accountId, connection }) => {
      const isKnown = lists.last(accountId) !== undefined || lists.recent(accountId) !== undefined
      if (!isKnown && lists.reading.size >= strangersMax) throw unavailable()
      return pick(await lists.get(accountId), connection)
    },
    known: ({ accountId, mode, connection }) =>
      mode === 'test' ? forTests(accountId) : pick(lists.last(accountId), connection),
    inUse: () =>
      lists.keys().flatMap((accountId) => {
        lists.recent(accountId)
        return lists.last(accountId) ?? []
      }),
    forget: lists.forget,
    close: async () => {
      const open = lists.keys().flatMap((accountId) => lists.last(accountId) ?? [])
      await Promise.all(open.flatMap(({ channel, pulse }) => [channel.close?.(), pulse.stop()]))
    },
  }
}

/** The lists of accounts that have one; of the others it is known that they have none. */
function createLists(parts: OpenConnectionsParts): Remembered<List> {
  const { commit, kinds, runtime } = parts
  const find = commit.shareReads<string, Connection[]>({ work: findConnections })
  const weigh = async (row: Row): Promise<Row> => {
    if (!row.spread) return row
    return { ...row, weight: computeWeight(row, await findTurnUse(commit.reader, row, runtime.now())) }
  }
  return createRemembered<Row[], List>({
    now: runtime.elapsedMs,
    keysMax: accountsMax,
    read: async (accountId, before = []) => {
      const rows = await find(accountId)
      const isOpen = (row: Connection) => before.some(({ id, revision }) => id === row.id && revision === row.revision)
      const added = rows.filter((row) => !isOpen(row))
      for await (const [row] of inTurns(added, 1)) kinds[row!.kind]?.prepare?.(row!.settings)
      return Promise.all(rows.map(weigh))
    },
    keep: (rows, _accountId, before = []) => {
      const list = toList(rows, before, parts)
      return list.length > 0 ? list : undefined
    },
    onEvicted: (list) => {
      for (const connection of list) closeLater(connection)
    },
  })
}

/** What has not changed stays open, with what is known of it. */
function toList(rows: readonly Row[], before: List, parts: OpenConnectionsParts): List {
  const list = rows.map((row) => {
    const connection = before.find(({ id, revision }) => id === row.id && revision === row.revision)
    return connection ?? openConnection(row, parts)
  })
  rows.forEach(({ restsUntil, restReason, weight, templateFaults }, index) => {
    list[index]!.templateFaults = templateFaults
    const share = list[index]?.share
    if (share) share.left = weight
    if (restsUntil) list[index]?.rest.heard({ until: restsUntil, reason: restReason ?? 'no reason is known' })
  })
  for (const connection of before) if (!list.includes(connection)) closeLater(connection)
  const forTests = forTestKeysOnly(list, parts)
  for (const connection of list) connection.isForTestKeys = forTests.has(connection)
  for (const [index, row] of rows.entries()) restSilent(row, list[index]!, { list, now: parts.runtime.now() })
  return list
}

/** Where messages can go another way: one that is alone goes on trying. */
function restSilent(row: Row, connection: OpenConnection, { list, now }: { list: List; now: Date }): void {
  const reason = findSilence(row, connection.channel.reportedWithinSeconds, now)
  const hasOther = list.some((other) => other !== connection && !other.isForTestKeys)
  if (reason !== undefined && hasOther) connection.rest.note({ kind: 'down', reason, now })
}

function openConnection(row: Connection, parts: OpenConnectionsParts): List[number] {
  const { accountId, id, kind, countries, failoverSeconds, revision } = row
  const capacity = capacityOf(row)
  const perSecondOf = ({ perSecond = capacity ? computeReturn(capacity.caps) : unpacedPerSecond }: Channel) => perSecond
  const channel = openChannel(row, parts, (amount) => {
    opened.balance = amount
  })
  const { reportedWithinSeconds: within } = channel
  const opened: List[number] & { channel: Channel & { isUnusable?: true } } = {
    ...{ accountId, id, kind, revision },
    countries: countries ? new Set(countries) : undefined,
    failoverSeconds: failoverSeconds ?? undefined,
    isForTestKeys: false,
    capacity,
    share: row.spread ? { credit: 0, left: undefined, isAble: () => isAble(opened, parts.runtime.now()) } : undefined,
    channel,
    places: createPlaces(() => opened.channel.atOnceMax ?? standardPlaces),
    comeBack: createReturns(() => perSecondOf(opened.channel) * returnsPart),
    // What is looked at before the time is over has to be known by then.
    pulse: parts.startPulse({ accountId, id, revision }, within === undefined ? undefined : (within * 1000) / 8),
    rest: createRest((resting) => {
      // What this process cannot open, others may: it rests here, and is not kept for them.
      if (opened.channel.isUnusable) return
      parts.onRest({ accountId, id, revision }, resting)
    }),
  }
  return opened
}

function isAble(connection: OpenConnection, now: Date): boolean {
  return !connection.rest.resting(now) && !findFull(connection, now)
}

function openChannel(
  row: Connection,
  parts: OpenConnectionsParts,
  onBalance: (amount: number) => void,
): Channel & { isUnusable?: true } {
  const { accountId, id: connection } = row
  const { kinds, openSettings, publicUrl, runtime } = parts
  const { log } = runtime
  const found = readConnection({ kinds, open: openSettings }, row)
  if ('unusable' in found) {
    log.error({ account: accountId, connection, reason: found.inFull }, 'a connection cannot be opened')
    return unusable(found.unusable)
  }
  try {
    const { kind, settings, reportToken } = found
    return kind.open(settings, { accountId, connection, publicUrl, reportToken, runtime, log, onBalance })
  } catch (error) {
    runtime.internalErrors.note('open', error, { account: accountId, connection })
    return { ...unusable(ourFault), send: () => Promise.reject(new AskFault(error, true)) }
  }
}

/** In place of one that can not be opened: its messages go on to the next, and the operator is told why. */
function unusable(reason: string): Channel & { isUnusable: true } {
  return {
    isUnusable: true,
    send: async () => ({ kind: 'down', reason }),
    verify: () => false,
    parse: () => [],
  }
}

function testConnection(accountId: string, { kind, channel }: OpenConnectionsParts['forTests']): OpenConnection {
  const places = createPlaces(() => Number.POSITIVE_INFINITY)
  const everywhere = { countries: undefined, failoverSeconds: undefined, isForTestKeys: true, capacity: undefined }
  const comeBack = createReturns(() => unpacedPerSecond)
  return { accountId, id: kind, kind, ...everywhere, channel, places, comeBack, rest: neverRests, pulse: neverBeats }
}

function closeLater({ channel, pulse }: OpenConnection): void {
  pulse.stop()
  setTimeout(() => channel.close?.().catch(() => {}), lingerMs).unref()
}
