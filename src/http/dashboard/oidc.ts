/** The company's sign-in: OpenID Connect by the code flow, with PKCE, state and nonce. */

import type { Configuration, CustomFetch, IDToken } from 'openid-client'
import { roles } from '../../domain/access/actor.ts'
import type { Secrets } from '../../domain/access/secret.ts'
import type { Identity } from '../../domain/people/company.ts'
import type { NetworkLimit } from '../../domain/people/signIn.ts'
import { lifeMs } from '../../domain/people/userSession.ts'
import { createCache } from '../../kit/cache.ts'
import { createPlaces } from '../../kit/places.ts'
import { Problem, unavailable } from '../../kit/problem.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { isAskFailure } from '../../outbound/failure.ts'
import type { OidcSettings } from '../../settings/oidc.ts'
import { toNetwork } from '../address.ts'
import { createProvider, noteFault, openidClient } from './companyProvider.ts'

export interface Oidc {
  /** @returns where the browser goes, and what it is to bring back, sealed @throws Problem when the provider is out of reach */
  begin: (beginning: Beginning) => Promise<{ url: string; sealed: string }>
  /** @returns which of those that the browser began the answer is for; undefined when it is for none of them */
  pick: (sealed: readonly string[], cameBack: URL) => string | undefined
  /**
   * @param cameBack the URL that the provider sent the browser to
   * @param address where the browser is
   * @returns undefined when it is not the answer to what this browser began, or came twice, or the provider did not let the person in
   * @throws Problem when the provider is out of reach, too many ask at once, or too many from that network were refused there
   */
  finish: (cameBack: URL, sealed: string, address: string) => Promise<CameBack | undefined>
}

export interface Beginning {
  backUrl: string
  next: string
  /** The provider is to ask the person again, also one whom it knows to be signed in. */
  isProof: boolean
}

export interface CameBack {
  identity: Identity
  next: string
  /** Somebody was to prove again who he is, and the provider did not ask. */
  isSilent: boolean
}

interface Begun {
  state: string
  nonce: string
  verifier: string
  next: string
  isProof: boolean
  /** Milliseconds of Unix time. */
  at: number
}

/** Seconds to sign in there. */
export const companySeconds = 600
const context = 'company sign-in'
/** Answers that the provider is asked about at once. */
const atOnceMax = 100
/** Of them, from one network: the others are there for other networks, however long the provider takes. */
const ofNetworkMax = 5
/** Milliseconds to wait for a place: a company's people often share a network. */
const placeMs = 2000
/** Beginnings that are remembered as used. */
const spentMax = 10_000
/** Seconds by which the clocks of a provider's servers may differ. */
const toleranceSeconds = 30

export interface OidcParts {
  secrets: Pick<Secrets, 'seal' | 'open'>
  runtime: Pick<Runtime, 'now' | 'log' | 'internalErrors'>
  /** Of its own: a provider that refuses everybody shuts nobody out who has a password. */
  networks: NetworkLimit
  /** As `fetch` asks. */
  fetch: CustomFetch
}

export function createOidc(settings: OidcSettings, { secrets, runtime, networks, fetch }: OidcParts): Oidc {
  const provider = createProvider(settings, { runtime, fetch })
  const takePlace = createEntry(networks)
  /** The states of those that have come back. */
  const spent = createCache<true>(spentMax)
  const isSilentBy = createSilence()

  return {
    begin: async ({ backUrl, next, isProof }) => {
      const [client, config] = await Promise.all([openidClient(), provider()])
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
      const url = client.buildAuthorizationUrl(config, {
        ...{ redirect_uri: backUrl, scope: 'openid email profile', state, nonce, code_challenge_method: 'S256' },
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        // Asked so, the provider has to tell when the person signed in there.
        max_age: String(isProof ? 0 : lifeMs / 1000),
        ...(isProof && { prompt: 'login' }),
      })
      const begun: Begun = { state, nonce, verifier, next, isProof, at: runtime.now().getTime() }
      return { url: url.href, sealed: secrets.seal(JSON.stringify(begun), context).toString('base64url') }
    },
    pick: (sealed, cameBack) => {
      const state = cameBack.searchParams.get('state')
      return sealed.find((one) => openBegun(secrets, one)?.state === state)
    },
    finish: async (cameBack, sealed, address) => {
      const begun = openBegun(secrets, sealed)
      if (!begun || !(begun.at + companySeconds * 1000 > runtime.now().getTime())) return undefined
      const [client, config] = await Promise.all([openidClient(), provider()])
      // Whoever asks the provider does so with our secret, and anybody can begin.
      if (spent.has(begun.state)) return undefined
      spent.set(begun.state, true)
      const leave = await takePlace(address).catch((error: unknown) => {
        // The provider was not asked: it can come again.
        spent.delete(begun.state)
        throw error
      })
      let wasRefused = false
      try {
        const told = await exchange(config, cameBack, begun)
        if (!told) return undefined
        const provedAt = toProvedAt(told.signed, begun, runtime.now())
        const isSilent = isSilentBy(told.signed, begun, provedAt)
        const identity = { ...toIdentity(settings, told), provedAt }
        if (!identity.role || !identity.isEmailVerified) runtime.log.info(findLack(settings, told, identity), lacking)
        return { identity, next: begun.next, isSilent }
      } catch (error) {
        wasRefused = error instanceof client.ResponseBodyError
        if (!isAskFailure(error)) throw noteFault(runtime, error)
        // Its message may quote what the provider sent.
        const { name = 'unknown', code } = error as { name?: string; code?: string }
        runtime.log.warn({ error: name, code }, "the company's sign-in refused a person")
        return undefined
      } finally {
        await leave(wasRefused)
      }
    },
  }
}

