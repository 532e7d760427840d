/** How a provider signs its reports, as its file says. */
import { z } from 'zod'
import { headerForm as header, textForm as text } from '../forms.ts'

/** `{{s.<setting>}}`: the setting may be a list of two while a key is replaced, and both are good then. */
const key = text.regex(/^\{\{\s*s\.[a-z][a-z0-9_]{0,31}\s*\}\}$/, 'must be one setting, like {{s.auth_token}}')
/** Seconds that a report may be old, or ahead of our clock. */
const tolerance = z.int().min(1).max(3600).default(300)
/** `{body}` is the raw body, `{url}` the whole URL, `{header:<name>}` a header. */
const over = text
  .refine((value) => value.includes('{body}'), 'must have {body}: else anything could be signed')
  .refine(
    (value) => !/[{}]/.test(value.replace(/\{(?:body|url|header:[A-Za-z0-9-]{1,100})\}/g, '')),
    'must have no other placeholders than {body}, {url} and {header:<name>}',
  )

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
    z.strictObject({
      scheme: z.literal('hmac'),
      key,
      header,
      hash: z.enum(['md5', 'sha1', 'sha256', 'sha512']).default('sha256'),
      encoding: z.enum(['hex', 'base64']).default('hex'),
      /** What the header begins with, before the digest: `sha256=`. */
      prefix: text.optional(),
      over: over.default('{body}'),
      /** The header with the time of the report; none is asked for when left out. */
      timestamp: header.optional(),
      tolerance,
    }),
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
    /** The provider signs nothing: who knows the address of the reports, is believed. */
    z.strictObject({ scheme: z.literal('url-token') }),
  ],
  'must be one of standard-webhooks, twilio, sorted-params, plivo-v3, hmac, ed25519, jwt-body, url-token',
)

export const signatureForm = schemes.superRefine((settings, context) => {
  if (!('timestamp' in settings) || settings.timestamp === undefined) return
  // Whoever sees a report once could send it again with any other time.
  if (settings.over.toLowerCase().includes(`{header:${settings.timestamp}}`)) return
  context.addIssue({ code: 'custom', path: ['over'], message: 'must have the header that `timestamp` names' })
})

export type Signature = z.infer<typeof signatureForm>
