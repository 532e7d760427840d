/** A company's OpenID Connect provider, of which a test says whom it lets in. */
import { createHmac, createSign, generateKeyPairSync, hash, type KeyObject, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OidcProvider {
  issuer: string
  port: number
  /** Signs the person in there. @returns where the browser is sent back to */
  signIn: (authorizationUrl: string, claims: object, changes?: Changes) => URL
  /** How often it was asked for a token. */
  exchanges: () => number
  /** How often it was asked for its keys. */
  keyReads: () => number
  /** Signs with another key from now on, and publishes that one alone. */
  rotate: () => void
  /** Answers nothing about unknown codes. @returns lets all of them be answered */
  hold: () => () => void
  close: () => Promise<void>
}

export interface Changes {
  nonce?: string
  /** The person is signed in there already, since so long ago, and is asked again only where that is wanted. */
  signedInSeconds?: number
  /** Asks nobody who is signed in, whatever is wanted. */
  isDeaf?: boolean
  /** Does not tell when people signed in. */
  isMute?: boolean
  /** How the ID token is signed, where that is not as it should be. */
  signs?: Forgery
  /** What is told of the person beside the ID token. */
  userinfo?: object
  /** Bytes by which what is told beside the ID token is longer than it need be. */
  padding?: number
}

/** With a key that it does not publish, under its own name or another one; with the client's secret; or not at all. */
export type Forgery = 'another key' | 'an unknown key' | 'the secret' | 'nothing' | 'a changed signature'

interface Grant {
  claims: object
  /** How long ago the person signed in; undefined when that is not told. */
  age: number | undefined
  nonce: string
  challenge: string
  redirectUri: string
  changes: Changes
}

interface Signer {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
}

const newSigner = (kid: string): Signer => ({ kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) })
const [first, second, stranger] = [newSigner('1'), newSigner('2'), newSigner('1')]
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * The client is `watchword`, its secret `a client secret`.
 *
 * @param publicIssuer where others reach it, if not on its own port
 */
export async function startOidcProvider(publicIssuer?: string): Promise<OidcProvider> {
  const grants = new Map<string, Grant>()
  /** By their access tokens. */
  const granted = new Map<string, Grant>()
  let [exchanges, keyReads, signer] = [0, 0, first]
  let held: Promise<void> | undefined
  const server = createServer(async (request, response) => {
    const answer = (value: unknown, status = 200) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
    }
    if (request.url === '/.well-known/openid-configuration') return answer(metadata(issuer))
    if (request.url === '/keys') {
      keyReads += 1
      return answer({ keys: [{ ...signer.publicKey.export({ format: 'jwk' }), kid: signer.kid, alg: 'RS256' }] })
    }
    if (request.url === '/userinfo') {
      const { claims, changes } = granted.get(request.headers.authorization?.replace('Bearer ', '') ?? '') ?? {}
      const { sub } = claims as { sub: string }
      return answer({ sub, ...changes?.userinfo, padding: 'x'.repeat(changes?.padding ?? 0) })
    }
    exchanges += 1
    const chunks = (await request.toArray()) as Buffer[]
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const isOurs =
      form.get('client_secret') === 'a client secret' &&
      hash('sha256', form.get('code_verifier') ?? '', 'base64url') === grant?.challenge &&
      form.get('redirect_uri') === grant.redirectUri
    if (!grant) await held
    if (!grant || !isOurs) return answer({ error: 'invalid_grant' }, 400)
    const token = randomUUID()
    granted.set(token, grant)
    answer({ access_token: token, token_type: 'Bearer', id_token: idToken(issuer, grant, signer) })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const issuer = publicIssuer ?? `http://127.0.0.1:${port}`
  return {
    ...{ issuer, port },
    exchanges: () => exchanges,
    keyReads: () => keyReads,
    rotate: () => {
      signer = second
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = undefined
        resolve()
      }
    },
    signIn: (authorizationUrl, claims, changes = {}) => {
      const asked = new URL(authorizationUrl).searchParams
      const [code, redirectUri] = [randomUUID(), asked.get('redirect_uri') ?? '']
      grants.set(code, {
        ...{ claims, redirectUri, changes, challenge: asked.get('code_challenge') ?? '' },
        nonce: changes.nonce ?? asked.get('nonce') ?? '',
        age: changes.isMute || !asked.has('max_age') ? undefined : readAge(asked, changes),
      })
      const back = new URL(redirectUri)
      back.searchParams.set('code', code)
      back.searchParams.set('state', asked.get('state') ?? '')
      return back
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

function readAge(asked: URLSearchParams, { signedInSeconds = 0, isDeaf = false }: Changes): number {
  const isAsked = asked.get('prompt') === 'login' || Number(asked.get('max_age')) < signedInSeconds
  return isAsked && !isDeaf ? 0 : signedInSeconds
}

function metadata(issuer: string) {
  return {
    ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
    ...{ jwks_uri: `${issuer}/keys`, response_types_supported: ['code'], subject_types_supported: ['public'] },
    // What it says that it can do, is nothing that this service takes.
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    ...{ userinfo_endpoint: `${issuer}/userinfo`, code_challenge_methods_supported: ['S256'] },
  }
}

function idToken(issuer: string, { claims, nonce, age, changes }: Grant, signer: Signer): string {
  const at = Math.floor(Date.now() / 1000)
  const body = {
    ...{ iss: issuer, aud: 'watchword', iat: at, exp: at + 60, nonce },
    ...(age !== undefined && { auth_time: at - age }),
    ...claims,
  }
  return signedText(body, signer, changes.signs)
}

function signedText(body: object, signer: Signer, forgery: Forgery | undefined): string {
  const alg = forgery === 'nothing' ? 'none' : forgery === 'the secret' ? 'HS256' : 'RS256'
  const kid = forgery === 'an unknown key' ? 'unknown' : signer.kid
  const signed = `${base64url({ alg, kid })}.${base64url(body)}`
  if (forgery === 'nothing') return `${signed}.`
  if (forgery === 'the secret') {
    return `${signed}.${createHmac('sha256', 'a client secret').update(signed).digest('base64url')}`
  }
  const { privateKey } = forgery?.endsWith('key') ? stranger : signer
  const signature = createSign('RSA-SHA256').update(signed).sign(privateKey)
  if (forgery === 'a changed signature') signature[0]! ^= 1
  return `${signed}.${signature.toString('base64url')}`
}
