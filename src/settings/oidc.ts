/** The settings of the company's sign-in. `config.ts` reads them. */
import { z } from 'zod'
import type { Role } from '../domain/access/actor.ts'
import { listed } from './listed.ts'
import { oneOf } from './oneOf.ts'
import { secret } from './secretFile.ts'

/** The company's sign-in, as OpenID Connect has it. */
export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** Whose values make the role: a text, or a list of texts. */
  roleClaim: string
  /** By the claim's values. */
  roles: ReadonlyMap<string, Role>
  /** Into which those come who are new, by its name. */
  account: string
  /** Whether the provider's emails count as verified where it does not say so: it has them from the company's own directory. */
  trustsEmails?: boolean
}

export const oidcForms = {
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be the URL of an OpenID Connect provider' })
    .refine((url) => url.startsWith('https:') || /^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(`${url}/`), {
      error: 'must begin with https://',
    })
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional().meta(secret),
  OIDC_ROLES: listed
    .refine((pairs) => pairs.every((pair) => /^[^=]+=(viewer|developer|owner)$/.test(pair)), {
      error: 'must be pairs like admins=owner,staff=viewer',
    })
    .optional(),
  OIDC_ROLE_CLAIM: z.string().default('groups'),
  OIDC_ACCOUNT: z.string().default('default'),
  OIDC_EMAILS_TRUSTED: oneOf(['on', 'off']).default('off'),
}

/** Set together, or not at all. */
const together = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES']

/** @returns a fault for each that is missing beside others */
export function missingOfOidc(given: Readonly<Record<string, string | undefined>>): string[] {
  const missing = together.filter((name) => !given[name])
  return missing.length < together.length
    ? missing.map((name) => `${name}: must be set with ${together.join(', ')}`)
    : []
}

const forms = z.object(oidcForms)

export function readOidc(value: z.infer<typeof forms>): OidcSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_ROLES: pairs } = value
  if (!issuer || !clientId || !clientSecret || !pairs) return undefined
  const into = { account: value.OIDC_ACCOUNT, trustsEmails: value.OIDC_EMAILS_TRUSTED === 'on' }
  const roles = new Map(pairs.map((pair) => pair.split('=') as [string, Role]))
  return { issuer, clientId, clientSecret, roleClaim: value.OIDC_ROLE_CLAIM, roles, ...into }
}
