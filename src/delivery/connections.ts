/** The connections that this process holds open: looked up by account, at most five seconds behind the database. */
import { LRUCache } from 'lru-cache'
import type { Runtime } from '../runtime.ts'
import type { Commit } from '../store/commit.ts'
import { type ConnectionRevision, type Connection as ConnectionRow, findConnections } from '../store/connection.ts'
import type { Mode } from '../store/schema.ts'
import type { Channel, Kinds } from './channel.ts'
import { createPlaces, type Places } from './places.ts'
import { createRest, neverRests, type Rest, type Resting } from './rest.ts'

export interface Connection {
  accountId: string
  id: string
  kind: string
  /** ISO 3166-1 alpha-2 codes that it is for; undefined is for all. */
  countries: ReadonlySet<string> | undefined
  failoverSeconds: number | undefined
  channel: Channel
  places: Places
  rest: Rest
}

/** Whose connection: test keys always have the sandbox. */
export interface ConnectionKey {
  accountId: string
  mode: Mode
  connection: string
}

export interface Connections {
  /** Those of an account for its live keys, in their order. @throws when the database is out of reach */
  ofAccount: (accountId: string) => Promise<readonly Connection[]>
  /** @throws when the database is out of reach */
  find: (key: ConnectionKey) => Promise<Connection | undefined>
  /** Without asking the database. */
  known: (key: ConnectionKey) => Connection | undefined
  /** Those that were in use lately. */
  inUse: () => Connection[]
  /** Looks again at the next call: this process has changed the list. */
  forget: (accountId: string) => void
  close: () => Promise<void>
}

export interface ConnectionsParts {
  commit: Commit
  kinds: Kinds
  /** The one that test keys take. */
  sandbox: Channel
  /** @throws when the secrets of a connection can not be opened */
  openSettings: (row: ConnectionRow) => object
  publicUrl: string | undefined
  runtime: Runtime
  onBalance: (connection: { accountId: string; connection: string }, amount: number) => void
  /** Told when one begins to rest, and with undefined when it is up again. */
  onRest: (connection: ConnectionRevision, resting: Resting | undefined) => void
}

export const sandboxId = 'sandbox'

/** Milliseconds after which a list is looked up again beside its use, and after which it is not used before that. */
const freshMs = 2000
const staleMs = 4500
const accountsMax = 10_000
/** Milliseconds in which a connection that is replaced ends what it has begun. */
const lingerMs = 15_000
/** Messages that a provider is asked about at once. */
const standardPlaces = 64

interface Entry {
  readAt: number
  opened: Map<string, { revision: string; connection: Connection }>
  list: readonly Connection[]
}

export function createConnections(parts: ConnectionsParts): Connections {
  const { commit, runtime, sandbox } = parts
  const entries = new LRUCache<string, Entry>({
    max: accountsMax,
    dispose: (entry, _key, reason) => {
      if (reason === 'evict') for (const { connection } of entry.opened.values()) closeLater(connection)
    },
  })
  const loading = new Map<string, Promise<Entry>>()
  const testConnections = new LRUCache<string, Connection>({ max: accountsMax })

  const find = commit.shareReads<string, ConnectionRow[]>({
    work: findConnections,
  })

  const load = (accountId: string): Promise<Entry> => {
    const begun = loading.get(accountId)
    if (begun) return begun
    const loaded = find(accountId)
      .then((rows) => {
        const entry = entryOf(rows, entries.peek(accountId), parts)
        entries.set(accountId, entry)
        return entry
      })
      .finally(() => loading.delete(accountId))
    loading.set(accountId, loaded)
    return loaded
  }

  const ofAccount = async (accountId: string): Promise<readonly Connection[]> => {
    const entry = entries.get(accountId)
    const age = entry ? runtime.elapsedMs() - entry.readAt : Number.POSITIVE_INFINITY
    if (!entry || age >= staleMs) return (await load(accountId)).list
    // Nobody waits for it; whoever comes when it is too old, is told what is wrong.
    if (age >= freshMs) load(accountId).catch(() => {})
    return entry.list
  }

  const forTests = (accountId: string): Connection => {
    const made = testConnections.get(accountId) ?? testConnection(accountId, sandbox)
    testConnections.set(accountId, made)
    return made
  }

  const pick = (list: readonly Connection[] | undefined, id: string) => list?.find((one) => one.id === id)

  return {
    ofAccount,
    find: async ({ accountId, mode, connection }) =>
      mode === 'test' ? forTests(accountId) : pick(await ofAccount(accountId), connection),
    known: ({ accountId, mode, connection }) =>
      mode === 'test' ? forTests(accountId) : pick(entries.peek(accountId)?.list, connection),
    inUse: () => [...entries.values()].flatMap(({ list }) => list),
    forget: (accountId) => {
      const entry = entries.peek(accountId)
      if (entry) entry.readAt = Number.NEGATIVE_INFINITY
    },
    close: async () => {
      const open = [...entries.values()].flatMap(({ list }) => list)
      await Promise.all(open.map(({ channel }) => channel.close?.()))
    },
  }
}

