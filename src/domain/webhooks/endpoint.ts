/** Endpoints: where an account is told what happened, and when one of them is told no more. */
import { isDeepStrictEqual } from 'node:util'
import { type EventType, eventTypes } from '../../contract/event.ts'
import { faultsIn, Refusal, refusedMember } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { AddressGuard } from '../../outbound/address.ts'
import { lockAccount } from '../../store/access/account.ts'
import type { Tx } from '../../store/engine/session.ts'
import type { Mode } from '../../store/schema/schema.ts'
import {
  countEndpoints,
  deleteEndpoint,
  disableEndpoint,
  type Endpoint,
  type EndpointKey,
  enableEndpoint,
  findEndpoint,
  findEndpoints,
  insertEndpoint,
  listEndpoints,
  type NewEndpointRow,
  replaceSealed,
  sealedEndpoints,
} from '../../store/webhooks/endpoint.ts'
import { type DisabledEndpoint, type EndpointOutcome, recordOutcomes } from '../../store/webhooks/endpointRun.ts'
import { countHeld, eraseDeliveries } from '../../store/webhooks/eventDelivery.ts'
import type { ActCommit } from '../access/act.ts'
import { type Actor, requireRole, seenAccount, sees } from '../access/actor.ts'
import { type Resealed, reseal } from '../access/reseal.ts'
import { requireSecrets, type Secrets } from '../access/secret.ts'
import { createChangeEndpoint, missingEndpoint, noteOf } from './endpointChange.ts'
import { createEndpointDeliveries, type EndpointDeliveries, type Held, heldCountedMax } from './endpointDelivery.ts'
import {
  contextOf,
  createOpenSecrets,
  firstSecret,
  nextSecret,
  type OpenSecrets,
  type SealedSecrets,
  type Signing,
  signingAt,
} from './endpointSecret.ts'
import { shownUrl } from './endpointUrl.ts'

export interface NewEndpoint {
  accountId: string
  mode: Mode
  url: string
  /** Of events; null is for all, those too that a later version adds. */
  types: readonly string[] | null
  /** Refuses one that is there already, with the same URL, mode and types: a form that comes twice adds one. */
  onlyIfNew?: boolean
}

/** With the name of its account, and as much of its URL as the actor may see. */
export type ListedEndpoint = Endpoint & { account: string }

export interface Endpoints extends EndpointDeliveries {
  /**
   * @returns the row, and its secret for the only time
   * @throws Refusal when its URL is not allowed, it is there already and is to be new, a type is not known, or the account has as many as it may; Forbidden
   */
  add: (actor: Actor, input: NewEndpoint) => Promise<{ endpoint: Endpoint; secret: string }>
  /** Those that the actor sees. */
  list: (actor: Actor) => Promise<ListedEndpoint[]>
  /** Whether an endpoint may be there, as far as its URL tells. */
  mayBeAt: (url: string) => boolean
  /** By its id alone, whoever has it. @throws Refusal when there is none that the actor sees */
  require: (actor: Actor, id: string) => Promise<ListedEndpoint>
  /** With what it was told and was to be told; of very much, the purge erases the rest. @throws Refusal when there is none, Forbidden */
  remove: (actor: Actor, key: EndpointKey) => Promise<void>
  /**
   * @returns the secret that signs from now on, for the only time, and until when the old one signs too
   * @throws Refusal when there is none, Forbidden
   */
  rotate: (actor: Actor, key: EndpointKey) => Promise<{ secret: string; oldEndsAt: Date }>
  /**
   * @returns those that sign now, the newest first; none when they were sealed under a secret that is not held
   * @throws Refusal when there is no such endpoint, Forbidden
   */
  reveal: (actor: Actor, key: EndpointKey) => Promise<RevealedSecret[]>
  /**
   * Ends its run of failures. What is due still, because it was disabled only just now, is tried as if it had not been.
   *
   * @returns what is held for it, and stays so until it is replayed; undefined when nothing is
   * @throws Refusal when there is none, or it is enabled; Forbidden
   */
  enable: (actor: Actor, key: EndpointKey) => Promise<Held | undefined>
  /** Its events are held from now on; those that were due, soon. @throws Refusal when there is none, or it is disabled; Forbidden */
  disable: (actor: Actor, key: EndpointKey) => Promise<void>
  /** Those that sign now, the newest first; none when they were sealed under a secret that is not held. */
  openSecrets: (row: SealedSecrets) => string[]
  /**
   * Counts what came of attempts, and disables the endpoints that take nothing. Comes after the deliveries of these attempts
   * were settled, in the same transaction.
   *
   * @returns those that were disabled by this: the others of their account and mode are to be told
   */
  recordOutcomes: (tx: Tx, list: readonly EndpointOutcome[]) => Promise<DisabledEndpoint[]>
  /** Seals again what is sealed under another than the first secret. Those that none opens are to be rotated. */
  reseal: () => Promise<Resealed>
}

