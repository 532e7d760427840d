/** Codes, and texts with codes, which rules judge: those of one moment are judged together, before their transaction. */
import { Problem } from '../../../kit/problem.ts'
import type { DraftKind } from '../../../store/engine/commit.ts'
import type { Tx } from '../../../store/engine/session.ts'
import type { KeptFinding, KeptSignals } from '../../../store/schema/schema.ts'
import type { Rule } from '../../../store/sending/limit.ts'
import {
  type Idempotency,
  type Keyed,
  type KeyedOutcome,
  type KeyRefusal,
  workSteps,
} from '../../sending/idempotency.ts'
import { apartWithinBudgets, type BudgetedDraft, type WithinBudgets } from '../budget/dayBudgets.ts'
import type { RulesInForce } from '../known.ts'
import type { Judgement, Judgements, Judging } from './judgement.ts'
import type { Refuse, RefusedDraft, RuleRefusal } from './refusal.ts'

export interface JudgedDraft extends Keyed, BudgetedDraft {
  phone: string
  inForce: RulesInForce
  signals?: KeptSignals | undefined
  /** Undefined for one that is not to be judged. */
  judging: Judging | undefined
  /** What the rules said, once they were asked. */
  act?: Judgement['act']
  findings?: readonly KeptFinding[]
  made?: Judgement['made']
}

export interface JudgedSends {
  /**
   * Like `idempotency.share`, but the work is done only on those that no rule refuses and that a budget has room for. What a rule
   * refuses counts on the limits of its phone all the same.
   *
   * @param limits what holds for the phones of all
   */
  share: <Draft extends JudgedDraft, Done, Code extends RuleRefusal>(
    limits: Rule[],
    kind: DraftKind<Draft, Done | Problem<Code>>,
  ) => (draft: Draft) => Promise<KeyedOutcome<Done, RuleRefusal | 'budget_spent' | KeyRefusal>>
}

export interface JudgedSendParts {
  idempotency: Idempotency
  judgements: Pick<Judgements, 'of'>
  withinBudgets: WithinBudgets
  refuse: Refuse
}

export function createJudgedSends({ idempotency, judgements, withinBudgets, refuse }: JudgedSendParts): JudgedSends {
  return {
    share: <Draft extends JudgedDraft, Done, Code extends RuleRefusal>(
      limits: Rule[],
      kind: DraftKind<Draft, Done | Problem<Code>>,
    ) =>
      judgedBefore(
        apartWithinBudgets(() =>
          idempotency.share<Draft, Done | Problem<RuleRefusal | 'budget_spent'>>({
            ...kind,
            steps: () =>
              workSteps(idempotency.steps(), async (tx, drafts) => {
                const refused = drafts.filter(isRefused)
                const others = drafts.filter((one) => !isRefused(one))
                let decided: Map<Draft, Problem<RuleRefusal>> | undefined
                const refuseBefore = async (some: Draft[]) => {
                  if (refused.length > 0) decided ??= await refuse(tx, refused, { limits, besides: some })
                }
                // Budgets are held before phones, and what makes messages ends the transaction.
                const makeSome = async (within: Tx, some: Draft[]) => {
                  await refuseBefore(some)
                  return make(within, some, kind)
                }
                const made = (others.length > 0 ? await withinBudgets(tx, others, makeSome) : []).values()
                await refuseBefore([])
                return drafts.map((one) => decided?.get(one) ?? made.next().value!)
              }),
          }),
        ),
      ),
  }

  function judgedBefore<Draft extends JudgedDraft, Outcome>(submit: (draft: Draft) => Promise<Outcome>) {
    return async (draft: Draft): Promise<Outcome> => {
      if (!isJudged(draft)) return submit(draft)
      const { end, ...judged } = await judgements.of(draft)
      try {
        return await submit({ ...draft, ...judged })
      } finally {
        end()
      }
    }
  }
}

/** What is made is counted, when that is committed. */
async function make<Draft extends JudgedDraft, Outcome>(
  tx: Tx,
  drafts: Draft[],
  { work }: Pick<DraftKind<Draft, Outcome>, 'work'>,
): Promise<Outcome[]> {
  const outcomes = await work(tx, drafts)
  for (const [place, { made }] of drafts.entries())
    if (made && !(outcomes[place] instanceof Problem)) tx.afterCommit(made)
  return outcomes
}

function isJudged<Draft extends JudgedDraft>(draft: Draft): draft is Draft & { judging: Judging } {
  return draft.judging !== undefined && draft.inForce.rules.length > 0
}

function isRefused<Draft extends JudgedDraft>(draft: Draft): draft is Draft & RefusedDraft {
  return draft.act === 'challenge' || draft.act === 'block'
}
