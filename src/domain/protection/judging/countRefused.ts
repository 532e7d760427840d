/** Sends that rules refuse. */
import { Problem } from '../../../kit/problem.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import type { Step } from '../../../store/engine/step.ts'
import { addRefusedFindings, type FoundOfSend } from '../../../store/protection/finding.ts'
import { holdPhones, refuseSends } from '../../../store/protection/refusal.ts'
import { cooldownOf, sendRefused } from '../../sending/limit.ts'
import {
  type Evaluation,
  isRefused,
  type JudgedDraft,
  type RuleRefusal,
  type RuleStepOptions,
} from '../../sending/protection.ts'
import type { Events } from '../../webhooks/event.ts'
import { countPartOf } from './countMade.ts'

export interface CountRefusedParts {
  events: Pick<Events, 'tellRefused'>
  runtime: Pick<Runtime, 'randomDigits'>
}

interface RefusedDraft extends JudgedDraft {
  evaluation: Evaluation & { act: 'challenge' | 'block' }
}

/** Makes nothing. Each counts on the limits of its phone as a send does. */
export function countRefused(
  { limits }: Pick<RuleStepOptions, 'limits'>,
  { events, runtime }: CountRefusedParts,
): Step<JudgedDraft, Problem<RuleRefusal>> {
  return {
    isNeeded: (group) => group.open().some(isRefused),
    run: async (tx, group) => {
      const drafts = group.open().filter((draft): draft is RefusedDraft => isRefused(draft))
      const others = group.open().filter((draft) => !isRefused(draft))
      const sends = drafts.map((one) => ({ ...one, isPosted: one.signals?.unchecked === true }))
      const [challenged, blocked] = [sends.filter(isChallenged), sends.filter((one) => !isChallenged(one))]
      const writes = [challenged, blocked, others].filter(({ length }) => length > 0)
      if (writes.length > 1) await holdPhones(tx, writes.flat())
      // A challenge is to be repeated at once, with a captcha: it counts with the other limits, and begins no cooldown.
      const forbidden = new Map([
        ...(challenged.length > 0 ? await refuseSends(tx, challenged, limits, cooldownOf(limits)?.seconds ?? 0) : []),
        ...(blocked.length > 0 ? await refuseSends(tx, blocked, limits, 0) : []),
      ])
      const refused = drafts.filter(({ id }) => !forbidden.has(id))
      addRefusedFindings(tx, refused.flatMap(foundOf), countPartOf(runtime))
      events.tellRefused(
        tx,
        refused.map(({ accountId, mode, at, evaluation: { act, findings } }) => ({
          accountId,
          mode,
          at,
          act,
          findings,
        })),
      )
      for (const draft of drafts) {
        const times = forbidden.get(draft.id)
        group.decide(draft, times ? sendRefused(limits, times, draft.at) : toRefusal(draft.evaluation))
      }
    },
  }
}

function isChallenged({ evaluation: { act } }: RefusedDraft): boolean {
  return act === 'challenge'
}

/** What each rule found of it, with its number. */
function foundOf({ accountId, mode, at, phone, evaluation: { findings } }: RefusedDraft): FoundOfSend[] {
  return findings.map(({ rule, did }) => ({ accountId, mode, at, rule, did, phone, messageId: undefined }))
}

function toRefusal({ act, findings }: RefusedDraft['evaluation']): Problem<'send_blocked' | 'challenge_required'> {
  const rules = findings.filter(({ did }) => did === act)
  const [code, does] =
    act === 'block' ? (['blocked', 'blocks this send'] as const) : (['challenged', 'requires a captcha'] as const)
  const details = rules.map(({ rule }) => ({ field: `rule:${rule}`, code, message: `the rule ${rule} ${does}` }))
  return new Problem(act === 'block' ? 'send_blocked' : 'challenge_required', { details })
}
