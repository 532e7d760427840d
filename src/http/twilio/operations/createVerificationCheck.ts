import type { Caller } from '../../../domain/access/authentication.ts'
import type { Checked } from '../../../domain/sending/checks/verificationAttempt.ts'
import { onePhone } from '../../../domain/sending/phoneForm.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Services } from '../../api/handler.ts'
import { retold, type TwilioHandler, type TwilioReply } from '../handler.ts'
import { codeIn, phoneIn } from '../typed.ts'
import { findEnd, findNamed, type ToldVerification, toldOf, toMembers } from '../verification.ts'

export const createVerificationCheck: TwilioHandler<'createVerificationCheck', ToldVerification> = {
  act: async ({ body: { Code: typed, To: written, VerificationSid: sid }, caller, once }, { verifications }) => {
    if (written === undefined && sid === undefined) return neither()
    const phone = written === undefined ? undefined : phoneIn(written)
    if (phone instanceof Problem) return phone
    const code = codeIn(typed)
    if (code instanceof Problem) return code
    const found = await findAsked(verifications, caller, { phone, sid })
    if (!found) return verifications.notFound({ once })
    // As it was asked for: a phone can have two numbers.
    const asked = { ...found, phone: phone ?? found.phone }
    return retold(
      { once },
      (keyed) => verifications.check({ caller, id: found.id, code, ...keyed }),
      (checked: Checked) => {
        if (checked.verified) return toldOf(caller, asked, 'approved', checked.at)
        if ('wasOver' in checked) return findEnd(checked, found.expiresAt)
        return toldOf(caller, asked, 'pending', checked.at)
      },
    )
  },

  reply: (told): TwilioReply<'createVerificationCheck'> => ({
    status: 200,
    data: { ...toMembers(told), sna_attempts_error_codes: null },
  }),
}

/** With both, the verification has to be for that phone. */
async function findAsked(
  verifications: Services['verifications'],
  caller: Caller,
  { phone, sid }: { phone: string | undefined; sid: string | undefined },
) {
  const found = await findNamed(verifications, caller, sid ?? phone ?? '')
  return sid !== undefined && phone !== undefined && found?.phone !== onePhone(phone) ? undefined : found
}

function neither(): Problem<'invalid_request'> {
  const message = 'is required, or VerificationSid'
  return new Problem('invalid_request', { details: [{ field: '/To', code: 'missing', message }] })
}