export interface RevealedSecret {
  secret: string
  /** Null for the newest, which has no end yet. */
  endsAt: Date | null
}

export interface EndpointParts {
  commit: ActCommit
  /** Undefined: they are not known here, and nothing can be sealed or opened. */
  secrets: Secrets | undefined
  runtime: Pick<Runtime, 'now' | 'newId' | 'elapsedMs'>
  /** Where endpoints may be. */
  guard: Pick<AddressGuard, 'faultOfPlace' | 'faultOfUrl'>
}

/** What the audit calls it; by that, the purge knows which are gone. */
export const endpointRemoved = 'endpoint.removed'
/** Deliveries that one transaction erases. */
const erasedMax = 500
/** Milliseconds in which who removes an endpoint erases them. */
const eraseMs = 10_000
/** Of an account and mode. */
const endpointsMax = 20
const urlLengthMax = 2048
/** The run of nothing but failures that disables an endpoint. */
export const runLimits = { seconds: 5 * 24 * 3600, failures: 10 }

export function createEndpoints(parts: EndpointParts): Endpoints {
  const { commit, secrets, runtime } = parts
  const change = createChangeEndpoint(commit)
  // Only what brings events asks for it, and what it remembers has room for all endpoints: no page makes that again.
  let secretsAt: OpenSecrets | undefined

  return {
    ...createEndpointDeliveries({ commit, runtime, change }),
    add: (actor, input) => add(parts, actor, input),
    mayBeAt: (url) => parts.guard.faultOfUrl(url) === undefined,
    list: async (actor) => {
      const found = await listEndpoints(commit.reader, seenAccount(actor))
      return found.map((row) => ({ ...row, url: shownUrl(row.url, actor) }))
    },
    require: async (actor, id) => {
      const found = await findEndpoint(commit.reader, id)
      if (!found || !sees(actor, found.accountId)) throw missingEndpoint(id)
      return { ...found, url: shownUrl(found.url, actor) }
    },
    remove: async (actor, key) => {
      await change(actor, key, endpointRemoved, async (tx) => ({ result: await deleteEndpoint(tx, key) }))
      // It is removed: who asked by HTTP cannot wait for all of this, and the purge goes on with the rest.
      const endsAt = runtime.elapsedMs() + eraseMs
      const erase = () => commit.transaction((tx) => eraseDeliveries(tx, key, erasedMax))
      while (runtime.elapsedMs() < endsAt && (await erase()) === erasedMax);
    },
    rotate: (actor, key) => {
      const held = requireSecrets(secrets, 'endpoints')
      return change(actor, key, 'endpoint.rotated', async (tx, row) => {
        const { sealed, ...result } = nextSecret(held, row, runtime.now())
        await replaceSealed(tx, key, sealed)
        return { result }
      })
    },
    reveal: (actor, key) => {
      const held = requireSecrets(secrets, 'endpoints')
      const dated = ({ secret, endsAt }: Signing) => ({ secret, endsAt: endsAt === null ? null : new Date(endsAt) })
      return change(actor, key, 'endpoint.revealed', async (_tx, row) => {
        return { result: signingAt(held, row, runtime.now()).map(dated) }
      })
    },
    enable: (actor, key) =>
      change(actor, key, 'endpoint.enabled', async (tx) => {
        if (!(await enableEndpoint(tx, key))) throw new Refusal(`The endpoint ${key.id} is enabled already.`)
        return { result: await countHeld(tx, key, heldCountedMax) }
      }),
    disable: (actor, key) =>
      change(actor, key, 'endpoint.disabled', async (tx) => {
        const isDone = await disableEndpoint(tx, key, runtime.now())
        if (!isDone) throw new Refusal(`The endpoint ${key.id} is disabled already.`)
        return { result: undefined }
      }),
    openSecrets: (row) => {
      secretsAt ??= createOpenSecrets(requireSecrets(secrets, 'endpoints'))
      return secretsAt(row, runtime.now())
    },
    recordOutcomes: (tx, list) => recordOutcomes(tx, list, runLimits),
    reseal: () => reseal(commit, requireSecrets(secrets, 'endpoints'), { contextOf, ...sealedEndpoints }),
  }
}

