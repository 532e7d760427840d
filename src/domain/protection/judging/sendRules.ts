/** The rules of accounts, as sends ask them. */
import type { JudgedDraft as AnyJudgedDraft, SendRules } from '../../sending/protection.ts'
import type { Events } from '../../webhooks/event.ts'
import type { KnownRules, RulesInForce } from '../known.ts'
import { type CountMadeParts, countMade } from './countMade.ts'
import { type CountRefusedParts, countRefused } from './countRefused.ts'
import type { Judgements, SendToJudge } from './judgement.ts'

export interface SendRuleParts extends CountMadeParts, CountRefusedParts {
  events: Pick<Events, 'tellRefused' | 'noteFound'>
  known: Pick<KnownRules, 'of'>
  judgements: Judgements
}

export function createSendRules({ known, judgements, ...parts }: SendRuleParts): SendRules {
  return {
    of: known.of,
    judge: (draft: JudgedDraft) => (isJudged(draft) ? judgements.of(draft) : undefined),
    steps: (options) => ({
      countRefused: countRefused(options, parts),
      countMade: countMade(options, parts),
    }),
    addVerified: judgements.addVerified,
  }
}

type JudgedDraft = AnyJudgedDraft & { inForce: RulesInForce }

function isJudged(draft: JudgedDraft): draft is JudgedDraft & SendToJudge {
  return draft.judging !== undefined && draft.inForce.rules.length > 0
}
