/** The auth systems that the tests play: each signs as its source does, and the kind that ships believes it and reads it. */
import { describe, expect, it } from 'vitest'
import { createProof } from '../../src/inlets/auth.ts'
import { inletKind } from '../../src/inlets/shipped.ts'
import { compileTake } from '../../src/inlets/take.ts'
import { authentikPost } from './players/authentik.ts'
import { authgearPost, authgearSignature } from './players/authgear.ts'
import { logtoPost } from './players/logto.ts'
import { casdoorPost, fusionAuthPost, keycloakPost } from './players/plain.ts'
import type { Post } from './players/post.ts'
import { supabasePost, supabaseSignature } from './players/supabase.ts'
import { zitadelPost, zitadelSignature } from './players/zitadel.ts'

const now = new Date('2026-11-24T15:00:00Z')
const [phone, code] = ['+14155550100', '048213']
const secret = 'the-secret-of-this-inlet'
const hookSecret = 'v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const user = { user: 'acme', password: secret }
const zitadel = { signingKeys: [secret], phone, text: `${code} is your code`, now }

interface Case {
  kind: string
  post: Post
  secret: string
  settings?: Record<string, string>
  takes: object
}

const cases: [string, Case][] = [
  [
    'Supabase',
    {
      ...{ kind: 'supabase', secret: hookSecret },
      post: supabasePost({
        secrets: [hookSecret],
        userId: 'user-1',
        phone: '14155550100',
        otp: code,
        ip: '203.0.113.7',
        now,
      }),
      takes: { phone, code, user: 'user-1', ip: '203.0.113.7' },
    },
  ],
  [
    'Zitadel',
    { kind: 'zitadel', secret, post: zitadelPost({ ...zitadel, code }), takes: { phone, code, user: 'minnie' } },
  ],
  [
    'Zitadel, with letters in the code',
    {
      ...{ kind: 'zitadel', secret, post: zitadelPost({ ...zitadel, code: '0M53RF', text: 'Your code is 0M53RF' }) },
      takes: { phone, text: 'Your code is 0M53RF', user: 'minnie' },
    },
  ],
  [
    'Logto',
    {
      ...{ kind: 'logto', secret },
      post: logtoPost({
        authorization: `Bearer ${secret}`,
        to: '14155550100',
        payload: { code, locale: 'pt-BR' },
        ip: '203.0.113.7',
      }),
      takes: { phone, code, locale: 'pt-BR', ip: '203.0.113.7' },
    },
  ],
  [
    'Logto, with a header of another form',
    {
      kind: 'logto',
      secret,
      post: logtoPost({ authorization: secret, to: '14155550100', payload: { code } }),
      takes: { phone, code },
    },
  ],
  [
    'Authgear',
    {
      ...{ kind: 'authgear', secret, post: authgearPost({ secret, to: phone, body: `${code} is your code`, code }) },
      takes: { phone, code, locale: 'en' },
    },
  ],
  [
    'Authgear, with a link in place of a code',
    {
      ...{ kind: 'authgear', secret, post: authgearPost({ secret, to: phone, body: 'https://acme.com/r?a=1&b=2' }) },
      takes: { phone, text: 'https://acme.com/r?a=1&b=2', locale: 'en' },
    },
  ],
  ['authentik, with a bearer', authentik({ token: secret }, secret)],
  ['authentik, with a password', authentik(user, `acme:${secret}`)],
  [
    'FusionAuth',
    {
      ...{ kind: 'plain', secret: `acme:${secret}`, post: fusionAuthPost({ ...user, phone, code }) },
      settings: { phone: 'phoneNumber', text: 'textMessage', user: 'userId' },
      takes: { phone, code, user: '00000000-0000-0000-0000-000000000042' },
    },
  ],
  [
    'Casdoor',
    {
      ...{ kind: 'plain', secret: `acme:${secret}`, post: casdoorPost({ ...user, phone, code }) },
      settings: { phone: 'phoneNumber' },
      takes: { phone, code },
    },
  ],
  [
    'Keycloak',
    {
      ...{ kind: 'plain', secret: `acme:${secret}`, post: keycloakPost({ ...user, phone, code }) },
      takes: { phone, text: `Your SMS code is "${code}" and is valid for 5 minutes.` },
    },
  ],
]

function authentik(auth: Parameters<typeof authentikPost>[0]['auth'], own: string): Case {
  return {
    kind: 'authentik',
    secret: own,
    post: authentikPost({ auth, to: phone, token: code }),
    takes: { phone, code },
  }
}

describe.each(cases)('what is posted by %s', (_system, { kind, post, secret: own, settings = {}, takes }) => {
  const file = inletKind(kind)!
  const believes = (given: string, { headers, body }: Post) => {
    const verify = createProof(file, { secrets: [given], publicUrl: undefined, now: () => now })
    return verify({ method: 'POST', target: '/inlets/acct_default/one', headers, body: Buffer.from(body) })
  }

  it('is believed with its secret, and with no other', () => {
    expect(believes(own, post)).toBe(true)
    expect(believes(kind === 'supabase' ? 'v1,whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDQ8Yb4Xh+' : `${own}x`, post)).toBe(
      false,
    )
  })

  it('is read as its kind says', () => {
    expect(compileTake(file, settings)({ headers: post.headers, body: Buffer.from(post.body) })).toEqual(takes)
  })
})

/** The expected ones are computed by Python's `hmac`. */
describe('a player signs as another program does', () => {
  const body = '{"phone":"+14155550100"}'
  const seconds = now.getTime() / 1000

  it('in place of Supabase', () => {
    const signed = `41f7cb36-6e33-4a0c-b6f2-5d2a7a3f7a3e.${seconds}.${body}`
    expect(supabaseSignature([hookSecret], signed)).toBe('v1,vxAqDA7EcjeZAD5mdAcvGEUZIMqh0gznL35GEGpFCmQ=')
  })

  it('in place of Zitadel', () => {
    const digest = '846ee1709a9874e1a7b2d969e708af31f2887965ed9d8302e1e0ab9090906f16'
    expect(zitadelSignature([secret], seconds, body)).toBe(`t=1795532400,v1=${digest}`)
  })

  it('in place of Authgear', () => {
    expect(authgearSignature(secret, body)).toBe('88d5e40ab063a5210fde77c19814ecec3b560fd83e48ee2eea7423f3c5d7ce2f')
  })
})
