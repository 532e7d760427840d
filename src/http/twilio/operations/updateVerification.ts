import { scopesOfEnds } from '../../../contract/twilioDocument.ts'
import type { Checked } from '../../../domain/sending/checks/verificationAttempt.ts'
import type { Cancelled } from '../../../domain/sending/checks/verificationCheck.ts'
import { Problem } from '../../../kit/problem.ts'
import { requireScope } from '../../api/admission.ts'
import { retold, type TwilioHandler, type TwilioReply } from '../handler.ts'
import { findEnd, findNamed, type ToldVerification, toldOf, toVerification } from '../verification.ts'

export const updateVerification: TwilioHandler<'updateVerification', ToldVerification> = {
  act: async ({ body: { Status: end }, path, caller, once }, { verifications }) => {
    const scope = scopesOfEnds[end]
    if (scope !== undefined) requireScope(caller, scope)
    const found = await findNamed(verifications, caller, path.Sid)
    if (!found) return verifications.notFound({ once })
    const input = { caller, id: found.id }
    if (end === 'canceled')
      return retold(
        { once },
        (keyed) => verifications.cancel({ ...input, ...keyed }),
        ({ cancelled, at }: Cancelled) =>
          cancelled ? toldOf(caller, found, 'canceled', at) : new Problem('verification_not_found'),
      )
    return retold(
      { once },
      (keyed) => verifications.approve({ ...input, ...keyed }),
      (checked: Checked) =>
        checked.verified ? toldOf(caller, found, 'approved', checked.at) : findEnd(checked, found.expiresAt),
    )
  },

  reply: (told): TwilioReply<'updateVerification'> => ({ status: 200, data: toVerification(told) }),
}
