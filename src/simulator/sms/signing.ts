/** Signs reports as providers do, by the scheme that a provider file names. */
import { createHash, createHmac, randomUUID, sign as signWith } from 'node:crypto'
import type { ProviderFile } from '../../delivery/channels/sms/providerFile.ts'
import { type Secrets, signingKeyOf } from './secrets.ts'

type Signature = NonNullable<ProviderFile['report']>['signature']

/** A report before it is signed. */
export interface Unsigned {
  url: string
  /** Of a form or a query. */
  fields?: Record<string, string>
  /** Of the whole body, where it is no form. */
  body: string
  now: Date
}

/** What a signature adds. */
export interface Signed {
  headers?: Record<string, string>
  fields?: Record<string, string>
}

/** @param forged under a key that is not the connection's */
export function signatureOf(signature: Signature, secrets: Secrets, report: Unsigned, forged: boolean): Signed {
  if (signature.scheme === 'url-token') return {}
  const secret = `${forged ? 'not ' : ''}${secrets.secretOf(settingIn(signature.key))}`
  return signers[signature.scheme](signature as never, secret, report)
}

/** The setting in `{{s.auth_token}}`. */
export function settingIn(key: string): string {
  return /^\{\{\s*s\.(\w+)\s*\}\}$/.exec(key)?.[1] ?? ''
}

type Scheme = Exclude<Signature['scheme'], 'url-token'>
type Signers = {
  [Name in Scheme]: (of: Extract<Signature, { scheme: Name }>, secret: string, report: Unsigned) => Signed
}

const signers: Signers = {
  'standard-webhooks': (_of, secret, { body, now }) => {
    const [id, timestamp] = [`msg_${randomUUID()}`, secondsOf(now)]
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
    return { headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${digest}` } }
  },
  twilio: (_of, secret, { url, fields }) => {
    const text = url + sorted(fields).flat().join('')
    return { headers: { 'X-Twilio-Signature': createHmac('sha1', secret).update(text).digest('base64') } }
  },
  'sorted-params': ({ hash }, secret, { fields, now }) => {
    const all = { ...fields, timestamp: secondsOf(now) }
    const text = sorted(all)
      .map(([name, value]) => `&${name}=${value.replace(/[&=]/g, '_')}`)
      .join('')
    const sig = hash === 'md5hash' ? createHash('md5').update(text + secret) : createHmac(hash, secret).update(text)
    return { fields: { ...all, sig: sig.digest('hex') } }
  },
  'plivo-v3': (_of, secret, { url, fields }) => {
    const nonce = randomUUID()
    const { origin, pathname, searchParams } = new URL(url)
    const query = sorted(Object.fromEntries(searchParams)).map(([name, value]) => `${name}=${value}`)
    // As Plivo's own libraries set the marks.
    const form = sorted(fields).flat().join('')
    const marks = { before: query.length > 0 || form ? '?' : '', between: query.length > 0 && form ? '.' : '' }
    const text = `${origin}${pathname}${marks.before}${query.join('&')}${marks.between}${form}`
    const digest = createHmac('sha256', secret).update(`${text}.${nonce}`).digest('base64')
    return { headers: { 'X-Plivo-Signature-V3': digest, 'X-Plivo-Signature-V3-Nonce': nonce } }
  },
  hmac: ({ hash, encoding, prefix = '', header, ...of }, secret, report) => {
    const { headers, text } = signedText(of, report)
    return { headers: { ...headers, [header]: prefix + createHmac(hash, secret).update(text).digest(encoding) } }
  },
  ed25519: ({ header, ...of }, secret, report) => {
    const { headers, text } = signedText(of, report)
    return {
      headers: { ...headers, [header]: signWith(null, Buffer.from(text), signingKeyOf(secret)).toString('base64') },
    }
  },
  'jwt-body': ({ header }, secret, { url, body, now }) => {
    const seconds = Math.floor(now.getTime() / 1000)
    const claims = {
      iss: 'MessageBird',
      nbf: seconds,
      exp: seconds + 60,
      jti: randomUUID(),
      url_hash: sha256(url),
      ...(body !== '' && { payload_hash: sha256(body) }),
    }
    const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const prefix = header === 'authorization' ? 'Bearer ' : ''
    return {
      headers: { [header]: `${prefix}${text}.${createHmac('sha256', secret).update(text).digest('base64url')}` },
    }
  },
}

/** Fills the headers that are signed too: the time, and a word that comes once for each other one. */
function signedText(
  { over, timestamp }: { over: string; timestamp?: string | undefined },
  { url, body, now }: Unsigned,
) {
  const headers: Record<string, string> = {}
  for (const [, name = ''] of over.matchAll(/\{header:([A-Za-z0-9-]+)\}/g)) {
    headers[name.toLowerCase()] = name.toLowerCase() === timestamp ? secondsOf(now) : randomUUID()
  }
  const text = over.replace(/\{(body|url|header:[A-Za-z0-9-]+)\}/g, (_whole, what: string) => {
    if (what === 'body') return body
    return what === 'url' ? url : (headers[what.slice('header:'.length).toLowerCase()] ?? '')
  })
  return { headers, text }
}

function sorted(fields: Record<string, string> = {}): [string, string][] {
  return Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1))
}

function secondsOf(time: Date): string {
  return String(Math.floor(time.getTime() / 1000))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
