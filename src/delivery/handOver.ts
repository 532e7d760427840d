/** Asks the connection of a leg to carry its message, if it may be asked now. */
import { setTimeout as wait } from 'node:timers/promises'
import { SecretMissing, type Secrets } from '../domain/access/secret.ts'
import { openContent } from '../domain/sending/content.ts'
import type { Move } from '../domain/sending/message.ts'
import { maskPhone } from '../domain/sending/phone.ts'
import { inTime } from '../kit/inTime.ts'
import { unavailable } from '../kit/problem.ts'
import type { Runtime } from '../kit/runtime.ts'
import { inSpan } from '../kit/tracing.ts'
import { AskFault } from '../outbound/failure.ts'
import type { Commit } from '../store/engine/commit.ts'
import { isUnavailable } from '../store/engine/failure.ts'
import { claimSeconds } from '../store/engine/queue.ts'
import { type Delivery, findAttempts, markUnsure } from '../store/sending/delivery.ts'
import type { Outcome } from './channel.ts'
import type { OpenConnection, OpenConnections } from './openConnections.ts'
import {
  expired,
  givenUp,
  holdsCode,
  later,
  ourFault,
  type Settlement,
  settleOutcome,
  skipped,
  superseded,
  unsureMax,
} from './settlement.ts'
import { findFull } from './turns/capacity.ts'
import type { TakeTurn } from './turns/caps.ts'
import type { Pace } from './turns/pace.ts'
import { computePlaceWait, mayGoOn, noPlaceSeconds, untilFree, untilTurn, whileResting } from './turns/wait.ts'

export interface HandOverParts {
  commit: Commit
  connections: Pick<OpenConnections, 'find' | 'known'>
  pace: Pace
  takeTurn: TakeTurn
  secrets: Secrets
  runtime: Runtime
  move: Move
  /** Milliseconds that a channel has to answer; 10,000 when left out. */
  answerMs?: number | undefined
  /** Told of every outcome; for metrics. */
  onOutcome?: (outcome: ToldOutcome) => void
}

interface ToldOutcome {
  /** The kind of the connection. */
  channel: string
  kind: Outcome['kind'] | 'expired'
  /** SMS that went through a connection. */
  segments?: { accountId: string; connection: string; count: number }
}

/** @throws when the service itself is short of something: then nothing was asked, and the job will be claimed again */
export type HandOver = (delivery: Delivery, since: Since) => Promise<Settlement>

/** By `elapsedMs`, at the earliest. */
interface Since {
  claimedAt: number
  /** When the message was as it is given. */
  foundAt: number
}

const standardAnswerMs = 10_000
/** Milliseconds for what came of it to be written down, as a rule, before another worker may claim the job. */
const saveMs = 2000
/** Milliseconds that a message may have waited to be handed over as it was found; after more it is looked at again. */
const freshMs = 200

