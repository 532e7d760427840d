import { Problem } from '../../../kit/problem.ts'
import type { TwilioHandler, TwilioReply } from '../handler.ts'
import { findNamed, type ToldVerification, toldOf, toVerification } from '../verification.ts'

export const fetchVerification: TwilioHandler<'fetchVerification', ToldVerification> = {
  act: async ({ path, caller }, { verifications }) => {
    const found = await findNamed(verifications, caller, path.Sid)
    if (!found?.isOpen) return new Problem('verification_not_found')
    return toldOf(caller, found, found.hasAttempts ? 'pending' : 'max_attempts_reached', found.statusAt)
  },

  reply: (told): TwilioReply<'fetchVerification'> => ({ status: 200, data: toVerification(told) }),
}
