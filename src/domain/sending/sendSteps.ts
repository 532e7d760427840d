/** What a group of sends does in its one transaction. The order is that of locks, and of reasons. */
import type { Problem } from '../../kit/problem.ts'
import type { Tx } from '../../store/engine/session.ts'
import { isAnyOpen, type Step } from '../../store/engine/step.ts'
import type { SentTimes } from '../../store/sending/limit.ts'
import type { NewMessage } from '../../store/sending/message.ts'
import type { Addressed, Dispatch } from './dispatch.ts'
import type { Idempotency, Keyed, KeyRefusal, Replay } from './idempotency.ts'
import { sendRefused } from './limit.ts'
import type { JudgedDraft, RuleRefusal, RuleStepOptions, SendBudgets, SendRules } from './protection.ts'

export type SendDraft = NewMessage & JudgedDraft & Keyed

export type SendOutcome<Done> = Done | Problem<RuleRefusal | 'budget_spent' | KeyRefusal> | Replay

export interface SendStepParts {
  idempotency: Pick<Idempotency, 'steps'>
  rules: Pick<SendRules, 'steps'>
  budgets: Pick<SendBudgets, 'steps'>
  dispatch: Dispatch
}

/** Sends that one statement makes. */
export interface SendKind<Draft, Done> extends RuleStepOptions {
  /** Inserts messages, as the last statement. @returns of those that a limit forbids, by their ids, when their phone was sent to */
  insert: (tx: Tx, drafts: readonly Draft[]) => Promise<Map<string, SentTimes>>
  /** What the caller gets when the message is made. */
  doneOf: (draft: Draft) => Done
}

export function sendSteps<Draft extends SendDraft, Done>(
  kind: SendKind<Draft, Done>,
  { idempotency, rules, budgets, dispatch }: SendStepParts,
): Step<Draft, SendOutcome<Done>>[] {
  const { claimKeys, keepAnswers } = idempotency.steps()
  const { holdBudgets, tellBudgets } = budgets.steps()
  const { countRefused, countMade } = rules.steps(kind)
  return [
    // Repeats get their first answer.
    claimKeys,
    // Spent budgets refuse. They are locked before phones.
    holdBudgets,
    // Rules refuse, and what they refuse counts on its phone all the same. All phones of the group are locked in their order.
    countRefused,
    // The job finds those of its messages that are made.
    enqueueFirstLeg(dispatch),
    // Goes behind the messages, with the commit.
    countMade,
    // The limits of phones refuse. With nothing left to do behind it, it goes with the commit: one round trip.
    insertMessages(kind),
    tellBudgets,
    keepAnswers,
  ]
}

function enqueueFirstLeg(dispatch: Dispatch): Step<NewMessage, never> {
  return {
    isNeeded: isAnyOpen,
    run: (tx, group) => dispatch(tx, group.open().map(toFirstLeg), { mayBeMissing: true }),
  }
}

function insertMessages<Draft extends SendDraft, Done>({
  limits,
  insert,
  doneOf,
}: SendKind<Draft, Done>): Step<Draft, SendOutcome<Done>> {
  return {
    isNeeded: isAnyOpen,
    run: async (tx, group) => {
      const drafts = group.open()
      const forbidden = await insert(tx, drafts)
      for (const draft of drafts) {
        const times = forbidden.get(draft.id)
        group.decide(draft, times ? sendRefused(limits, times, draft.at) : doneOf(draft))
      }
    },
  }
}

/** Where a message goes first. */
export function toFirstLeg({ accountId, id, mode, template, route }: FirstLeg): Addressed {
  const isUrgent = template === undefined
  return { accountId, id, mode, isUrgent, leg: 1, connection: route[0]!, isLast: route.length === 1 }
}

type FirstLeg = Pick<NewMessage, 'accountId' | 'id' | 'mode' | 'template' | 'route'>
