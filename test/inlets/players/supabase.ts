/**
 * Supabase Auth and its "Send SMS" hook, from the sources in https://github.com/supabase/auth: `internal/hooks/hookshttp` posts,
 * `internal/hooks/v0hooks` has the body, `internal/hooks/hookserrors` reads the answer.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { type Answer, goJson, type Post, send } from './post.ts'

export interface SupabaseHook {
  /** As its settings hold them: `v1,whsec_…`. */
  secrets: readonly string[]
  userId: string
  /** Without a plus: `formatPhoneNumber` takes it away. */
  phone: string
  otp: string
  /** Where the person asks from. */
  ip?: string
  now: Date
}

/** One try, with an id of its own. */
export function supabasePost(hook: SupabaseHook, id: string = randomUUID()): Post {
  const seconds = Math.floor(hook.now.getTime() / 1000)
  const body = supabaseBody(hook)
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': supabaseSignature(hook.secrets, `${id}.${seconds}.${body}`),
      'accept-encoding': 'identity',
    },
    body,
  }
}

/** Standard Webhooks has a space between signatures; here it is a comma and a space. */
export function supabaseSignature(secrets: readonly string[], signed: string): string {
  const sign = (secret: string) => {
    const key = Buffer.from(secret.replace('v1,', '').replace('whsec_', ''), 'base64')
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  }
  return secrets.map(sign).join(', ')
}

function supabaseBody({ userId, phone, otp, ip, now }: SupabaseHook): string {
  const at = now.toISOString()
  return goJson({
    metadata: { uuid: randomUUID(), time: at, name: 'send-sms', ...(ip && { ip_address: ip }) },
    user: {
      ...{ id: userId, aud: 'authenticated', role: 'authenticated', email: '', phone, confirmation_sent_at: at },
      ...{ app_metadata: { provider: 'phone', providers: ['phone'] }, user_metadata: {}, identities: [] },
      ...{ created_at: at, updated_at: at, is_anonymous: false },
    },
    sms: { otp, phone },
  })
}

/** What the person's app gets from Supabase. */
export interface SupabaseOutcome {
  status: number
  message?: string
  /** How often the hook was posted. */
  tries: number
}

/** Up to three tries, at once one after the other: it asks for `Retry-After`, and does not wait for it. */
export async function supabaseSends(url: string, hook: SupabaseHook): Promise<SupabaseOutcome> {
  const tries = 3
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const answer = await send(url, supabasePost(hook))
    const isLater = answer.status === 429 || answer.status === 503
    if (isLater && answer.headers.get('retry-after')) continue
    return { ...supabaseReads(answer), tries: attempt }
  }
  return { status: 500, message: 'Service currently unavailable due to hook', tries }
}

function supabaseReads({ status, headers, text }: Answer): { status: number; message?: string } {
  if (![200, 202, 204].includes(status)) return { status: 500, message: `hook answered ${status}` }
  const type = headers.get('content-type')
  if (type === null) return status === 204 ? { status: 200 } : { status: 400, message: 'Missing Content-Type header' }
  if (type.split(';')[0]!.trim() !== 'application/json') return { status: 400, message: 'Invalid JSON response' }
  const { error } = JSON.parse(text) as { error?: { http_code?: number; message?: string } }
  if (!error?.message) return { status: 200 }
  return { status: error.http_code || 500, message: error.message }
}
