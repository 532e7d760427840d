/** Sends that rules refuse, and what is counted of those that are made. */
import { Problem } from '../../kit/problem.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Tx } from '../../store/engine/session.ts'
import { addSends, addSentTexts, countPartDigits, type SendCount } from '../../store/protection/addedCount.ts'
import {
  addRefusals,
  addSendFindings,
  addTextFindings,
  type FoundOfSend,
  refuseSends,
} from '../../store/protection/refusal.ts'
import type { KeptFinding, Mode } from '../../store/schema/schema.ts'
import type { Rule } from '../../store/sending/limit.ts'
import type { Idempotency, Keyed, KeyedOutcome } from '../sending/idempotency.ts'
import { cooldownOf, type Limits, limitsOf, sendRefused, withoutCooldown } from '../sending/limit.ts'
import type { Events } from '../webhooks/event.ts'

export interface RefusedDraft extends Keyed {
  accountId: string
  mode: Mode
  id: string
  at: Date
  phone: string
  act: 'challenge' | 'block'
  findings: readonly KeptFinding[]
  /** The id of the inlet that it comes through. */
  inlet?: string | undefined
}

export interface RefuseParts {
  idempotency: Idempotency
  events: Pick<Events, 'tellRefused'>
  runtime: Pick<Runtime, 'randomDigits'>
  limits: Limits
}

type RuleRefusal = 'send_blocked' | 'challenge_required' | 'resend_cooldown' | 'send_limit_reached'

/**
 * Makes nothing. It counts on the limits of the phone as a send does, in a commit of its own.
 *
 * @returns always why nothing is sent
 */
export type Refuse = (
  draft: RefusedDraft,
) => Promise<KeyedOutcome<never, RuleRefusal | 'service_unavailable' | KeyRefusal>>

type KeyRefusal = 'idempotency_key_reused' | 'idempotency_in_progress'

export function createRefuse(parts: RefuseParts): Refuse {
  const [live, test] = (['live', 'test'] as const).map((mode) => limitsOf(mode, parts.limits).sends)
  const cooldownSeconds = cooldownOf(parts.limits.sends)?.seconds ?? 0
  // A challenge is to be repeated at once, with a captcha: it counts with the other limits, and begins no cooldown.
  const submitsBy = (rules: Rule[]) => ({
    block: createSubmit({ rules, earlierSeconds: 0 }, parts),
    challenge: createSubmit({ rules, earlierSeconds: cooldownSeconds }, parts),
  })
  const submit = { live: submitsBy(live!), test: submitsBy(test!), inlet: submitsBy(withoutCooldown(live!)) }
  return (draft) => {
    const { mode, inlet, act } = draft
    return submit[mode === 'live' && inlet !== undefined ? 'inlet' : mode][act](draft)
  }
}

function createSubmit(
  { rules, earlierSeconds }: { rules: Rule[]; earlierSeconds: number },
  { idempotency, events, runtime }: RefuseParts,
) {
  return idempotency.share<RefusedDraft, never, RuleRefusal>({
    conflictOf: ({ accountId, phone }) => `${accountId} ${phone}`,
    ownerOf: ({ accountId }) => accountId,
    work: async (tx, drafts) => {
      const forbidden = await refuseSends(tx, drafts, rules, earlierSeconds)
      const refused = drafts.filter(({ id }) => !forbidden.has(id))
      addRefusals(tx, refused.flatMap(foundOf), partOf(runtime))
      events.tellRefused(tx, refused)
      return drafts.map((draft) => {
        const times = forbidden.get(draft.id)
        return times ? sendRefused(rules, times, draft.at) : refusalOf(draft)
      })
    },
  })
}

/** What each rule found of it, with its number. */
function foundOf({ accountId, mode, at, phone, findings }: RefusedDraft): FoundOfSend[] {
  return findings.map(({ rule, did }) => ({ accountId, mode, at, rule, did, phone, messageId: undefined }))
}

function refusalOf({ act, findings }: RefusedDraft): Problem<'send_blocked' | 'challenge_required'> {
  const rules = findings.filter(({ did }) => did === act)
  const [code, does] =
    act === 'block' ? (['blocked', 'blocks this send'] as const) : (['challenged', 'wants a captcha'] as const)
  const details = rules.map(({ rule }) => ({ field: `rule:${rule}`, code, message: `the rule ${rule} ${does}` }))
  return new Problem(act === 'block' ? 'send_blocked' : 'challenge_required', { details })
}

interface CountedDraft {
  accountId: string
  mode: Mode
  id: string
  at: Date
  phone: string
  counted: readonly SendCount[]
  findings?: readonly KeptFinding[]
}

/** Counts those of the codes of this transaction that are made. Goes with the commit, behind them. */
export function countSends(tx: Tx, drafts: readonly CountedDraft[], runtime: Pick<Runtime, 'randomDigits'>): void {
  const part = partOf(runtime)
  addSends(tx, drafts, part)
  addSendFindings(tx, foundOfMade(drafts), part)
}

/** The same for texts that another system wrote. */
export function countSentTexts(tx: Tx, drafts: readonly CountedDraft[], runtime: Pick<Runtime, 'randomDigits'>): void {
  const part = partOf(runtime)
  addSentTexts(tx, drafts, part)
  addTextFindings(tx, foundOfMade(drafts), part)
}

function foundOfMade(drafts: readonly CountedDraft[]): FoundOfSend[] {
  return drafts.flatMap(({ findings = [], accountId, mode, at, phone, id }) =>
    findings.map(({ rule, did }) => ({ accountId, mode, at, rule, did, phone, messageId: id })),
  )
}

function partOf(runtime: Pick<Runtime, 'randomDigits'>): number {
  return Number(runtime.randomDigits(countPartDigits))
}