export function createHandOver(parts: HandOverParts): HandOver {
  const { commit, connections, pace, takeTurn, runtime, onOutcome } = parts
  const ask = createAsk(parts)
  const attemptsOf = commit.shareReads({ work: findAttempts })

  return async (delivery, { claimedAt, foundAt }) => {
    if (delivery.isSuperseded) return superseded(delivery, runtime.now())
    const found = await connections.find(delivery)
    if (hasRunOut(delivery, runtime.now())) {
      onOutcome?.({ channel: found?.kind ?? 'none', kind: 'expired' })
      return expired(delivery)
    }
    if (!found) return skipped(delivery, 'it is not there any more', runtime.now())
    if (countsUnsure(delivery, found) && delivery.unsure >= unsureMax) return givenUp(delivery, runtime.now())
    const rests = found.rest.resting(runtime.now())
    if (rests) return whileResting(delivery, found, rests, runtime.now())
    const full = findFull(found, runtime.now())
    if (full) return untilFree(parts, delivery, found, full)
    const isFirst = holdsCode(delivery)
    const slot = await pace(found, isFirst ? 'verification' : 'notification')
    if (slot.afterSeconds !== undefined) return untilTurn(parts, delivery, found, slot.afterSeconds)
    if (slot.waitMs > 0) await wait(slot.waitMs)
    const hasPlace = await found.places.take(computePlaceWait(parts, delivery), undefined, isFirst)
    if (!hasPlace) return untilTurn(parts, delivery, found, noPlaceSeconds)
    try {
      // Its code may have been right meanwhile, or a newer one sent; another worker may have asked, or its list have changed.
      const isOld = runtime.elapsedMs() - foundAt > freshMs
      const attempts = isOld ? await attemptsOf(delivery) : delivery.attempts
      if (attempts === undefined) return superseded(delivery, runtime.now())
      if (attempts !== delivery.attempts) return { delivery }
      if (isOld && (await connections.find(delivery)) !== found) return later(delivery, 0)
      return await handOver(delivery, found, claimedAt)
    } finally {
      found.places.free()
    }
  }

  async function handOver(delivery: Delivery, connection: OpenConnection, claimedAt: number): Promise<Settlement> {
    const rests = connection.rest.admit(runtime.now())
    if (rests) return whileResting(delivery, connection, rests, runtime.now())
    let outcome: Outcome | undefined
    try {
      if (hasRunOut(delivery, runtime.now())) return expired(delivery)
      const full = await takeTurn(connection, holdsCode(delivery))
      if (full) return untilFree(parts, delivery, connection, full)
      outcome = await ask(delivery, connection, claimedAt)
    } finally {
      connection.rest.note(outcome && toldBy(outcome, runtime.now()))
    }
    // It is with another job, which has counted it first.
    if (!outcome) return { delivery }
    tell(parts, { delivery, connection, outcome })
    const at = runtime.now()
    const { failoverSeconds, channel } = connection
    const canGoOn = () => mayGoOn(connections, delivery, at)
    return settleOutcome(delivery, outcome, { at, failoverSeconds, channel, mayGoOn: canGoOn })
  }
}

function countsUnsure({ kind }: Delivery, { channel }: OpenConnection): boolean {
  return kind === 'notification' && !channel.dedupes
}

type Ask = (delivery: Delivery, connection: OpenConnection, claimedAt: number) => Promise<Outcome | undefined>

/** Asks while the claim lasts. A notification that may leave is counted before; undefined where that was done by another job. */
function createAsk(parts: HandOverParts): Ask {
  const { mark, takeBack } = createMarks(parts)
  const askInTime: Ask = async (delivery, connection, claimedAt) => {
    checkClaim(claimedAt, parts)
    return askInSpan(parts, delivery, connection)
  }
  return async (delivery, connection, claimedAt) => {
    if (!countsUnsure(delivery, connection)) return askInTime(delivery, connection, claimedAt)
    checkClaim(claimedAt, parts)
    if (!(await mark(delivery))) return undefined
    try {
      return await askInTime(delivery, connection, claimedAt)
    } catch (error) {
      // Nothing was asked. Where it cannot be taken back either, it stays counted.
      await takeBack(delivery).catch(() => {})
      throw error
    }
  }
}

/** @throws when the claim may run out before the channel's time does: another worker would ask beside this one */
function checkClaim(claimedAt: number, { runtime, answerMs = standardAnswerMs }: HandOverParts): void {
  const leftMs = claimSeconds * 1000 - (runtime.elapsedMs() - claimedAt)
  if (leftMs < answerMs + saveMs) throw unavailable(new Error('the claim of the job runs out'))
}

function createMarks({ commit, move, runtime }: HandOverParts) {
  const shared = { membersMax: 256, isPatient: true }
  return {
    mark: commit.share<Delivery, boolean>({ ...shared, work: markUnsure }),
    takeBack: commit.share<Delivery, undefined>({
      ...shared,
      work: async (tx, list) => {
        await move(
          tx,
          list.map(({ accountId, id }) => ({ accountId, id, at: runtime.now(), isSure: true })),
        )
        return list.map(() => undefined)
      },
    }),
  }
}

