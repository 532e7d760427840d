/** Signs reports as providers do, by the scheme that a provider file names. */
import { createHash, createHmac, randomUUID, sign as signWith } from 'node:crypto'
import type { ProviderFile } from '../../delivery/channels/sms/providerFile.ts'
import { type Secrets, settingIn, toSigningKey } from './secrets.ts'

type Signature = NonNullable<ProviderFile['report']>['signature']

/** A report as it is sent, but for its signature. */
export interface Unsigned {
  url: string
  /** In its encoding; empty for what is asked. */
  body: string
}

/** What a scheme adds, in this order. */
export interface Sign {
  /** To the fields of a report, before they are encoded. */
  fields: (fields: Record<string, string>) => Record<string, string>
  /** The address, with what is added to that. */
  address: (report: Unsigned & { isForm: boolean }) => string
  headers: (report: Unsigned) => Record<string, string>
}

/** @param forged under a key that is not the connection's */
export function createSign(
  signature: Signature,
  secrets: Secrets,
  { now, forged }: { now: Date; forged: boolean },
): Sign {
  const { scheme } = signature
  const secret = scheme === 'url-token' ? '' : `${forged ? 'not ' : ''}${secrets.secretOf(settingIn(signature.key))}`
  return {
    fields: (fields) => (scheme === 'sorted-params' ? sortedSignature(signature, secret, { fields, now }) : {}),
    // Twilio names the hash of what is no form in the address, and signs that.
    address: ({ url, body, isForm }) => {
      if (scheme !== 'twilio' || isForm) return url
      return `${url}${url.includes('?') ? '&' : '?'}bodySHA256=${sha256(body)}`
    },
    headers: (report) =>
      scheme === 'url-token' ? {} : signers[scheme](signature as never, secret, { ...report, now }),
  }
}

type Scheme = Exclude<Signature['scheme'], 'url-token'>
type Of<Name extends Scheme> = Extract<Signature, { scheme: Name }>
type Signers = { [Name in Scheme]: (of: Of<Name>, secret: string, report: Dated) => Record<string, string> }
type Dated = Unsigned & { now: Date }

const signers: Signers = {
  'standard-webhooks': (_of, secret, { body, now }) => {
    const [id, timestamp] = [`msg_${randomUUID()}`, secondsOf(now)]
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${digest}` }
  },
  twilio: (_of, secret, { url, body }) => {
    const form = url.includes('bodySHA256=') ? [] : sorted(body)
    const text = url + form.flat().join('')
    return { 'X-Twilio-Signature': createHmac('sha1', secret).update(text).digest('base64') }
  },
  // It is among the fields.
  'sorted-params': () => ({}),
  'plivo-v3': (_of, secret, { url, body }) => {
    const nonce = randomUUID()
    const { origin, pathname, search } = new URL(url)
    const query = sorted(search).map(([name, value]) => `${name}=${value}`)
    // As Plivo's own libraries set the marks.
    const form = sorted(body).flat().join('')
    const marks = { before: query.length > 0 || form ? '?' : '', between: query.length > 0 && form ? '.' : '' }
    const text = `${origin}${pathname}${marks.before}${query.join('&')}${marks.between}${form}`
    const digest = createHmac('sha256', secret).update(`${text}.${nonce}`).digest('base64')
    return { 'X-Plivo-Signature-V3': digest, 'X-Plivo-Signature-V3-Nonce': nonce }
  },
  hmac: ({ hash, encoding, prefix = '', header, member, ...of }, secret, report) => {
    const { headers, members, text } = signedText(of, report)
    const digest = prefix + createHmac(hash, secret).update(text).digest(encoding)
    if (member === undefined) return { ...headers, [header]: digest }
    const list = Object.entries({ ...members, [member]: digest }).map(([name, value]) => `${name}=${value}`)
    return { ...headers, [header]: list.join(',') }
  },
  ed25519: ({ header, ...of }, secret, report) => {
    const { headers, text } = signedText(of, report)
    return { ...headers, [header]: signWith(null, Buffer.from(text), toSigningKey(secret)).toString('base64') }
  },
  'jwt-body': ({ header, issuer, prefix = '' }, secret, { url, body, now }) => {
    const seconds = Math.floor(now.getTime() / 1000)
    const claims = {
      ...(issuer !== undefined && { iss: issuer }),
      nbf: seconds,
      exp: seconds + 60,
      jti: randomUUID(),
      url_hash: sha256(url),
      ...(body !== '' && { payload_hash: sha256(body) }),
    }
    return { [header]: prefix + signToken(claims, secret) }
  },
  jwt: ({ header, issuer, prefix = '' }, secret, { url, now }) => {
    const seconds = Math.floor(now.getTime() / 1000)
    const claims = {
      ...(issuer !== undefined && { iss: issuer }),
      ...{ aud: url, iat: seconds, nbf: seconds - 600, exp: seconds + 600 },
    }
    return { [header]: prefix + signToken(claims, secret) }
  },
}

function signToken(claims: object, secret: string): string {
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

function sortedSignature(
  { hash }: Of<'sorted-params'>,
  secret: string,
  { fields, now }: { fields: Record<string, string>; now: Date },
): Record<string, string> {
  const timestamp = secondsOf(now)
  const text = sorted(new URLSearchParams({ ...fields, timestamp }))
    .map(([name, value]) => `&${name}=${value.replace(/[&=]/g, '_')}`)
    .join('')
  const sig = hash === 'md5hash' ? createHash('md5').update(text + secret) : createHmac(hash, secret).update(text)
  return { timestamp, sig: sig.digest('hex') }
}

/** Fills the headers that are signed too, and the members of that of the signature: the time, and a word that comes once for each other one. */
function signedText({ over, timestamp }: { over: string; timestamp?: string | undefined }, { url, body, now }: Dated) {
  const made = (name: string) => (name === timestamp ? secondsOf(now) : randomUUID())
  const listValues = (kind: string) => {
    const names = Array.from(over.matchAll(new RegExp(`\\{${kind}:([A-Za-z0-9-]+)\\}`, 'g')), ([, name = '']) =>
      name.toLowerCase(),
    )
    return Object.fromEntries(names.map((name) => [name, made(name)]))
  }
  const [headers, members] = [listValues('header'), listValues('member')]
  const text = over.replace(/\{(body|url|(?:header|member):[A-Za-z0-9-]+)\}/g, (_whole, what: string) => {
    if (what === 'body') return body
    if (what === 'url') return url
    const [kind, name = ''] = what.toLowerCase().split(':')
    return (kind === 'header' ? headers : members)[name] ?? ''
  })
  return { headers, members, text }
}

function sorted(fields: string | URLSearchParams): [string, string][] {
  return [...new URLSearchParams(fields)].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

function secondsOf(time: Date): string {
  return String(Math.floor(time.getTime() / 1000))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
