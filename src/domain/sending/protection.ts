/** What sends ask of an account's rules and budgets. Their room implements it, and `app/` hands it in: no import leads there. */
import type { Problem } from '../../kit/problem.ts'
import type { Reader, Tx } from '../../store/engine/session.ts'
import type { Step } from '../../store/engine/step.ts'
import type { KeptFinding, KeptSignals, Mode } from '../../store/schema/schema.ts'
import type { Rule } from '../../store/sending/limit.ts'

declare const inForce: unique symbol

/** What is in force for the sends of an account, as this process knows it. Only the room that made it looks into it. */
export interface InForce {
  readonly [inForce]?: never
}

/** A message that is about to be made. */
export interface BudgetedDraft {
  accountId: string
  mode: Mode
  id: string
  at: Date
  /** Undefined for a number of no country. */
  country?: string | undefined
  inForce: InForce
  /** What the rules said; undefined for one that they were not asked about. */
  evaluation?: Evaluation | undefined
}

/** One that is looked at, and not made. */
export type PreviewedDraft = Omit<BudgetedDraft, 'id' | 'evaluation'>

/** One that rules judge. */
export interface JudgedDraft extends BudgetedDraft {
  phone: string
  /** What is kept of its signals. */
  signals?: KeptSignals | undefined
  /** Undefined for one that is not to be judged. */
  judging: Judging | undefined
}

/** What only the rules ask of a send. */
export interface Judging {
  /** As the library names it. */
  numberKind: string
  /** Of the person, without a port. */
  address: string | undefined
}

export interface Evaluation {
  act: 'send' | 'challenge' | 'block'
  /** In the order of the rules. */
  findings: readonly KeptFinding[]
  /** To be called when it was made, and that is committed. */
  made: () => void
  /** To be called when it is known what became of it. Until then it counts for sends that come after it. */
  end: () => void
}

/** A verification whose code was right. */
export interface RightSend {
  accountId: string
  mode: Mode
  /** When it was sent. */
  sentAt: Date
  phone: string
  country: string | undefined
  signals: KeptSignals | undefined
  inForce: InForce
}

export type RuleRefusal = 'send_blocked' | 'challenge_required' | 'resend_cooldown' | 'send_limit_reached'

export interface RuleStepOptions {
  /** What holds for the phones of all. */
  limits: Rule[]
  /** Whether the codes are checked here. */
  isChecked: boolean
}

/** The rules of accounts. */
export interface SendRules {
  of(owner: { accountId: string; mode: Mode }): Promise<InForce>
  /**
   * Asks the rules about a send, after all that were judged before it: from memory, before it shares a transaction.
   *
   * @returns undefined for one that no rule is asked about
   */
  judge(draft: JudgedDraft): Promise<Evaluation> | undefined
  /** For one group. */
  steps(options: RuleStepOptions): {
    /** What a rule refuses counts on the limits of its phone as a send does. */
    countRefused: Step<JudgedDraft, Problem<RuleRefusal>>
    /** What is made counts for rules, and so does what they found of it: once it is committed. */
    countMade: Step<JudgedDraft, never>
  }
  /** Counts codes that were right, once that is committed. */
  addVerified(tx: Tx, list: readonly RightSend[]): void
}

/** The budgets of accounts. */
export interface SendBudgets {
  /** Then it shares transactions only with its like: a budget may have to be waited for. */
  isWithinAny(draft: BudgetedDraft): boolean
  /** Why each would be refused now: budgets are read, and neither held nor counted on. */
  findSpent(reader: Reader, list: readonly PreviewedDraft[]): Promise<(Problem<'budget_spent'> | undefined)[]>
  /** For one group. */
  steps(): {
    /** Locks the budgets of the messages, and refuses what there is no room for. What a rule refuses takes no room. */
    holdBudgets: Step<BudgetedDraft, Problem<'budget_spent'>>
    /** Publishes which budgets are used up to another part by what was made. */
    tellBudgets: Step<BudgetedDraft, never>
  }
}

/** Whether rules refuse it. */
export function isRefused({ evaluation }: Pick<BudgetedDraft, 'evaluation'>): boolean {
  return evaluation !== undefined && evaluation.act !== 'send'
}
