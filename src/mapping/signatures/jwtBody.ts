/**
 * `jwt-body`: a token that names the hashes of the address and of the body. MessageBird
 * (https://developers.messagebird.com/api/#verifying-http-requests) and Vonage's Messages API
 * (https://developer.vonage.com/en/getting-started/concepts/webhooks). Libraries for tokens answer later; this answers at once.
 */
import { createHmac, hash, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { listAddresses } from './address.ts'
import { isAnySame, isSame } from './compared.ts'
import { type SchemeParts, type SettingsOf, type SignedRequest, signingKeysOf, type Verify } from './signedRequest.ts'

export function createJwtBody(settings: SettingsOf<'jwt-body'>, parts: SchemeParts): Verify {
  const { header, prefix = '', issuer, tolerance, url } = settings
  const secrets = signingKeysOf(parts)
  return (report) => {
    const value = report.headers[header]
    const claims = value?.startsWith(prefix) ? openToken(value.slice(prefix.length), secrets) : undefined
    if (!claims || (issuer !== undefined && claims.iss !== issuer)) return false
    if (url && claims.url_hash === undefined) return false
    return isInTime(claims, { tolerance, nowSeconds: parts.now().getTime() / 1000 }) && isAbout(claims, report, parts)
  }
}

/** The algorithm is ours to choose: a token that names another one is refused, whoever signed it. */
const headForm = z.object({ alg: z.literal('HS256'), crit: z.never().optional() })
const digest = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .toLowerCase()
const claimsForm = z.object({
  iss: z.string().optional(),
  aud: z.string().optional(),
  iat: z.number().optional(),
  nbf: z.number().optional(),
  exp: z.number().optional(),
  payload_hash: digest.optional(),
  url_hash: digest.optional(),
})

type Claims = z.infer<typeof claimsForm>

/** The three parts of a token, RFC 7515. */
const tokenForm = /^([A-Za-z0-9_-]{1,1000})\.([A-Za-z0-9_-]{1,4000})\.([A-Za-z0-9_-]{43})$/

/** Nothing of a token is parsed before its signature is found good. */
export function openToken(token: string, secrets: readonly KeyObject[]): Claims | undefined {
  const [, head, payload, signature] = tokenForm.exec(token) ?? []
  if (head === undefined || payload === undefined || signature === undefined) return undefined
  const own = secrets.map((secret) => createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url'))
  return isAnySame([signature], own) ? read(head, headForm) && read(payload, claimsForm) : undefined
}

function read<Form>(part: string, form: z.ZodType<Form>): Form | undefined {
  try {
    return form.parse(JSON.parse(Buffer.from(part, 'base64url').toString()))
  } catch {
    return undefined
  }
}

export function isInTime(
  { iat, nbf, exp }: Claims,
  { tolerance, nowSeconds }: { tolerance: number; nowSeconds: number },
): boolean {
  const end = exp ?? iat
  const begin = Math.max(iat ?? 0, nbf ?? 0)
  return end !== undefined && begin - tolerance <= nowSeconds && nowSeconds <= end + tolerance
}

/**
 * A report is in its body, or in its address where that is empty: the hash of that one must be there. What is there must be
 * right.
 */
function isAbout(
  { payload_hash: ofBody, url_hash: ofAddress }: Claims,
  { target, body }: SignedRequest,
  { publicUrl }: Pick<SchemeParts, 'publicUrl'>,
): boolean {
  if ((body.length > 0 ? ofBody : ofAddress) === undefined) return false
  if (ofBody !== undefined && !isSame(ofBody, hash('sha256', body))) return false
  if (ofAddress === undefined) return true
  const own = listAddresses(publicUrl, target).map((address) => hash('sha256', address))
  return isAnySame([ofAddress], own)
}
