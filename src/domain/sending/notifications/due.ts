/** Scheduled notifications whose time has come: each goes once, or ends. What counts, counts now. */
import { Problem } from '../../../kit/problem.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import { isUnavailable } from '../../../store/engine/failure.ts'
import type { Tx } from '../../../store/engine/session.ts'
import { isAnyOpen, runSteps, type Step } from '../../../store/engine/step.ts'
import type { Mode } from '../../../store/schema/schema.ts'
import {
  countNotified,
  type DueNotification,
  dropScheduled,
  findDue,
  lockScheduled,
  postponeScheduled,
} from '../../../store/sending/scheduled.ts'
import type { Dispatch } from '../dispatch.ts'
import { type Limits, limitsOf } from '../limit.ts'
import type { Move, Transition } from '../message.ts'
import type { OptOuts } from '../phones/optOut.ts'
import type { InForce, SendBudgets, SendRules } from '../protection.ts'
import { toFirstLeg } from '../sendSteps.ts'

/** Of one transaction: so few that no send waits long for a phone or a budget of theirs. */
export const dueMax = 128
/** Milliseconds until one is looked at again that could neither be sent nor ended. */
const againMs = 3600_000
/** In the timeline of one that ends. */
const whenDue = 'when its time came'

type DueRefusal = 'opted_out' | 'budget_spent' | 'send_limit_reached'
type Outcome = 'goes' | 'expired' | Problem<DueRefusal>

interface Due extends Omit<DueNotification, 'country'> {
  country: string | undefined
  at: Date
  inForce: InForce
}

export interface DueParts {
  commit: Commit
  rules: Pick<SendRules, 'of'>
  budgets: Pick<SendBudgets, 'isWithinAny' | 'steps'>
  optOuts: Pick<OptOuts, 'among'>
  limits: Limits
  dispatch: Dispatch
  move: Move
  runtime: Pick<Runtime, 'now' | 'internalErrors'>
}

/** @returns sends all that is due, in transactions of few. What another worker has hold of is left to that */
export function createSendDue(parts: DueParts): () => Promise<void> {
  const { commit, runtime } = parts
  const send = createSendOne(parts)
  return async () => {
    for (;;) {
      const { due, erased } = await findDue(commit.reader, runtime.now(), dueMax)
      if (erased.length > 0) await commit.transaction(async (tx) => dropScheduled(tx, erased))
      const ends = await Promise.allSettled(due.map(send))
      const failed = ends.find((end) => end.status === 'rejected')
      if (failed) throw failed.reason
      if (erased.length === 0 && !ends.some((end) => end.status === 'fulfilled' && end.value)) return
    }
  }
}

/** @returns sends one, or ends it; false when another worker does. @throws when the database is away */
function createSendOne(parts: DueParts): (one: DueNotification) => Promise<boolean> {
  const { commit, rules, budgets, runtime } = parts
  const share = commit.share<Due, boolean>({
    // Two to one phone share no transaction, since neither would see the other.
    conflictOf: ({ accountId, mode, phone }) => `${accountId} ${mode} ${phone}`,
    ownerOf: ({ accountId }) => accountId,
    isIsolated: (draft) => budgets.isWithinAny(draft),
    membersMax: dueMax,
    isPatient: true,
    work: (tx, drafts) => sendAll(tx, drafts, parts),
  })
  return async (one) => {
    try {
      const inForce = await rules.of(one)
      return await share({ ...one, country: one.country ?? undefined, at: runtime.now(), inForce })
    } catch (error) {
      if (isUnavailable(error)) throw error
      const { accountId: account, id: message_id } = one
      runtime.internalErrors.note('due', error, { account, message_id })
      return setAside(one, parts)
    }
  }
}

/** @returns for each, whether it was decided here */
async function sendAll(tx: Tx, list: readonly Due[], parts: DueParts): Promise<boolean[]> {
  const isHeld = await lockScheduled(tx, list)
  const held = list.filter((_one, place) => isHeld[place])
  if (held.length === 0) return isHeld
  const outcomes = await runSteps<Due, Outcome>(tx, held, dueSteps(parts))
  const goes = held.filter((_one, place) => outcomes[place] === 'goes')
  await parts.dispatch(tx, goes.map(toFirstLeg))
  await parts.move(
    tx,
    held.flatMap((one, place) => findEnd(one, outcomes[place]!)),
  )
  dropScheduled(tx, held)
  return isHeld
}

/** Ends one that cannot be sent. Where that fails too, it is looked at again later: what is due behind it goes meanwhile. */
async function setAside(one: DueNotification, { commit, move, runtime }: DueParts): Promise<boolean> {
  const { accountId, id } = one
  const at = runtime.now()
  const ended = commit.transaction(async (tx) => {
    const [isHeld = false] = await lockScheduled(tx, [one])
    if (!isHeld) return false
    await move(tx, [{ accountId, id, status: 'failed', at, errorCode: 'not_delivered', note: whenDue }])
    dropScheduled(tx, [one])
    return true
  })
  return ended.catch(async (error: unknown) => {
    if (isUnavailable(error)) throw error
    runtime.internalErrors.note('due', error, { account: accountId, message_id: id })
    await commit.transaction((tx) => postponeScheduled(tx, one, new Date(at.getTime() + againMs)))
    return true
  })
}

/** The order is that of locks, and of reasons. */
function dueSteps({ budgets, optOuts, limits }: DueParts): Step<Due, Outcome>[] {
  const { holdBudgets, tellBudgets } = budgets.steps()
  return [
    expireLate,
    stopOptedOut(optOuts),
    // Spent budgets refuse. They are locked before phones.
    holdBudgets,
    // The limits of phones refuse.
    countOnPhones(limits),
    tellBudgets,
  ]
}

const expireLate: Step<Due, Outcome> = {
  isNeeded: isAnyOpen,
  run: (_tx, group) => {
    for (const draft of group.open()) {
      if (draft.expiresAt !== null && draft.expiresAt <= draft.at) group.decide(draft, 'expired')
    }
  },
}

function stopOptedOut(optOuts: DueParts['optOuts']): Step<Due, Outcome> {
  return {
    isNeeded: isAnyOpen,
    run: async (tx, group) => {
      for (const draft of await optOuts.among(tx, group.open())) group.decide(draft, new Problem('opted_out'))
    },
  }
}

function countOnPhones(limits: Limits): Step<Due, Outcome> {
  return {
    isNeeded: isAnyOpen,
    run: async (tx, group) => {
      const open = group.open()
      for (const mode of ['live', 'test'] satisfies Mode[]) {
        const drafts = open.filter((draft) => draft.mode === mode)
        const forbidden = await countNotified(tx, drafts, limitsOf(mode, limits).notifications)
        for (const draft of drafts) {
          group.decide(draft, forbidden.has(draft.id) ? new Problem('send_limit_reached') : 'goes')
        }
      }
    },
  }
}

function findEnd({ accountId, id, at, expiresAt }: Due, outcome: Outcome): Transition[] {
  if (outcome === 'goes') return []
  if (outcome === 'expired') return [{ accountId, id, status: 'expired', at: expiresAt ?? at }]
  return [{ accountId, id, status: 'failed', at, errorCode: outcome.code, note: whenDue }]
}
