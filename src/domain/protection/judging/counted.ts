/** What rules found of sends that are made: in their transaction, behind what makes them. */
import type { Runtime } from '../../../kit/runtime.ts'
import type { Tx } from '../../../store/engine/session.ts'
import { addCodeFindings, addTextFindings, type FoundOfSend, partDigits } from '../../../store/protection/finding.ts'
import type { KeptFinding, Mode } from '../../../store/schema/schema.ts'

interface CountedDraft {
  accountId: string
  mode: Mode
  id: string
  at: Date
  phone: string
  findings?: readonly KeptFinding[]
}

/** Counts what was found of those codes of this transaction that are made. Goes with the commit, behind them. */
export function countSentCodes(tx: Tx, drafts: readonly CountedDraft[], runtime: Pick<Runtime, 'randomDigits'>): void {
  const part = countPartOf(runtime)
  addCodeFindings(tx, foundOf(drafts), part)
}

/** The same for texts that another system wrote. */
export function countSentTexts(tx: Tx, drafts: readonly CountedDraft[], runtime: Pick<Runtime, 'randomDigits'>): void {
  const part = countPartOf(runtime)
  addTextFindings(tx, foundOf(drafts), part)
}

function foundOf(drafts: readonly CountedDraft[]): FoundOfSend[] {
  return drafts.flatMap(({ findings = [], accountId, mode, at, phone, id }) =>
    findings.map(({ rule, did }) => ({ accountId, mode, at, rule, did, phone, messageId: id })),
  )
}

/** The part of slots that a transaction adds to. */
export function countPartOf(runtime: Pick<Runtime, 'randomDigits'>): number {
  return Number(runtime.randomDigits(partDigits))
}
