/** A company's OpenID Connect provider, of which a test says whom it lets in. */
import { createSign, generateKeyPairSync, hash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OidcProvider {
  issuer: string
  /** Signs the person in there. @returns where the browser is sent back to */
  signIn: (authorizationUrl: string, claims: object, changes?: Changes) => URL
  /** How often it was asked for a token. */
  exchanges: () => number
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
}

interface Grant {
  claims: object
  /** How long ago the person signed in; undefined when that is not told. */
  age: number | undefined
  nonce: string
  challenge: string
  redirectUri: string
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The client is `watchword`, its secret `a client secret`. */
export async function startOidcProvider(): Promise<OidcProvider> {
  const grants = new Map<string, Grant>()
  let exchanges = 0
  const server = createServer(async (request, response) => {
    const answer = (value: unknown, status = 200) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
    }
    if (request.url === '/.well-known/openid-configuration') return answer(metadata(issuer))
    if (request.url === '/keys')
      return answer({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256' }] })
    exchanges += 1
    const chunks = (await request.toArray()) as Buffer[]
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const isOurs =
      form.get('client_secret') === 'a client secret' &&
      hash('sha256', form.get('code_verifier') ?? '', 'base64url') === grant?.challenge &&
      form.get('redirect_uri') === grant.redirectUri
    if (!grant || !isOurs) return answer({ error: 'invalid_grant' }, 400)
    answer({ access_token: randomUUID(), token_type: 'Bearer', id_token: idToken(issuer, grant) })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    exchanges: () => exchanges,
    signIn: (authorizationUrl, claims, changes = {}) => {
      const asked = new URL(authorizationUrl).searchParams
      const [code, redirectUri] = [randomUUID(), asked.get('redirect_uri') ?? '']
      grants.set(code, {
        ...{ claims, redirectUri, challenge: asked.get('code_challenge') ?? '' },
        nonce: changes.nonce ?? asked.get('nonce') ?? '',
        age: changes.isMute || !asked.has('max_age') ? undefined : ageOf(asked, changes),
      })
      const back = new URL(redirectUri)
      back.searchParams.set('code', code)
      back.searchParams.set('state', asked.get('state') ?? '')
      return back
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

function ageOf(asked: URLSearchParams, { signedInSeconds = 0, isDeaf = false }: Changes): number {
  const isAsked = asked.get('prompt') === 'login' || Number(asked.get('max_age')) < signedInSeconds
  return isAsked && !isDeaf ? 0 : signedInSeconds
}

function metadata(issuer: string) {
  return {
    ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
    ...{ jwks_uri: `${issuer}/keys`, response_types_supported: ['code'], subject_types_supported: ['public'] },
    ...{ id_token_signing_alg_values_supported: ['RS256'], code_challenge_methods_supported: ['S256'] },
  }
}

function idToken(issuer: string, { claims, nonce, age }: Grant): string {
  const at = Math.floor(Date.now() / 1000)
  const body = {
    ...{ iss: issuer, aud: 'watchword', iat: at, exp: at + 60, nonce },
    ...(age !== undefined && { auth_time: at - age }),
    ...claims,
  }
  const signed = `${base64url({ alg: 'RS256', kid: '1' })}.${base64url(body)}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`
}
