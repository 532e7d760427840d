/** Endpoints: where an account is told what happened, and when one of them is told no more. */
import { type EventType, eventTypes } from '../contract/event.ts'
import type { Guard } from '../outbound/address.ts'
import type { Runtime } from '../runtime.ts'
import { lockAccount } from '../store/account.ts'
import type { Commit } from '../store/commit.ts'
import {
  countEndpoints,
  deleteEndpoint,
  disableEndpoint,
  type Endpoint,
  type EndpointKey,
  enableEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  listSealedEndpoints,
  lockEndpoint,
  replaceSealed,
  resealEndpoints,
} from '../store/endpoint.ts'
import { type DisabledEndpoint, type EndpointOutcome, recordOutcomes } from '../store/endpointRun.ts'
import { countHeld, eraseDeliveries } from '../store/eventDelivery.ts'
import type { Mode } from '../store/schema.ts'
import type { Tx } from '../store/session.ts'
import { createEndpointDeliveries, type EndpointDeliveries, missingEndpoint } from './endpointDelivery.ts'
import { contextOf, createOpenSecrets, firstSecret, nextSecret, type SealedSecrets } from './endpointSecret.ts'
import { faultsIn, Refusal } from './refusal.ts'
import { type Resealed, reseal } from './reseal.ts'
import type { Secrets } from './secret.ts'

export interface NewEndpoint {
  accountId: string
  mode: Mode
  url: string
  /** Of events; null is for all, those too that a later version adds. */
  types: readonly string[] | null
}

/** With the name of its account. */
export type ListedEndpoint = Endpoint & { account: string }

export interface Endpoints extends EndpointDeliveries {
  /**
   * @returns the row, and its secret for the only time
   * @throws Refusal when its URL is not allowed, a type is not known, or the account has as many as it may
   */
  add: (input: NewEndpoint) => Promise<{ endpoint: Endpoint; secret: string }>
  /** Of all accounts. */
  list: () => Promise<ListedEndpoint[]>
  /** By its id alone, whoever has it: for operators. @throws Refusal when there is none */
  require: (id: string) => Promise<ListedEndpoint>
  /** With what it was told and was to be told. @throws Refusal when there is none */
  remove: (key: EndpointKey) => Promise<void>
  /**
   * @returns the secret that signs from now on, for the only time, and until when the old one signs too
   * @throws Refusal when there is none
   */
  rotate: (key: EndpointKey) => Promise<{ secret: string; oldEndsAt: Date }>
  /**
   * Ends its run of failures.
   *
   * @returns what is held for it, and stays so until it is replayed; undefined when nothing is
   * @throws Refusal when there is none, or it is enabled
   */
  enable: (key: EndpointKey) => Promise<Held | undefined>
  /** Its events are held from now on. @throws Refusal when there is none, or it is disabled */
  disable: (key: EndpointKey) => Promise<void>
  /** Those that sign now, the newest first; none when they were sealed under a secret that is not held. */
  openSecrets: (row: SealedSecrets) => string[]
  /**
   * Counts what came of attempts, and disables the endpoints that take nothing. Comes after the deliveries of these attempts
   * were settled, in the same transaction.
   *
   * @returns those that were disabled by this: the others of their account and mode are to be told
   */
  recordOutcomes: (tx: Tx, list: readonly EndpointOutcome[]) => Promise<DisabledEndpoint[]>
  /** Seals anew what is sealed under another than the first secret. Those that none opens are to be rotated. */
  reseal: () => Promise<Resealed>
}

/** Events that wait for an endpoint because it was disabled. */
export interface Held {
  count: number
  /** When the first of them happened. */
  since: Date
}

export interface EndpointParts {
  commit: Commit
  /** Undefined: they are not known here, and nothing can be sealed or opened. */
  secrets: Secrets | undefined
  runtime: Pick<Runtime, 'now' | 'newId'>
  /** Where endpoints may be. */
  guard: Pick<Guard, 'faultOfPlace'>
}

/** Deliveries that one transaction erases. */
const erasedMax = 500
/** Of an account and mode. */
const endpointsMax = 20
const urlLengthMax = 2048
/** The run of nothing but failures that disables an endpoint. */
const runLimits = { seconds: 5 * 24 * 3600, failures: 10 }

