/** What a group of notifications does in its one transaction. The order is that of locks, and of reasons. */
import { Problem } from '../../../kit/problem.ts'
import { isAnyOpen, type Step } from '../../../store/engine/step.ts'
import type { Rule } from '../../../store/sending/limit.ts'
import { findTemplatesFor, type RecipientTemplate, sendNotifications } from '../../../store/sending/notification.ts'
import type { OptOutKey } from '../../../store/sending/optOut.ts'
import type { Dispatch } from '../dispatch.ts'
import type { Idempotency, Keyed, KeyRefusal, Replay } from '../idempotency.ts'
import { notificationRefused } from '../limit.ts'
import type { BudgetedDraft, SendBudgets } from '../protection.ts'
import { toFirstLeg } from '../sendSteps.ts'
import { insertForLater } from './schedule.ts'
import { type NewNotification, type SentNotification, sentOf } from './sentNotification.ts'

/** Why a draft comes to nothing. */
export type NotifyRefusal = 'opted_out' | 'unknown_template' | 'invalid_variables' | 'no_channel' | 'send_limit_reached'

export interface NotifyDraft extends BudgetedDraft, OptOutKey, Keyed {
  phone: string
  slug: string
  /** How the tags of the languages begin that are asked for. */
  languages: readonly string[] | undefined
}

export type NotifyOutcome = SentNotification | Problem<NotifyRefusal | 'budget_spent' | KeyRefusal> | Replay

export interface NotifyStepParts {
  idempotency: Pick<Idempotency, 'steps'>
  budgets: Pick<SendBudgets, 'steps'>
  dispatch: Dispatch
}

export interface NotifyKind<Draft> {
  /** What holds for the phones of all. */
  limits: Rule[]
  /** @returns the message, or why none can be made */
  fill: (draft: Draft, template: RecipientTemplate | undefined) => NewNotification | Problem<NotifyRefusal>
}

export function notifySteps<Draft extends NotifyDraft>(
  { limits, fill }: NotifyKind<Draft>,
  { idempotency, budgets, dispatch }: NotifyStepParts,
): Step<Draft, NotifyOutcome>[] {
  const { claimKeys, keepAnswers } = idempotency.steps()
  const { holdBudgets, tellBudgets } = budgets.steps()
  const messages = new Map<Draft, NewNotification>()
  return [
    // Repeats get their first answer.
    claimKeys,
    // Spent budgets refuse. They are locked before phones.
    holdBudgets,
    // What has no template or variables that do not fit, and phones that opted out, are refused.
    fillTemplates(fill, messages),
    // The limits of phones refuse. With nothing left to do behind it, it goes with the commit.
    insertMessages(limits, dispatch, messages),
    tellBudgets,
    keepAnswers,
  ]
}

/** The same for those that are to go later: what counts, counts then. */
export function scheduleSteps<Draft extends NotifyDraft>(
  fill: NotifyKind<Draft>['fill'],
  { idempotency }: Pick<NotifyStepParts, 'idempotency'>,
): Step<Draft, NotifyOutcome>[] {
  const { claimKeys, keepAnswers } = idempotency.steps()
  const messages = new Map<Draft, NewNotification>()
  return [claimKeys, fillTemplates(fill, messages), insertForLater(messages), keepAnswers]
}

function fillTemplates<Draft extends NotifyDraft>(
  fill: NotifyKind<Draft>['fill'],
  messages: Map<Draft, NewNotification>,
): Step<Draft, NotifyOutcome> {
  return {
    isNeeded: isAnyOpen,
    run: async (tx, group) => {
      const drafts = group.open()
      const templates = await findTemplatesFor(tx, drafts)
      for (const [place, draft] of drafts.entries()) {
        const message = fill(draft, templates[place])
        if (message instanceof Problem) group.decide(draft, message)
        else messages.set(draft, message)
      }
    },
  }
}

function insertMessages<Draft extends NotifyDraft>(
  limits: Rule[],
  dispatch: Dispatch,
  messages: ReadonlyMap<Draft, NewNotification>,
): Step<Draft, NotifyOutcome> {
  return {
    isNeeded: isAnyOpen,
    run: async (tx, group) => {
      const list = [...messages.values()]
      await dispatch(tx, list.map(toFirstLeg), { mayBeMissing: true })
      const forbidden = await sendNotifications(tx, list, limits)
      for (const [draft, message] of messages) {
        const times = forbidden.get(message.id)
        group.decide(draft, times ? notificationRefused(limits, times.all, message.at) : sentOf(message))
      }
    },
  }
}
