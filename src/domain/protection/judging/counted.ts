/** What is counted of sends that are made, and what rules found of them: in their transaction, behind what makes them. */
import type { Runtime } from '../../../kit/runtime.ts'
import type { Tx } from '../../../store/engine/session.ts'
import { addSentCodes, addSentTexts, countPartDigits, type SendCount } from '../../../store/protection/addedCount.ts'
import { addCodeFindings, addTextFindings, type FoundOfSend } from '../../../store/protection/finding.ts'
import type { KeptFinding, Mode } from '../../../store/schema/schema.ts'

interface CountedDraft {
  accountId: string
  mode: Mode
  id: string
  at: Date
  phone: string
  counted?: readonly SendCount[]
  findings?: readonly KeptFinding[]
}

/** Counts those of the codes of this transaction that are made. Goes with the commit, behind them. */
export function countSentCodes(tx: Tx, drafts: readonly CountedDraft[], runtime: Pick<Runtime, 'randomDigits'>): void {
  const part = countPartOf(runtime)
  addSentCodes(tx, drafts, part)
  addCodeFindings(tx, foundOf(drafts), part)
}

/** The same for texts that another system wrote. */
export function countSentTexts(tx: Tx, drafts: readonly CountedDraft[], runtime: Pick<Runtime, 'randomDigits'>): void {
  const part = countPartOf(runtime)
  addSentTexts(tx, drafts, part)
  addTextFindings(tx, foundOf(drafts), part)
}

function foundOf(drafts: readonly CountedDraft[]): FoundOfSend[] {
  return drafts.flatMap(({ findings = [], accountId, mode, at, phone, id }) =>
    findings.map(({ rule, did }) => ({ accountId, mode, at, rule, did, phone, messageId: id })),
  )
}

/** The part of slots that a transaction adds to. */
export function countPartOf(runtime: Pick<Runtime, 'randomDigits'>): number {
  return Number(runtime.randomDigits(countPartDigits))
}
