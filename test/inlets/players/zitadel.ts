/**
 * Zitadel and its HTTP provider for SMS, from the sources in https://github.com/zitadel/zitadel: `pkg/actions/signing.go` signs,
 * `internal/notification/channels/webhook` posts and reads the answer. The body is that of its guide to notification providers, with
 * the names that `internal/notification/types/otp.go` gives to what a code is about.
 */
import { createHmac } from 'node:crypto'
import { goJson, type Post, send } from './post.ts'

export interface ZitadelNotice {
  /** What `AddSMSProviderHTTP` answered as `signingKey`; two while one is replaced. */
  signingKeys: readonly string[]
  phone: string
  /** Digits for the second factor; for a phone that is new, letters and digits, unless the operator chose digits. */
  code: string
  text: string
  event?: string
  now: Date
}

export function zitadelPost({ signingKeys, now, ...notice }: ZitadelNotice): Post {
  const body = zitadelBody(notice)
  const seconds = Math.floor(now.getTime() / 1000)
  return {
    headers: {
      'content-type': 'application/json',
      'zitadel-signature': zitadelSignature(signingKeys, seconds, body),
    },
    body,
  }
}

export function zitadelSignature(signingKeys: readonly string[], seconds: number, body: string): string {
  const sign = (key: string) => `v1=${createHmac('sha256', key).update(`${seconds}.`).update(body).digest('hex')}`
  return [`t=${seconds}`, ...signingKeys.map(sign)].join(',')
}

function zitadelBody({
  phone,
  code,
  text,
  event = 'session.otp.sms.challenged',
}: Omit<ZitadelNotice, 'signingKeys' | 'now'>) {
  return goJson({
    contextInfo: {
      eventType: event,
      provider: { id: '285181292935381355', description: 'Watchword' },
      recipientPhoneNumber: phone,
    },
    templateData: { title: 'Zitadel - One Time Password', text, primaryColor: '#5469d4', fontFamily: 'Arial' },
    args: {
      ...{ changeDate: '2026-11-24T15:00:00.73237+02:00', code, creationDate: '2026-11-24T15:00:00.73237+02:00' },
      ...{ displayName: 'Minnie Mouse', domain: 'id.acme.com', expiry: 300_000_000_000, firstName: 'Minnie' },
      ...{ lastEmail: 'minnie@acme.com', lastName: 'Mouse', lastPhone: phone, loginNames: ['minnie'], nickName: '' },
      ...{ oTP: code, origin: 'https://id.acme.com', preferredLoginName: 'minnie', userName: 'minnie' },
      ...{ verifiedEmail: 'minnie@acme.com', verifiedPhone: phone },
    },
  })
}

/** @returns what Zitadel writes into its log; undefined when the code counts as sent. The person sees neither */
export async function zitadelSends(url: string, notice: ZitadelNotice): Promise<string | undefined> {
  const { status } = await send(url, zitadelPost(notice))
  return status >= 200 && status < 300 ? undefined : `calling url ${url} returned ${status}`
}