/** What has not changed stays open, with what is known of it. */
function entryOf(rows: ConnectionRow[], before: Entry | undefined, parts: ConnectionsParts): Entry {
  const opened: Entry['opened'] = new Map()
  for (const row of rows) {
    const known = before?.opened.get(row.id)
    const connection = known?.revision === row.revision ? known.connection : openConnection(row, parts)
    if (row.restsUntil) connection.rest.heard({ until: row.restsUntil, reason: row.restReason ?? 'no reason is known' })
    opened.set(row.id, { revision: row.revision, connection })
  }
  for (const [id, { connection }] of before?.opened ?? []) {
    if (opened.get(id)?.connection !== connection) closeLater(connection)
  }
  return { readAt: parts.runtime.elapsedMs(), opened, list: [...opened.values()].map(({ connection }) => connection) }
}

function openConnection(row: ConnectionRow, parts: ConnectionsParts): Connection {
  const { accountId, id, kind, countries, failoverSeconds, revision } = row
  const channel = openChannel(row, parts)
  return {
    accountId,
    id,
    kind,
    countries: countries ? new Set(countries) : undefined,
    failoverSeconds: failoverSeconds ?? undefined,
    channel,
    places: createPlaces(channel.atOnceMax ?? standardPlaces),
    rest: createRest((resting) => parts.onRest({ accountId, id, revision }, resting)),
  }
}

function openChannel(row: ConnectionRow, { kinds, openSettings, publicUrl, runtime, onBalance }: ConnectionsParts) {
  const { accountId, id: connection, kind: name } = row
  const { log } = runtime
  const kind = kinds[name]
  if (!kind) return unusable(`this version has no kind ${name}`)
  try {
    return kind.open(kind.settings.parse(openSettings(row)), {
      accountId,
      connection,
      publicUrl,
      runtime,
      log,
      onBalance: (amount) => onBalance({ accountId, connection }, amount),
    })
  } catch (error) {
    log.error({ err: error, account: accountId, connection }, 'a connection can not be opened: apply it anew')
    return unusable('its settings can not be opened')
  }
}

/** In place of one that can not be opened: its messages go on to the next, and the operator is told why. */
function unusable(reason: string): Channel {
  return {
    send: async () => ({ kind: 'down', reason }),
    verify: () => false,
    parse: () => [],
  }
}

function testConnection(accountId: string, channel: Channel): Connection {
  const [kind, id] = [sandboxId, sandboxId]
  const places = createPlaces(Number.POSITIVE_INFINITY)
  return { accountId, id, kind, countries: undefined, failoverSeconds: undefined, channel, places, rest: neverRests }
}

function closeLater({ channel }: Connection): void {
  setTimeout(() => channel.close?.().catch(() => {}), lingerMs).unref()
}
