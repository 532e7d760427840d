/** What an account knows of the opt-outs of phones, and tells: by requests of its own. */
import type { ErrorCodeOf } from '../../../contract/operation.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import type { Tx } from '../../../store/engine/session.ts'
import { type Group as GroupOf, isAnyOpen } from '../../../store/engine/step.ts'
import type { OptOutCategory } from '../../../store/schema/requestSchema.ts'
import type { KnownOptOut } from '../../../store/sending/optOut.ts'
import type { Caller } from '../../access/authentication.ts'
import type { Idempotency, Keyed, KeyedOutcome } from '../idempotency.ts'
import type { LookUpPhone } from '../phone.ts'
import { nameOf, type OptOutNews, type OptOuts } from './optOut.ts'

interface OptOutInput extends Keyed {
  caller: Caller
  phone: string
  /** What it opts out of, by default `all`. */
  category?: OptOutCategory | undefined
}

/** Of a phone: how it stands now. */
export type OptOutState = { isOptedOut: false } | ({ isOptedOut: true } & KnownOptOut)

/** Each also has an outcome for a phone that is in that state already. */
export interface OptOutChanges {
  add: (input: OptOutInput) => Promise<KeyedOutcome<OptOutState, ErrorCodeOf<'addOptOut'>>>
  remove: (input: OptOutInput) => Promise<KeyedOutcome<OptOutState, ErrorCodeOf<'removeOptOut'>>>
  find: (input: OptOutInput) => Promise<KeyedOutcome<OptOutState, ErrorCodeOf<'findOptOut'>>>
}

export interface OptOutChangesParts {
  idempotency: Idempotency
  optOuts: Pick<OptOuts, 'keyOf' | 'add' | 'remove' | 'find'>
  policy: { lookUpPhone: LookUpPhone }
  runtime: Pick<Runtime, 'now'>
}

type Draft = OptOutNews & Keyed

export function createOptOutChanges({ idempotency, optOuts, policy, runtime }: OptOutChangesParts): OptOutChanges {
  /** @param work for phones that differ from each other */
  const operation = (work: (tx: Tx, drafts: readonly Draft[]) => Promise<OptOutState[]>) => {
    const submit = idempotency.share<Draft, OptOutState>({
      conflictOf: (draft) => nameOf(optOuts.keyOf(draft)),
      ownerOf: ({ accountId }) => accountId,
      steps: () => {
        const { claimKeys, keepAnswers } = idempotency.steps()
        const decide = async (tx: Tx, group: GroupOf<Draft, OptOutState>) => {
          const drafts = group.open()
          for (const [place, state] of (await work(tx, drafts)).entries()) group.decide(drafts[place]!, state)
        }
        return [claimKeys, { isNeeded: isAnyOpen, run: decide }, keepAnswers]
      },
    })
    return async ({ caller: { accountId, mode }, phone, category, once }: OptOutInput) => {
      const found = policy.lookUpPhone(phone)
      // What may not be sent to today, may be tomorrow: its opt-out holds then.
      if (found instanceof Problem && isInvalid(found)) return idempotency.refuse({ once }, found)
      return submit({ accountId, mode, phone, category, source: 'api', once, at: runtime.now() })
    }
  }
  return {
    add: operation(async (tx, drafts) => {
      return (await optOuts.add(tx, drafts)).map(stateOf)
    }),
    remove: operation(async (tx, drafts) => {
      await optOuts.remove(tx, drafts)
      return drafts.map(() => stateOf(undefined))
    }),
    find: operation(async (tx, drafts) => (await optOuts.find(tx, drafts)).map(stateOf)),
  }
}

function stateOf(known: KnownOptOut | undefined): OptOutState {
  return known ? { isOptedOut: true, ...known } : { isOptedOut: false }
}

function isInvalid(problem: Problem): problem is Problem<'invalid_phone'> {
  return problem.code === 'invalid_phone'
}
