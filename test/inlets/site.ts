/** A system that posts to inlets as Supabase Auth does. */
import { createHmac, randomUUID } from 'node:crypto'
import { defaultAccount } from '../../src/domain/access/account.ts'
import type { TestServer } from '../support/server.ts'

export const keys = ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'C2FVsBQIhrscChlQIMV+b5sSYspob7oDQ8Yb4Xh+'] as const
export const secretOf = (key: string) => `v1,whsec_${key}`

export const entry = (changes: object = {}) => ({
  ...{ id: 'supabase-prod', kind: 'supabase', mode: 'live', secret: secretOf(keys[0]), brand_name: 'Acme' },
  ...changes,
})

export async function applyInlets(server: TestServer, ...entries: object[]): Promise<string> {
  const { id } = await server.app.accounts.require(defaultAccount)
  await server.app.inlets.apply(id, entries)
  return id
}

export interface Hook {
  phone: string
  code: string
  user?: string
  ip?: string
}

/** The body as gotrue writes it: phones have no plus. */
export function bodyOf({ phone, code, user = randomUUID(), ip = '203.0.113.7' }: Hook): string {
  const bare = phone.replace('+', '')
  return JSON.stringify({
    metadata: { uuid: randomUUID(), time: '2026-11-24T15:25:39.123Z', name: 'send-sms', ip_address: ip },
    user: { id: user, aud: 'authenticated', role: 'authenticated', email: '', phone: bare },
    sms: { otp: code, sms_type: 'sms', phone: bare },
  })
}

/** One try, signed as `internal/hooks/hookshttp` of gotrue signs: a new id for each, several signatures joined by a comma and a space. */
export function signedAt(now: Date, body: string, used: readonly string[] = [keys[0]]): Record<string, string> {
  const [id, seconds] = [randomUUID(), Math.floor(now.getTime() / 1000)]
  const sign = (key: string) =>
    `v1,${createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${seconds}.`).update(body).digest('base64')}`
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': used.map(sign).join(', '),
  }
}

export async function post(
  server: TestServer,
  body: string,
  {
    headers,
    inlet = 'supabase-prod',
    account,
  }: { headers?: Record<string, string>; inlet?: string; account?: string } = {},
) {
  const { id } = await server.app.accounts.require(defaultAccount)
  const response = await fetch(`${server.directUrl}/inlets/${account ?? id}/${inlet}`, {
    method: 'POST',
    headers: headers ?? signedAt(server.runtime.now(), body),
    body,
  })
  const text = await response.text()
  const { status, headers: got } = response
  return { status, type: got.get('content-type'), retryAfter: got.get('retry-after'), text, headers: got }
}
