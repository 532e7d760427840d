/**
 * Systems that post a few members with names of their own. FusionAuth's generic messenger, from its guide and its example of a
 * request; Casdoor's "Custom HTTP SMS", from `object/sms_custom.go` in https://github.com/casdoor/casdoor; Keycloak with the plug-in
 * https://github.com/netzbegruenung/keycloak-mfa-plugins, from its `ApiSmsService.java`.
 */
import type { Post } from './post.ts'

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const form = 'application/x-www-form-urlencoded'

export interface PlainSms {
  user: string
  password: string
  phone: string
  code: string
}

export function fusionAuthPost({ user, password, phone, code }: PlainSms): Post {
  const text = `Two Factor Code: ${code}`
  return {
    headers: { authorization: basic(user, password), 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ code, phoneNumber: phone, message: text, textMessage: text, type: 'SMS' },
      userId: '00000000-0000-0000-0000-000000000042',
    }),
  }
}

/** Go takes user and password out of the URL. Only the status 200 counts as sent. */
export function casdoorPost({ user, password, phone, code }: PlainSms): Post {
  return {
    headers: { authorization: basic(user, password), 'content-type': form },
    body: new URLSearchParams({ phoneNumber: phone, code }).toString(),
  }
}

/** With `urlencode`: in its JSON, nothing is escaped. The code is in the text alone. */
export function keycloakPost({ user, password, phone, code }: PlainSms): Post {
  const text = `Your SMS code is "${code}" and is valid for 5 minutes.`
  return {
    headers: { authorization: basic(user, password), 'content-type': form },
    body: new URLSearchParams({ text, phone, from: 'Acme' }).toString(),
  }
}
