/** Sends that no rule refuses: what is made counts, once that is committed. */
import { Problem } from '../../../kit/problem.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import type { Step } from '../../../store/engine/step.ts'
import { addCodeFindings, addTextFindings, type FoundOfSend, partDigits } from '../../../store/protection/finding.ts'
import type { Evaluation, JudgedDraft, RuleStepOptions } from '../../sending/protection.ts'
import type { Events } from '../../webhooks/event.ts'

export interface CountMadeParts {
  events: Pick<Events, 'noteFound'>
  runtime: Pick<Runtime, 'randomDigits'>
}

type PassedDraft = JudgedDraft & { evaluation: Evaluation }

/** Counts what was found of those sends that are made. Its statement goes with the commit, behind them. */
export function countMade(
  { isChecked }: Pick<RuleStepOptions, 'isChecked'>,
  { events, runtime }: CountMadeParts,
): Step<JudgedDraft, never> {
  return {
    isNeeded: (group) => group.open().some(hasPassed),
    run: (tx, group) => {
      const drafts = group.open().filter(hasPassed)
      const found = drafts.flatMap(foundOf)
      const add = isChecked ? addCodeFindings : addTextFindings
      if (found.length > 0) add(tx, found, countPartOf(runtime))
      tx.afterCommit(() => {
        for (const draft of drafts) {
          if (group.outcomeOf(draft) instanceof Problem) continue
          draft.evaluation.made()
          events.noteFound(draft.evaluation.findings)
        }
      })
    },
  }
}

function hasPassed(draft: JudgedDraft): draft is PassedDraft {
  return draft.evaluation !== undefined
}

function foundOf({ accountId, mode, at, phone, id, evaluation: { findings } }: PassedDraft): FoundOfSend[] {
  return findings.map(({ rule, did }) => ({ accountId, mode, at, rule, did, phone, messageId: id }))
}

/** The part of slots that a transaction adds to. */
export function countPartOf(runtime: Pick<Runtime, 'randomDigits'>): number {
  return Number(runtime.randomDigits(partDigits))
}
