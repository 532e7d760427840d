/** Logto and its HTTP SMS connector, from the source: `packages/connectors/connector-http-sms` in https://github.com/logto-io/logto. */
import { type Post, send } from './post.ts'

export interface LogtoMessage {
  /** What the connector's settings have as `authorization`: the whole header. */
  authorization: string
  /** Logto keeps phones without their plus. */
  to: string
  type?: 'SignIn' | 'Register' | 'ForgotPassword' | 'OrganizationInvitation'
  payload: { code?: string; link?: string; locale?: string; uiLocales?: string }
  ip?: string
}

export function logtoPost({ authorization, to, type = 'SignIn', payload, ip }: LogtoMessage): Post {
  return {
    headers: {
      authorization,
      'content-type': 'application/json',
      'user-agent': 'got (https://github.com/sindresorhus/got)',
    },
    body: JSON.stringify({ to, type, payload, ...(ip && { ip }) }),
  }
}

/** @returns what Logto's API answers its page with; undefined when the code counts as sent. `got` repeats no POST */
export async function logtoSends(
  url: string,
  message: LogtoMessage,
): Promise<{ code: string; data: string } | undefined> {
  const { status, text } = await send(url, logtoPost(message))
  return status >= 200 && status < 300 ? undefined : { code: 'connector.general', data: text }
}
