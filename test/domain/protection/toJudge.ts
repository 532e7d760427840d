/** Sends that are about to be made, as `createJudgements` asks for them. */
import type { SendToJudge } from '../../../src/domain/protection/judging/judgement.ts'
import { newPhone } from '../../support/server.ts'

type Given = Pick<SendToJudge, 'accountId' | 'mode' | 'at' | 'inForce'> & Partial<SendToJudge>

/** Of one user, to somebody new. */
export function sendToJudge(given: Given): SendToJudge {
  return {
    ...{ phone: newPhone(), signals: { user: 'eve' } },
    judging: { numberKind: 'MOBILE', address: undefined },
    ...given,
  }
}
