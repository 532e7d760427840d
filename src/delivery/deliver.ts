/** Deliveries: claim jobs, ask the channel, settle what it answered in one transaction. */
import { openContent } from '../domain/content.ts'
import { maskPhone } from '../domain/phone.ts'
import type { Secrets } from '../domain/secret.ts'
import { follows } from '../domain/status.ts'
import type { Runtime } from '../runtime.ts'
import { type Session, transaction } from '../store/connect.ts'
import { applyChanges, type Change, type Delivery, findDeliveries, type MessageKey } from '../store/message.ts'
import type { Job, Queue } from '../store/queue.ts'
import type { Channels, Outcome } from './channel.ts'

export interface DeliverDeps {
  session: Session
  queue: Queue
  secrets: Secrets
  channels: Channels
  runtime: Runtime
  /** Told of every outcome; for metrics. */
  onOutcome?: (outcome: { channel: string; kind: Outcome['kind'] | 'expired' }) => void
}

/** Asks of one message to a channel before it is given up. With the waits below, about an hour. */
const attemptsMax = 20
const waitSecondsMax = 300

interface Settlement {
  change: Change
  /** Ask again after so many seconds. */
  retryAfterSeconds?: number
}

/** @returns handles claimed `deliver` jobs: every one of them is settled, or left to be claimed again */
export function createDeliver({ session, queue, secrets, channels, runtime, onOutcome }: DeliverDeps) {
  return async (jobs: Job<MessageKey>[]): Promise<void> => {
    const waiting = await findDeliveries(
      session,
      jobs.map((job) => job.data),
    )
    const settlements = await Promise.all(waiting.map(deliver))
    await transaction(session, async (tx) => {
      await applyChanges(
        tx,
        settlements.map((settlement) => settlement.change),
      )
      // Also those of messages that do not wait any more: another worker was faster.
      await queue.complete(
        tx,
        'deliver',
        jobs.map((job) => job.id),
      )
      const retries = settlements.flatMap(({ change: { accountId, id }, retryAfterSeconds }) =>
        retryAfterSeconds === undefined ? [] : [{ data: { accountId, id }, afterSeconds: retryAfterSeconds }],
      )
      if (retries.length > 0) await queue.add(tx, 'deliver', retries)
    })
  }

  async function deliver(delivery: Delivery): Promise<Settlement> {
    const now = runtime.now()
    if (delivery.expiresAt && delivery.expiresAt <= now) {
      onOutcome?.({ channel: delivery.channel, kind: 'expired' })
      const status = delivery.verified ? delivery.status : 'expired'
      return settle(delivery, { status, at: delivery.expiresAt, erase: true })
    }
    const outcome = await ask(delivery)
    onOutcome?.({ channel: delivery.channel, kind: outcome.kind })
    runtime.log.info(
      { message_id: delivery.id, phone: maskPhone(delivery.phone), channel: delivery.channel, outcome: outcome.kind },
      'delivery',
    )
    return settlementOf(delivery, outcome)
  }

  async function ask(delivery: Delivery): Promise<Outcome> {
    const { accountId, id, phone, expiresAt, channel } = delivery
    try {
      const content = openContent(secrets, delivery, delivery.content)
      const target = channels[channel]
      if (!target) throw new Error(`no channel ${channel}`)
      return await target.send({ accountId, id, phone, content, attempt: delivery.attempts + 1, expiresAt })
    } catch (error) {
      runtime.log.error({ err: error, channel, message_id: id }, 'a channel failed unexpectedly')
      return { kind: 'retry', reason: 'unexpected error' }
    }
  }

  function settlementOf(delivery: Delivery, outcome: Outcome): Settlement {
    const at = runtime.now()
    const attempt = delivery.attempts + 1
    switch (outcome.kind) {
      case 'sent': {
        const { providerMessageId } = outcome
        const note = `taken by ${delivery.channel}`
        const change = { status: 'sent' as const, at, note, attempted: true, erase: true }
        return settle(delivery, providerMessageId === undefined ? change : { ...change, providerMessageId })
      }
      case 'failed':
        return settle(delivery, { status: 'failed', at, errorCode: outcome.code, attempted: true, erase: true })
      case 'retry': {
        if (attempt >= attemptsMax) {
          return settle(delivery, {
            status: 'failed',
            at,
            errorCode: 'channel_unavailable',
            attempted: true,
            erase: true,
          })
        }
        const retryAfterSeconds = outcome.afterSeconds ?? waitSeconds(delivery.id, attempt)
        const inTime = !delivery.expiresAt || at.getTime() + retryAfterSeconds * 1000 < delivery.expiresAt.getTime()
        const note = `attempt ${attempt}: ${outcome.reason}`
        // Without time for another attempt the code just runs out; its status says so when it has.
        const settlement = settle(delivery, { status: delivery.status, at, note, attempted: true, erase: !inTime })
        return inTime ? { ...settlement, retryAfterSeconds } : settlement
      }
    }
  }
}

/** @returns handles `abandoned` jobs: their deliveries took worker after worker with them */
export function createAbandon({ session, queue, runtime }: Pick<DeliverDeps, 'session' | 'queue' | 'runtime'>) {
  return async (jobs: Job<MessageKey>[]): Promise<void> => {
    const given = await findDeliveries(
      session,
      jobs.map((job) => job.data),
    )
    await transaction(session, async (tx) => {
      const at = runtime.now()
      await applyChanges(
        tx,
        given.map(
          (delivery) => settle(delivery, { status: 'failed', at, errorCode: 'not_delivered', erase: true }).change,
        ),
      )
      await queue.complete(
        tx,
        'abandoned',
        jobs.map((job) => job.id),
      )
    })
    runtime.log.error({ count: given.length }, 'gave up deliveries that never ended')
  }
}

function settle(delivery: Delivery, change: Omit<Change, 'accountId' | 'id' | 'follows'>): Settlement {
  return { change: { accountId: delivery.accountId, id: delivery.id, follows: follows[change.status], ...change } }
}

/** Doubles with each attempt, up to five minutes, and is spread by the id's random part so that retries don't march in step. */
function waitSeconds(id: string, attempt: number): number {
  const spread = (id.charCodeAt(id.length - 1) % 8) / 8
  return Math.min(waitSecondsMax, 2 ** (attempt - 1) * (1 + spread))
}
