/**
 * `jwt-body`: a token that names the hashes of the address and of the body. MessageBird
 * (https://developers.messagebird.com/api/#verifying-http-requests) and Vonage's Messages API
 * (https://developer.vonage.com/en/getting-started/concepts/webhooks). Libraries for tokens answer later; this answers at once.
 */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { addressesOf } from './address.ts'
import { isAnySame, isSame } from './compared.ts'
import type { SchemeParts, SignedReport, Verify } from './signedReport.ts'
import { headerName } from './signedText.ts'

export const jwtBodyForm = z.strictObject({
  scheme: z.literal('jwt-body'),
  /** The header that the token is in; in `authorization` it stands behind `Bearer`. */
  header: headerName,
  /** What the token must name as its issuer. */
  issuer: z.string().max(100).optional(),
  /** Seconds that the provider's clock may differ from ours. A token without an end is good for so many seconds. */
  tolerance: z.int().min(1).max(3600).default(300),
  key: z.string(),
})

type Settings = z.infer<typeof jwtBodyForm>

export function createJwtBody({ header, issuer, tolerance }: Settings, { key, publicUrl, now }: SchemeParts): Verify {
  const secret = createSecretKey(Buffer.from(key))
  return (report) => {
    const value = report.headers[header] ?? ''
    const claims = claimsOf(header === 'authorization' ? value.replace(/^Bearer +/i, '') : value, secret)
    if (!claims || (issuer !== undefined && claims.iss !== issuer)) return false
    return isInTime(claims, { tolerance, nowSeconds: now().getTime() / 1000 }) && isAbout(claims, report, publicUrl)
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
function claimsOf(token: string, secret: KeyObject): Claims | undefined {
  const [, head, payload, signature] = tokenForm.exec(token) ?? []
  if (head === undefined || payload === undefined || signature === undefined) return undefined
  if (!isSame(signature, createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url')))
    return undefined
  return read(head, headForm) && read(payload, claimsForm)
}

function read<Form>(part: string, form: z.ZodType<Form>): Form | undefined {
  try {
    return form.parse(JSON.parse(Buffer.from(part, 'base64url').toString()))
  } catch {
    return undefined
  }
}

function isInTime(
  { iat, nbf, exp }: Claims,
  { tolerance, nowSeconds }: { tolerance: number; nowSeconds: number },
): boolean {
  const end = exp ?? iat
  const begin = Math.max(iat ?? 0, nbf ?? 0)
  return end !== undefined && begin - tolerance <= nowSeconds && nowSeconds <= end + tolerance
}

/** A report is in its body, or in its address where that is empty: the hash of that one must be there. What is there must be right. */
function isAbout(
  { payload_hash: ofBody, url_hash: ofAddress }: Claims,
  { target, body }: SignedReport,
  publicUrl?: string,
): boolean {
  if ((body.length > 0 ? ofBody : ofAddress) === undefined) return false
  if (ofBody !== undefined && !isSame(ofBody, hash('sha256', body))) return false
  return (
    ofAddress === undefined ||
    isAnySame(
      [ofAddress],
      addressesOf(publicUrl, target).map((address) => hash('sha256', address)),
    )
  )
}
