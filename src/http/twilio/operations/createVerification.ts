import { codeLengthStandard } from '../../../contract/document.ts'
import { kindsOfChannel } from '../../../contract/twilioDocument.ts'
import { messageIdPrefix } from '../../../domain/sending/messageId.ts'
import type { Sent } from '../../../domain/sending/verification.ts'
import { Problem } from '../../../kit/problem.ts'
import { ulidTime } from '../../../kit/runtime.ts'
import { retold, type TwilioHandler, type TwilioReply } from '../handler.ts'
import { signalsIn } from '../signals.ts'
import { phoneIn } from '../typed.ts'
import { type ToldVerification, toChannel, toVerification } from '../verification.ts'

export const createVerification: TwilioHandler<'createVerification', ToldVerification> = {
  act: async ({ body, caller, once }, { verifications }) => {
    const signals = signalsIn(body)
    if (signals instanceof Problem) return signals
    const phone = phoneIn(body.To)
    if (phone instanceof Problem) return phone
    const { Channel: channel, CustomFriendlyName: brandName, CustomCode: code, AppHash: appHash } = body
    const autofill = appHash === undefined ? undefined : { appHash }
    const wanted = {
      phone,
      code,
      brandName,
      locale: body.Locale,
      autofill,
      signals,
      kinds: kindsOfChannel.get(channel),
    }
    const tell = ({ id, kind }: Sent): ToldVerification => ({
      accountId: caller.accountId,
      ...{ id, phone, status: 'pending' },
      channel: channel === 'auto' ? toChannel(kind) : channel,
      updatedAt: ulidTime(id.slice(messageIdPrefix.length)),
    })
    return retold(
      { once },
      (keyed) => verifications.send({ caller, ...keyed, length: codeLengthStandard, ...wanted }),
      tell,
    )
  },

  reply: (told): TwilioReply<'createVerification'> => ({ status: 201, data: toVerification(told) }),
}
