/** How a provider signs its reports, as its file says. */
import { z } from 'zod'
import { headerForm as header, textForm as text } from '../forms.ts'

/** `{{s.<setting>}}`: the setting may be a list of two while a key is replaced, and both are good then. */
const key = text.regex(/^\{\{\s*s\.[a-z][a-z0-9_]{0,31}\s*\}\}$/, 'must be one setting, like {{s.auth_token}}')
/** Seconds that a report may be old, or ahead of our clock. */
const tolerance = z.int().min(1).max(3600).default(300)
/** `{body}` is the raw body, `{url}` the whole URL, `{header:<name>}` a header, `{member:<name>}` a part of the signature's. */
const over = text
  .refine((value) => value.includes('{body}'), 'must have {body}: else anything could be signed')
  .refine(
    (value) => !/[{}]/.test(value.replace(/\{(?:body|url|(?:header|member):[A-Za-z0-9-]{1,100})\}/g, '')),
    'must have no other placeholders than {body}, {url}, {header:<name>} and {member:<name>}',
  )

/** Without its key. */
export const hmacForm = z.strictObject({
  scheme: z.literal('hmac'),
  header,
  /**
   * The header holds several values by their names, like `t=1795551939,v1=2b0c…`: the name of the digest, which may be there
   * several times.
   */
  member: header.optional(),
  hash: z.enum(['md5', 'sha1', 'sha256', 'sha512']).default('sha256'),
  encoding: z.enum(['hex', 'base64']).default('hex'),
  /** What the header begins with, before the digest: `sha256=`. */
  prefix: text.optional(),
  over: over.default('{body}'),
  /** The header with the time of the request, or its name in a header of several; none is asked for when left out. */
  timestamp: header.optional(),
  tolerance,
})

const schemes = z.discriminatedUnion(
  'scheme',
  [
    /** Standard Webhooks 1.0. */
    z.strictObject({ scheme: z.literal('standard-webhooks'), key }),
    z.strictObject({ scheme: z.literal('twilio'), key }),
    z.strictObject({
      scheme: z.literal('sorted-params'),
      key,
      /** `md5hash` is md5 over text and secret; the others are HMACs. */
      hash: z.enum(['md5hash', 'md5', 'sha1', 'sha256', 'sha512']).default('sha256'),
      tolerance,
    }),
    z.strictObject({ scheme: z.literal('plivo-v3'), key }),
    hmacForm.extend({ key }),
    /** Not without a time: a signature would be good for ever. */
    z.strictObject({ scheme: z.literal('ed25519'), key, header, over, timestamp: header, tolerance }),
    z.strictObject({
      scheme: z.literal('jwt-body'),
      key,
      header,
      /** What the header begins with, before the token: `Bearer `. */
      prefix: text.optional(),
      /** What the token must name as its issuer. */
      issuer: text.optional(),
      /** The token has to name the URL too, by `url_hash`. */
      url: z.boolean().default(false),
      tolerance,
    }),
    /** A token for the address alone: it proves nothing of the body, until it ends. */
    z.strictObject({
      scheme: z.literal('jwt'),
      key,
      header,
      prefix: text.optional(),
      issuer: text.optional(),
      tolerance,
    }),
    /** The provider signs nothing: who knows the address of the reports, is believed. */
    z.strictObject({ scheme: z.literal('url-token') }),
  ],
  'must be one of standard-webhooks, twilio, sorted-params, plivo-v3, hmac, ed25519, jwt-body, jwt, url-token',
)

export const signatureForm = schemes.superRefine(requireSignedTime)

/** What is signed has its time in it: whoever sees a request once could send it again with any other time. */
export function requireSignedTime(
  settings: { scheme: string; timestamp?: string | undefined; over?: string; member?: string | undefined },
  context: z.RefinementCtx,
): void {
  const { timestamp, over: signed = '', member } = settings
  const issue = (message: string) => context.addIssue({ code: 'custom', path: ['over'], message })
  if (member === undefined && signed.includes('{member:')) issue('must not have {member:…}: no `member` is named')
  const place = `{${member === undefined ? 'header' : 'member'}:${timestamp}}`
  if (timestamp === undefined || signed.toLowerCase().includes(place)) return
  issue(`must have the ${member === undefined ? 'header' : 'member'} that \`timestamp\` names`)
}

export type Signature = z.infer<typeof signatureForm>
