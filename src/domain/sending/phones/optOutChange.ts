/** What an account knows of the opt-outs of phones, and tells: by requests of its own. */
import type { ErrorCodeOf } from '../../../contract/operation.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import type { Tx } from '../../../store/engine/session.ts'
import { type Group as GroupOf, isAnyOpen } from '../../../store/engine/step.ts'
import {
  deleteOptOuts,
  findOptOuts,
  type KnownOptOut,
  type OptOutKey,
  recordOptOuts,
} from '../../../store/sending/optOut.ts'
import type { Caller } from '../../access/authentication.ts'
import type { Idempotency, Keyed, KeyedOutcome } from '../idempotency.ts'
import type { LookUpPhone } from '../phone.ts'
import type { OptOuts } from './optOut.ts'

interface OptOutInput extends Keyed {
  caller: Caller
  phone: string
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
  optOuts: Pick<OptOuts, 'keyOf'>
  policy: { lookUpPhone: LookUpPhone }
  runtime: Pick<Runtime, 'now'>
}

type Draft = OptOutKey & Keyed & { at: Date }

export function createOptOutChanges({ idempotency, optOuts, policy, runtime }: OptOutChangesParts): OptOutChanges {
  /** @param work for phones that differ from each other */
  const operation = (work: (tx: Tx, drafts: readonly Draft[]) => Promise<OptOutState[]>) => {
    const submit = idempotency.share<Draft, OptOutState>({
      conflictOf: ({ accountId, mode, phoneHash }) => `${accountId} ${mode} ${phoneHash}`,
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
    return async ({ caller: { accountId, mode }, phone, once }: OptOutInput) => {
      const found = policy.lookUpPhone(phone)
      // What may not be sent to today, may be tomorrow: its opt-out holds then.
      if (found instanceof Problem && isInvalid(found)) return idempotency.refuse({ once }, found)
      return submit({ ...optOuts.keyOf({ accountId, mode, phone }), once, at: runtime.now() })
    }
  }
  return {
    add: operation(async (tx, drafts) => {
      const rows = drafts.map(({ at, ...key }) => ({ ...key, category: 'all', source: 'api', since: at }) as const)
      return (await recordOptOuts(tx, rows)).map(stateOf)
    }),
    remove: operation(async (tx, drafts) => {
      await deleteOptOuts(tx, drafts)
      return drafts.map(() => stateOf(undefined))
    }),
    find: operation(async (tx, drafts) => (await findOptOuts(tx, drafts)).map(stateOf)),
  }
}

function stateOf(known: KnownOptOut | undefined): OptOutState {
  return known ? { isOptedOut: true, ...known } : { isOptedOut: false }
}

function isInvalid(problem: Problem): problem is Problem<'invalid_phone'> {
  return problem.code === 'invalid_phone'
}