interface Told {
  delivery: Delivery
  connection: OpenConnection
  outcome: Outcome
}

function tell({ runtime, onOutcome }: HandOverParts, { delivery, connection, outcome }: Told): void {
  const { id, phone, accountId } = delivery
  const count = outcome.kind === 'sent' ? outcome.segments : undefined
  const segments = count !== undefined && { segments: { accountId, connection: connection.id, count } }
  onOutcome?.({ channel: connection.kind, kind: outcome.kind, ...segments })
  if (outcome.kind === 'sent') connection.pulse.taken(runtime.now(), connection)
  const told = { message_id: id, phone: maskPhone(phone), account: accountId, connection: connection.id }
  const why = outcome.kind === 'sent' ? {} : { reason: outcome.reason }
  if (outcome === unopened) runtime.log.error({ ...told, ...why }, 'a message cannot be decrypted')
  else if (outcome.kind !== 'down') runtime.log.info({ ...told, outcome: outcome.kind, ...why }, 'delivery')
  else runtime.log.error({ ...told, outcome: outcome.kind, ...why }, 'a connection needs its operator')
}

function hasRunOut({ expiresAt }: Delivery, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now
}

/** Another process may hold the secret. */
const unopened = {
  ...{ kind: 'retry', reason: 'it was sealed under a secret that is not held' },
  isUnasked: true,
} as const satisfies Outcome

/** What an outcome tells of the provider; undefined when it was not asked, or it is about one template alone. */
function toldBy(outcome: Outcome, now: Date) {
  if (outcome.kind === 'fault' || (outcome.kind !== 'sent' && outcome.isUnasked)) return undefined
  // Who refuses one recipient, or so many messages to one, is at work.
  const isUp =
    outcome.kind === 'sent' || outcome.kind === 'failed' || (outcome.kind === 'retry' && outcome.isOfRecipient)
  if (isUp) return { kind: 'up', reason: '', now } as const
  const { kind, reason } = outcome
  if (kind === 'down') return outcome.template === undefined ? ({ kind, reason, now } as const) : undefined
  return { kind: 'silent', reason, now } as const
}

function askInSpan(parts: HandOverParts, delivery: Delivery, connection: OpenConnection): Promise<Outcome> {
  const { kind, id } = connection
  const attributes = { 'watchword.connection': id, 'watchword.attempt': delivery.attempts + 1 }
  return inSpan(parts.runtime.tracing, { name: `send ${kind}`, kind: 'client', attributes }, async (note) => {
    const outcome = await askChannel(parts, delivery, connection)
    note({ 'watchword.outcome': outcome.kind })
    return outcome
  })
}

async function askChannel(
  { secrets, runtime, answerMs = standardAnswerMs }: HandOverParts,
  delivery: Delivery,
  { channel, id: connection }: OpenConnection,
): Promise<Outcome> {
  const { accountId, id, leg, attempts, expiresAt } = delivery
  let isUnsent = true
  try {
    const content = openContent(secrets, delivery, delivery.content)
    const { to: phone = delivery.phone } = content
    isUnsent = false
    const message = { accountId, id, leg, connection, phone, content, attempt: attempts + 1, expiresAt }
    // A channel that does not answer keeps its place no longer. Whether it took the message, a report may tell.
    return await inTime(channel.send(message), answerMs, () => ({ kind: 'unknown', reason: 'no answer in time' }))
  } catch (error) {
    // The service's own want of a database is no attempt of the channel.
    if (isUnavailable(error)) throw error
    if (error instanceof SecretMissing) return unopened
    runtime.internalErrors.note('send', error, { account: accountId, connection, message_id: id })
    return { kind: 'fault', reason: ourFault, isUnsent: isUnsent || (error instanceof AskFault && error.isUnsent) }
  }
}
