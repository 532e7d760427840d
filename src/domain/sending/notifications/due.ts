/** Scheduled notifications whose time has come: each goes once, or ends. What counts, counts now. */
import { Problem } from '../../../kit/problem.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import type { Tx } from '../../../store/engine/session.ts'
import { isAnyOpen, runSteps, type Step } from '../../../store/engine/step.ts'
import type { Mode } from '../../../store/schema/schema.ts'
import {
  countNotified,
  type DueNotification,
  dropScheduled,
  findDue,
  lockScheduled,
} from '../../../store/sending/scheduled.ts'
import type { Dispatch } from '../dispatch.ts'
import { type Limits, limitsOf } from '../limit.ts'
import type { Move, Transition } from '../message.ts'
import type { OptOuts } from '../phones/optOut.ts'
import type { InForce, SendBudgets, SendRules } from '../protection.ts'
import { firstLegOf } from '../sendSteps.ts'

/** Of one transaction: so few that no send waits long for a phone or a budget of theirs. */
const dueMax = 500

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
  budgets: Pick<SendBudgets, 'steps'>
  optOuts: Pick<OptOuts, 'among'>
  limits: Limits
  dispatch: Dispatch
  move: Move
  runtime: Pick<Runtime, 'now'>
}

/** @returns sends all that is due, the earliest first, in transactions of few. What another worker has hold of is left to that */
export function createSendDue(parts: DueParts): () => Promise<void> {
  const { commit, rules, runtime } = parts
  return async () => {
    for (;;) {
      const at = runtime.now()
      const { due, erased } = await findDue(commit.reader, at, dueMax)
      if (due.length + erased.length === 0) return
      // Not inside of the transaction: it may have the only connection.
      const drafts = await Promise.all(
        oneOfEachPhone(due).map(async ({ country, ...one }): Promise<Due> => {
          return { ...one, country: country ?? undefined, at, inForce: await rules.of(one) }
        }),
      )
      const count = await commit.transaction(async (tx) => {
        dropScheduled(tx, erased)
        return erased.length + (await sendAll(tx, drafts, parts))
      })
      if (count === 0) return
    }
  }
}

/** Two to one phone share no transaction, since neither would see the other: the later one is found again. */
function oneOfEachPhone(list: readonly DueNotification[]): DueNotification[] {
  const first = new Map<string, DueNotification>()
  for (const one of list) {
    const name = `${one.accountId} ${one.mode} ${one.phone}`
    if (!first.has(name)) first.set(name, one)
  }
  return [...first.values()]
}

/** @returns how many it decided */
async function sendAll(tx: Tx, list: readonly Due[], parts: DueParts): Promise<number> {
  const isHeld = await lockScheduled(tx, list)
  const held = list.filter((_one, place) => isHeld[place])
  if (held.length === 0) return 0
  const outcomes = await runSteps<Due, Outcome>(tx, held, dueSteps(parts))
  const goes = held.filter((_one, place) => outcomes[place] === 'goes')
  await parts.dispatch(tx, goes.map(firstLegOf))
  await parts.move(
    tx,
    held.flatMap((one, place) => endOf(one, outcomes[place]!)),
  )
  dropScheduled(tx, held)
  return held.length
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

function endOf({ accountId, id, at, expiresAt }: Due, outcome: Outcome): Transition[] {
  if (outcome === 'goes') return []
  if (outcome === 'expired') return [{ accountId, id, status: 'expired', at: expiresAt ?? at }]
  return [{ accountId, id, status: 'failed', at, errorCode: outcome.code, note: 'when its time came' }]
}
