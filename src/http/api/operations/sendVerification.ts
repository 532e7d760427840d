import type { operations } from '../../../../generated/types.ts'
import type { BodyIn, Reply } from '../../../contract/operation.ts'
import type { Signals } from '../../../domain/sending/signals.ts'
import type { Sent } from '../../../domain/sending/verification.ts'
import type { Handler } from '../handler.ts'

export const sendVerification: Handler<'sendVerification', Sent> = {
  act: ({ body, caller, once }, { verifications }) => {
    const { phone, code, length, brand_name: brandName, locale, channels } = body
    const autofill = body.autofill && { domain: body.autofill.domain, appHash: body.autofill.app_hash }
    const signals = body.signals && toSignals(body.signals)
    return verifications.send({ caller, once, phone, code, length, brandName, locale, channels, autofill, signals })
  },

  reply: ({ id, expiresInSeconds }): Reply<'sendVerification'> => ({
    status: 200,
    data: { request_id: id, status: 'sent', expires_in: expiresInSeconds },
  }),
}

type Given = NonNullable<BodyIn<operations['sendVerification']>['signals']>

function toSignals(given: Given): Signals {
  const { ip, user_id: userId, device_id: deviceId, user_agent: userAgent, platform, app_version: appVersion } = given
  const captcha = given.captcha && { provider: given.captcha.provider, score: given.captcha.score }
  return { ip, userId, deviceId, userAgent, platform, appVersion, trusted: given.trusted, captcha }
}
