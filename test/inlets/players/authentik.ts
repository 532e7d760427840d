/**
 * authentik and the generic provider of its SMS stage, from the source: `authentik/stages/authenticator_sms/models.py` in
 * https://github.com/goauthentik/authentik.
 */
import { type Post, send } from './post.ts'

export interface AuthentikSms {
  /** "Bearer" or "Basic" in the stage, with what is typed into its fields. */
  auth: { token: string } | { user: string; password: string }
  from?: string
  /** As the person typed it. */
  to: string
  token: string
}

export function authentikPost({ auth, from = 'Acme', to, token }: AuthentikSms): Post {
  const authorization =
    'token' in auth
      ? `Bearer ${auth.token}`
      : `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString('base64')}`
  return {
    headers: { authorization, 'content-type': 'application/json', 'user-agent': 'authentik@2026.10.0' },
    body: JSON.stringify({
      ...{ From: from, To: to, Body: token, Message: `Use this code to authenticate in authentik: ${token}` },
    }),
  }
}

/** @returns what the person reads below the field; undefined when the code counts as sent */
export async function authentikSends(url: string, sms: AuthentikSms): Promise<string | undefined> {
  const { status, text } = await send(url, authentikPost(sms))
  return status >= 400 ? text : undefined
}