async function add(
  { commit, secrets, runtime, guard }: EndpointParts,
  actor: Actor,
  { accountId, mode, url, types, onlyIfNew = false }: NewEndpoint,
): Promise<{ endpoint: Endpoint; secret: string }> {
  requireRole(actor, 'developer', accountId)
  const held = requireSecrets(secrets, 'endpoints')
  const known = types && requireTypes(types)
  const fault = faultOfText(url) ?? (await guard.faultOfPlace(url))
  // What is wrong with it says all: a URL may hold a secret.
  if (fault !== undefined) throw refusedMember('url', `The endpoint was not added: ${fault}.`)
  const key = { accountId, id: `ep_${runtime.newId()}` }
  const { secret, sealed } = firstSecret(held, key)
  const row = { ...key, mode, url, types: known, sealed, createdAt: runtime.now() }
  await commit.as(actor).transaction(async (tx, note) => {
    await lockAccount(tx, accountId)
    if (onlyIfNew) requireNew(row, (await findEndpoints(tx, [accountId]))[0])
    if ((await countEndpoints(tx, accountId, mode)) >= endpointsMax) {
      throw new Refusal(`The account has ${endpointsMax} endpoints for ${mode} events, which is the maximum.`)
    }
    await insertEndpoint(tx, row)
    await note(noteOf('endpoint.added', row, { types: known ?? 'all' }))
  })
  return {
    endpoint: { ...row, disabledAt: null, disabledReason: null, failingSince: null, failures: 0, pace: null },
    secret,
  }
}

/** @throws Refusal when one of the others is told the same at the same place */
function requireNew({ url, mode, types }: NewEndpointRow, others: readonly Endpoint[] = []): void {
  const same = others.find((one) => one.url === url && one.mode === mode && isDeepStrictEqual(one.types, types))
  if (same) throw new Refusal(`There is such an endpoint already, ${same.id}. Nothing was added.`)
}

/** @throws Refusal which names those that there are not, and those that there are */
function requireTypes(types: readonly string[]): EventType[] {
  const wanted = [...new Set(types)]
  const known = eventTypes.filter((type) => wanted.includes(type))
  if (wanted.length === 0) throw new Refusal('Name a type of event, or leave them out for all.')
  if (known.length === wanted.length) return known
  const unknown = wanted.filter((type) => !eventTypes.some((one) => one === type))
  throw faultsIn(unknown.map((type) => `"${type}" is no type of event`).concat(`there is ${eventTypes.join(', ')}`))
}

/** A parser passes over spaces, and writes other letters again: what is kept is what is asked. */
function faultOfText(url: string): string | undefined {
  if (url === '') return 'the URL is missing'
  if (!/^[!-~]+$/.test(url)) return 'the URL must be written in ASCII, without spaces'
  return url.length > urlLengthMax ? `the URL must have ${urlLengthMax} characters at most` : undefined
}