export function createEndpoints(parts: EndpointParts): Endpoints {
  const { commit, secrets, runtime } = parts
  const secretsAt = secrets && createOpenSecrets(secrets)

  return {
    ...createEndpointDeliveries(parts),
    add: (input) => add(parts, input),
    list: () => listEndpoints(commit.reader),
    require: async (id) => {
      const found = await findEndpoint(commit.reader, id)
      if (!found) throw missingEndpoint(id)
      return found
    },
    remove: async (key) => {
      if (!(await commit.transaction((tx) => deleteEndpoint(tx, key)))) throw missingEndpoint(key.id)
      while ((await commit.transaction((tx) => eraseDeliveries(tx, key, erasedMax))) === erasedMax);
    },
    rotate: (key) => {
      const held = requireSecrets(secrets)
      return commit.transaction(async (tx) => {
        const row = await lockEndpoint(tx, key)
        if (!row) throw missingEndpoint(key.id)
        const { sealed, ...made } = nextSecret(held, row, runtime.now())
        await replaceSealed(tx, key, sealed)
        return made
      })
    },
    enable: (key) =>
      commit.transaction(async (tx) => {
        if (!(await enableEndpoint(tx, key))) throw await unchanged(tx, key, 'enabled')
        return countHeld(tx, key)
      }),
    disable: (key) =>
      commit.transaction(async (tx) => {
        if (!(await disableEndpoint(tx, key, runtime.now()))) throw await unchanged(tx, key, 'disabled')
      }),
    openSecrets: (row) => required(secretsAt)(row, runtime.now()),
    recordOutcomes: (tx, list) => recordOutcomes(tx, list, runLimits),
    reseal: () =>
      reseal(commit, requireSecrets(secrets), { contextOf, list: listSealedEndpoints, replace: resealEndpoints }),
  }
}

async function add(
  { commit, secrets, runtime, guard }: EndpointParts,
  { accountId, mode, url, types }: NewEndpoint,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const held = requireSecrets(secrets)
  const known = types && requireTypes(types)
  const fault = faultOfText(url) ?? (await guard.faultOfPlace(url))
  // What is wrong with it says all: a URL may hold a secret.
  if (fault !== undefined) throw new Refusal(`The endpoint was not added: ${fault}.`)
  const key = { accountId, id: `ep_${runtime.newId()}` }
  const { secret, sealed } = firstSecret(held, key)
  const row = { ...key, mode, url, types: known, sealed, createdAt: runtime.now() }
  await commit.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    if ((await countEndpoints(tx, accountId, mode)) >= endpointsMax) {
      throw new Refusal(`The account has ${endpointsMax} endpoints for ${mode} events, and that is the most.`)
    }
    await insertEndpoint(tx, row)
  })
  return {
    endpoint: { ...row, disabledAt: null, disabledReason: null, failingSince: null, failures: 0 },
    secret,
  }
}

/** @throws Refusal which names those that there are not, and those that there are */
function requireTypes(types: readonly string[]): EventType[] {
  const wanted = [...new Set(types)]
  const known = eventTypes.filter((type) => wanted.includes(type))
  if (wanted.length === 0) throw new Refusal('Name a type of event, or leave them out for all.')
  if (known.length === wanted.length) return known
  const unknown = wanted.filter((type) => !eventTypes.some((one) => one === type))
  throw faultsIn('', unknown.map((type) => `"${type}" is no type of event`).concat(`there is ${eventTypes.join(', ')}`))
}

/** A parser passes over spaces, and writes other letters anew: what is kept is what is asked. */
function faultOfText(url: string): string | undefined {
  if (!/^[!-~]+$/.test(url)) return 'the URL must be written in ASCII, without spaces'
  return url.length > urlLengthMax ? `the URL must have ${urlLengthMax} characters at most` : undefined
}

async function unchanged(tx: Tx, key: EndpointKey, state: 'enabled' | 'disabled'): Promise<Refusal> {
  return (await lockEndpoint(tx, key))
    ? new Refusal(`The endpoint ${key.id} is ${state} already.`)
    : missingEndpoint(key.id)
}

function requireSecrets(secrets: Secrets | undefined): Secrets {
  return required(secrets)
}

function required<Held>(held: Held | undefined): Held {
  if (held) return held
  throw new Refusal(
    'The secrets of endpoints are sealed under the secret of the service: set WATCHWORD_SECRET to what the service has.',
  )
}
