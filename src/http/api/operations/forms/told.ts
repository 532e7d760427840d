/** What operations tell of messages, as the contract writes it. */
import type { components } from '../../../../../generated/types.ts'
import type { BriefMessage, ToldMessage } from '../../../../domain/sending/message.ts'
import { deliveryErrors } from '../../../../domain/webhooks/deliveryError.ts'
import { toldTemplate } from '../../../../domain/webhooks/madeFrom.ts'

type Schemas = components['schemas']

export function listedMessage(message: BriefMessage): Schemas['ListedMessage'] {
  const { id, kind, status, at, errorCode, createdAt, sendAt, recipient, connection } = message
  const { template, templateVersion: version, templateLocale: locale, reference, findings } = message
  return {
    ...{ id, kind, status, timestamp: at.toISOString() },
    ...errorOf(errorCode),
    ...{ created_at: createdAt.toISOString(), recipient, channel: connection },
    ...(template !== null && { template: toldTemplate({ slug: template, version, locale }) }),
    ...(reference !== null && { reference }),
    ...(sendAt && { send_at: sendAt.toISOString() }),
    ...(findings && { findings: [...findings] }),
  }
}

export function wholeMessage(message: ToldMessage): Schemas['Message'] {
  const { expiresAt, attempts, prices, resendOf } = message
  return {
    ...listedMessage(message),
    ...(expiresAt && { expires_at: expiresAt.toISOString() }),
    ...(resendOf !== null && { resend_of: resendOf }),
    attempts: attempts.map(attemptIn),
    ...(prices.length > 0 && { prices }),
  }
}

function attemptIn({ connection, kind, status, at, errorCode, segments, price }: ToldMessage['attempts'][number]) {
  return {
    ...{ channel: connection, status, timestamp: at.toISOString() },
    ...(kind !== undefined && { kind: kind as Schemas['ChannelKind'] }),
    ...errorOf(errorCode),
    ...(segments !== null && { segments }),
    ...(price && { price }),
  }
}

function errorOf(code: ToldMessage['errorCode']) {
  return code !== null && { error: { code, message: deliveryErrors[code] } }
}