/**
 * Whether a provider that was to ask again has let somebody in without asking. Whoever sits at the browser can take that wish out
 * of the address, and then most providers do not tell when the person signed in. One that has told before would have told.
 */
function createSilence() {
  let hasTold = false
  return ({ auth_time }: IDToken, { isProof, at }: Begun, provedAt: Date | undefined): boolean => {
    hasTold ||= auth_time !== undefined
    if (!isProof) return false
    return auth_time === undefined ? hasTold : !(Number(provedAt) >= at - toleranceSeconds * 1000)
  }
}

/** @returns takes a place; what that gives, gives it back, and counts what was made up */
function createEntry({ take, giveBack, keep }: NetworkLimit) {
  const places = createPlaces(() => atOnceMax, ofNetworkMax)
  return async (address: string): Promise<(wasRefused: boolean) => Promise<void>> => {
    const network = toNetwork(address)
    if (!(await places.take(placeMs, network))) throw unavailable()
    try {
      const retryAfterSeconds = await take(address)
      const message = 'Your company refused too many sign-ins from your network. Try again in 15 minutes.'
      if (retryAfterSeconds > 0) throw new Problem('rate_limited', { message, retryAfterSeconds })
    } catch (error) {
      places.free(network)
      throw error
    }
    return async (wasRefused) => {
      places.free(network)
      if (wasRefused) keep(address)
      else await giveBack(address)
    }
  }
}

interface Told {
  /** By the ID token. */
  signed: Claims & IDToken
  /** By the user info, which the provider answers with over TLS. */
  beside: Claims
}

type Claims = Record<string, unknown>

/** @returns what the provider says of the person; undefined when that is nothing @throws what the client has against its answer */
async function exchange(config: Configuration, cameBack: URL, begun: Begun): Promise<Told | undefined> {
  const client = await openidClient()
  const tokens = await client.authorizationCodeGrant(config, cameBack, {
    ...{ pkceCodeVerifier: begun.verifier, expectedState: begun.state, expectedNonce: begun.nonce },
    idTokenExpected: true,
  })
  const signed = tokens.claims()
  if (!signed || !config.serverMetadata().userinfo_endpoint) return signed && { signed, beside: {} }
  return { signed, beside: await client.fetchUserInfo(config, tokens.access_token, signed.sub) }
}

function openBegun(secrets: Pick<Secrets, 'open'>, sealed: string): Begun | undefined {
  try {
    return JSON.parse(secrets.open(Buffer.from(sealed, 'base64url'), context)) as Begun
  } catch {
    return undefined
  }
}

/** @returns undefined when the provider does not tell, and was not to ask again */
function toProvedAt({ iat, auth_time }: IDToken, { isProof }: Begun, now: Date): Date | undefined {
  if (auth_time === undefined) return isProof ? now : undefined
  // By the provider's clock alone: ours may be another.
  return new Date(now.getTime() - Math.max(0, iat - auth_time) * 1000)
}

const lacking = 'the company names no role or no verified email for a person who signs in'

/** For the operator: which claims there were. Their values are the person's. */
function findLack(
  { roleClaim }: OidcSettings,
  { signed, beside }: Told,
  { role, isEmailVerified }: Omit<Identity, 'provedAt'>,
) {
  const formatNames = (claims: Claims) =>
    Object.keys(claims)
      .filter((name) => /^[\w:./-]{1,100}$/.test(name))
      .slice(0, 50)
  const hasEmail = [signed, beside].some(({ email }) => textOf(email) !== undefined)
  const emailFault = hasEmail
    ? 'not verified by email_verified; see OIDC_EMAILS_TRUSTED'
    : 'there is no claim email: set the provider to send it'
  return {
    ...(!role && { lacks: `a value of ${roleClaim} that OIDC_ROLES names` }),
    ...(!isEmailVerified && { email: emailFault }),
    claims: { id_token: formatNames(signed), userinfo: formatNames(beside) },
  }
}

function toIdentity(settings: OidcSettings, told: Told): Omit<Identity, 'provedAt'> {
  const { roleClaim, roles: byValue, trustsEmails = false } = settings
  const { signed, beside } = told
  const claims: Claims = { ...beside, ...signed }
  const values = [claims[roleClaim]].flat().filter((value) => typeof value === 'string')
  const given = new Set(values.map((value) => byValue.get(value)))
  return {
    issuer: signed.iss,
    subject: signed.sub,
    name: textOf(claims.name),
    ...readEmail(told, trustsEmails),
    // Who has several has the one that may do most.
    role: roles.findLast((role) => given.has(role)),
  }
}

/** The email and its flag from one place: a flag says nothing of the email of another. What is signed has the first word. */
function readEmail({ signed, beside }: Told, isTrusted: boolean): Pick<Identity, 'email' | 'isEmailVerified'> {
  const hasEmail = ({ email }: Claims) => textOf(email) !== undefined
  const hasBoth = (claims: Claims) => hasEmail(claims) && readFlag(claims.email_verified) !== undefined
  const { email, email_verified: flag } = [signed, beside].find(isTrusted ? hasEmail : hasBoth) ?? {}
  return { email: textOf(email), isEmailVerified: isTrusted ? email !== undefined : readFlag(flag) === true }
}

/** Amazon Cognito's user info has it as a text. */
function readFlag(flag: unknown): boolean | undefined {
  if (typeof flag === 'boolean') return flag
  return flag === 'true' ? true : flag === 'false' ? false : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
