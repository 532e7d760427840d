/** How long things are kept, and how a phone is forgotten. */
import type { Runtime } from '../../kit/runtime.ts'
import { listSubjects } from '../../store/access/audit.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Tx } from '../../store/engine/session.ts'
import {
  type Erased,
  eraseOldCounts,
  erasePhone,
  type Purgeable,
  purge,
  purgePartition,
  retentionTableOf,
} from '../../store/keeping/retention.ts'
import { eraseDeliveries } from '../../store/webhooks/eventDelivery.ts'
import type { ActCommit } from '../access/act.ts'
import { type Actor, requireRole, seenAccount } from '../access/actor.ts'
import { proofsKeptMs } from '../people/signIn.ts'
import { lifeMs } from '../people/userSession.ts'
import { idempotencyKeptMs } from '../sending/idempotency.ts'
import { resendableMs } from '../sending/notifications/resend.ts'
import { maskPhone } from '../sending/phone.ts'
import { listPhoneForms } from '../sending/phoneForm.ts'
import { requirePhone } from '../sending/phones/typedPhone.ts'
import { endpointRemoved } from '../webhooks/endpoint.ts'
import { batchSize, inBatches, inBlocks } from './batches.ts'
import { createPartitions, listErased, type PartitionsChanged } from './partition.ts'

const dayMs = 24 * 3600 * 1000
/** Days for which the figures of messages are kept, longer than those: they tell of nobody. */
const figuresKeptDays = 400
/** Days for which it is kept who did what: a year can be looked over after it has ended. */
const auditKeptDays = 400
/** Days for which it is kept what rules found and refused. */
const findingsKeptDays = 30
/** Days in which a reply from before an opt-in may still come: no provider's time is believed that is older. */
const optInsKeptDays = 30
/** Milliseconds for which the limits of a phone look back. */
const refusedKeptMs = dayMs
/** Days for which links that let people in are kept after their end. */
const invitationsKeptDays = 30

/** `eventDeliveries`: of endpoints that were removed, where erasing them was cut off. */
export type Purged = Record<Purgeable | 'protectionCounts' | 'eventDeliveries', number> & PartitionsChanged

export interface RetentionParts {
  commit: Commit
  runtime: Pick<Runtime, 'now' | 'log'>
  retentionDays: number
}

/**
 * @returns makes partitions of tables ahead and drops those that are past, and erases what is past its time elsewhere, batch
 *   after batch until nothing is or `isStopping`. It rests after each batch for as long as that took: at most half of the
 *   database's time is spent on what is old
 */
export function createPurge({ commit, runtime, retentionDays }: RetentionParts) {
  const keepPartitions = createPartitions({ commit, runtime, retentionDays })
  return async (isStopping: () => boolean): Promise<Purged> => {
    const now = runtime.now().getTime()
    const keptMs = retentionDays * dayMs
    const erasing = (erase: (tx: Tx) => Promise<number>) => inBatches(commit, isStopping, erase)
    const all = (what: Purgeable, before: number) => erasing((tx) => purge(tx, what, new Date(before), batchSize))
    const kept = async (what: keyof typeof retentionTableOf): Promise<number> => {
      const before = new Date(now - keptMs)
      let total = await all(what, before.getTime())
      for (const partition of await listErased(commit.reader, retentionTableOf[what], { before, retentionDays })) {
        total += await erasing((tx) => purgePartition(tx, what, { partition, before, count: batchSize }))
      }
      return total
    }
    const ofRemovedEndpoints = async (): Promise<number> => {
      let total = 0
      for (const { accountId, subject: id } of await listSubjects(
        commit.reader,
        endpointRemoved,
        new Date(now - keptMs),
      )) {
        if (isStopping()) break
        total += await erasing((tx) => eraseDeliveries(tx, { accountId, id }, batchSize))
      }
      return total
    }
    return keepPartitions(new Date(now - keptMs), isStopping, async () => ({
      messages: await kept('messages'),
      sandboxMessages: await kept('sandboxMessages'),
      events: await kept('events'),
      figures: await all('figures', now - figuresKeptDays * dayMs),
      spend: await all('spend', now - figuresKeptDays * dayMs),
      messageReferences: await all('messageReferences', now - keptMs),
      optIns: await all('optIns', now - optInsKeptDays * dayMs),
      resendable: await all('resendable', now - Math.min(keptMs, resendableMs)),
      templateVersions: await all('templateVersions', now - keptMs),
      idempotencyKeys: await all('idempotencyKeys', now - Math.min(keptMs, idempotencyKeptMs)),
      userSessions: await all('userSessions', now - lifeMs),
      invitations: await all('invitations', now - invitationsKeptDays * dayMs),
      signIns: await all('signIns', now - proofsKeptMs),
      audits: await all('audits', now - auditKeptDays * dayMs),
      protectionCounts: await inBlocks(commit, isStopping, {
        table: 'protection_count',
        work: (tx, blocks) => eraseOldCounts(tx, new Date(now), blocks),
      }),
      protectionFindings: await all('protectionFindings', now - findingsKeptDays * dayMs),
      budgetDays: await all('budgetDays', now - findingsKeptDays * dayMs),
      refusedPhones: await all('refusedPhones', now - refusedKeptMs),
      eventDeliveries: await ofRemovedEndpoints(),
    }))
  }
}

/**
 * Erases all that is held about a phone: messages, timelines, sandbox texts, limits, pending codes. What waits to be sent to
 * it is not sent. Events stay: they hold nothing of a phone. The operator does so in every account, an owner in the own one.
 *
 * @throws Refusal when it is no phone number, Forbidden
 */
export type Forget = (actor: Actor, phone: string) => Promise<Erased>

export function createForget({ commit }: { commit: ActCommit }): Forget {
  return (actor, phone) => forgetPhone(commit, actor, phone)
}

async function forgetPhone(commit: ActCommit, actor: Actor, typed: string): Promise<Erased> {
  const accountId = seenAccount(actor)
  if (accountId !== undefined) requireRole(actor, 'owner', accountId)
  // Also one that would not be sent to any more: what is held about it was written before.
  const phone = requirePhone(typed)
  return commit.as(actor).transaction(async (tx, note) => {
    const erased = await erasePhone(tx, listPhoneForms(phone), accountId)
    if (accountId !== undefined && !erased.has(accountId)) erased.set(accountId, nothing)
    for (const [id, counts] of erased) {
      await note({ accountId: id, act: 'phone.forgotten', subject: maskPhone(phone), detail: { ...counts } })
    }
    return [...erased.values()].reduce(addUp, nothing)
  })
}

const nothing: Erased = { messages: 0, sandboxMessages: 0, phoneStates: 0 }

function addUp(one: Erased, other: Erased): Erased {
  return {
    messages: one.messages + other.messages,
    sandboxMessages: one.sandboxMessages + other.sandboxMessages,
    phoneStates: one.phoneStates + other.phoneStates,
  }
}
