/** A system that posts to inlets as Supabase Auth does. */
import { randomUUID } from 'node:crypto'
import { defaultAccount } from '../../src/domain/access/account.ts'
import type { TestServer } from '../support/server.ts'
import { supabasePost, supabaseSignature } from './players/supabase.ts'

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

/** The body of a try, as gotrue writes it. */
export function bodyOf({ phone, code, user = randomUUID(), ip = '203.0.113.7' }: Hook): string {
  const now = new Date('2026-11-24T15:25:39Z')
  return supabasePost({ secrets: [], userId: user, phone: phone.replace('+', ''), otp: code, ip, now }).body
}

/** One try, with an id of its own. */
export function signedAt(now: Date, body: string, used: readonly string[] = [keys[0]]): Record<string, string> {
  const [id, seconds] = [randomUUID(), String(Math.floor(now.getTime() / 1000))]
  const signature = supabaseSignature(used.map(secretOf), `${id}.${seconds}.${body}`)
  return {
    'content-type': 'application/json',
    ...{ 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature },
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
