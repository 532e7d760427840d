/** Sends that rules refuse. */
import { Problem } from '../../../kit/problem.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import type { Tx } from '../../../store/engine/session.ts'
import { addRefusedFindings, type FoundOfSend } from '../../../store/protection/finding.ts'
import { holdPhones, refuseSends } from '../../../store/protection/refusal.ts'
import type { KeptFinding, KeptSignals, Mode } from '../../../store/schema/schema.ts'
import type { PhoneKey, Rule } from '../../../store/sending/limit.ts'
import { cooldownOf, sendRefused } from '../../sending/limit.ts'
import type { Events } from '../../webhooks/event.ts'
import { countPartOf } from './counted.ts'

export interface RefusedDraft {
  accountId: string
  mode: Mode
  id: string
  at: Date
  phone: string
  signals?: KeptSignals | undefined
  act: 'challenge' | 'block'
  findings: readonly KeptFinding[]
}

export interface RefuseParts {
  events: Pick<Events, 'tellRefused'>
  runtime: Pick<Runtime, 'randomDigits'>
}

export type RuleRefusal = 'send_blocked' | 'challenge_required' | 'resend_cooldown' | 'send_limit_reached'

interface RefuseOptions {
  /** What holds for the phones of all. */
  limits: Rule[]
  /** The phones that are sent to behind this, in the same transaction. */
  besides: readonly PhoneKey[]
}

/** Makes nothing. Each counts on the limits of its phone as a send does. @returns why each is not sent */
export type Refuse = <Draft extends RefusedDraft>(
  tx: Tx,
  drafts: readonly Draft[],
  options: RefuseOptions,
) => Promise<Map<Draft, Problem<RuleRefusal>>>

export function createRefuse({ events, runtime }: RefuseParts): Refuse {
  return async (tx, drafts, { limits, besides }) => {
    const sends = drafts.map((one) => ({ ...one, isPosted: one.signals?.unchecked === true }))
    const [challenged, blocked] = [sends.filter(isChallenged), sends.filter((one) => !isChallenged(one))]
    const writes = [challenged, blocked, besides].filter(({ length }) => length > 0)
    if (writes.length > 1) await holdPhones(tx, writes.flat())
    // A challenge is to be repeated at once, with a captcha: it counts with the other limits, and begins no cooldown.
    const forbidden = new Map([
      ...(challenged.length > 0 ? await refuseSends(tx, challenged, limits, cooldownOf(limits)?.seconds ?? 0) : []),
      ...(blocked.length > 0 ? await refuseSends(tx, blocked, limits, 0) : []),
    ])
    const refused = drafts.filter(({ id }) => !forbidden.has(id))
    addRefusedFindings(tx, refused.flatMap(foundOf), countPartOf(runtime))
    events.tellRefused(tx, refused)
    return new Map(
      drafts.map((draft) => {
        const times = forbidden.get(draft.id)
        return [draft, times ? sendRefused(limits, times, draft.at) : refusalOf(draft)]
      }),
    )
  }
}

function isChallenged({ act }: RefusedDraft): boolean {
  return act === 'challenge'
}

/** What each rule found of it, with its number. */
function foundOf({ accountId, mode, at, phone, findings }: RefusedDraft): FoundOfSend[] {
  return findings.map(({ rule, did }) => ({ accountId, mode, at, rule, did, phone, messageId: undefined }))
}

function refusalOf({ act, findings }: RefusedDraft): Problem<'send_blocked' | 'challenge_required'> {
  const rules = findings.filter(({ did }) => did === act)
  const [code, does] =
    act === 'block' ? (['blocked', 'blocks this send'] as const) : (['challenged', 'requires a captcha'] as const)
  const details = rules.map(({ rule }) => ({ field: `rule:${rule}`, code, message: `the rule ${rule} ${does}` }))
  return new Problem(act === 'block' ? 'send_blocked' : 'challenge_required', { details })
}
