/**
 * Authgear and its webhook for SMS, from the sources in https://github.com/authgear/authgear-server: `pkg/lib/hook/hook_web.go` signs,
 * `pkg/lib/infra/sms/custom` has the body and reads the answer.
 */
import { createHmac } from 'node:crypto'
import { type Answer, goJson, type Post, send } from './post.ts'

export interface AuthgearSms {
  /** "Webhook Signature" of its portal. */
  secret: string
  to: string
  body: string
  code?: string
  language?: string
}

export function authgearPost({ secret, to, body: text, code, language = 'en' }: AuthgearSms): Post {
  const body = goJson({
    ...{ to, body: text, app_id: 'acme', template_name: 'verification_sms.txt', language_tag: language },
    template_variables: { app_name: 'Acme', ...(code && { code }), host: 'acme.authgear.cloud', phone: to },
  })
  const signature = authgearSignature(secret, body)
  return { headers: { 'content-type': 'application/json', 'x-authgear-body-signature': signature }, body }
}

export function authgearSignature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

/** @returns the reason that people see an error for; undefined when the code counts as sent */
export async function authgearSends(url: string, sms: AuthgearSms): Promise<string | undefined> {
  return authgearReads(await send(url, authgearPost(sms)))
}

const reasons: Record<string, string> = {
  invalid_phone_number: 'SMSGatewayInvalidPhoneNumber',
  rate_limited: 'SMSGatewayRateLimited',
  unsupported_request: 'SMSGatewayUnsupportedRequest',
  authentication_failed: 'SMSGatewayAuthenticationFailed',
  delivery_rejected: 'SMSGatewayDeliveryRejected',
  timeout: 'SMSGatewayTimeout',
}

/** The status counts only where the body is no JSON object. */
function authgearReads({ status, text }: Answer): string | undefined {
  try {
    const { code = '' } = JSON.parse(text) as { code?: string }
    return code === 'ok' ? undefined : (reasons[code] ?? 'UnexpectedError')
  } catch {
    return status >= 200 && status < 300 ? undefined : 'UnexpectedError'
  }
}
