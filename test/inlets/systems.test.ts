/** Each auth system posts its codes to the running service, as its own source does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultAccount } from '../../src/domain/access/account.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { authentikSends } from './players/authentik.ts'
import { authgearSends } from './players/authgear.ts'
import { logtoSends } from './players/logto.ts'
import { casdoorPost, fusionAuthPost, keycloakPost, type PlainSms } from './players/plain.ts'
import { type Post, send } from './players/post.ts'
import { supabaseSends } from './players/supabase.ts'
import { zitadelSends } from './players/zitadel.ts'

const secret = 'the-secret-of-this-inlet'
const hookSecret = 'v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const password = `acme:${secret}`

let server: TestServer
let account: string
beforeAll(async () => {
  server = await startServer()
  account = (await server.app.accounts.require(defaultAccount)).id
  const brand_name = 'Acme'
  await server.app.inlets.apply(account, [
    { id: 'supabase', kind: 'supabase', mode: 'live', secret: hookSecret, brand_name },
    ...['zitadel', 'logto', 'authgear', 'authentik'].map((kind) => ({
      id: kind,
      kind,
      mode: 'live',
      secret,
      brand_name,
    })),
    {
      ...{ id: 'fusionauth', kind: 'plain', mode: 'live', secret: password, brand_name },
      settings: { phone: 'phoneNumber', text: 'textMessage', user: 'userId' },
    },
    { id: 'casdoor', kind: 'plain', mode: 'live', secret: password, brand_name, settings: { phone: 'phoneNumber' } },
    { id: 'keycloak', kind: 'plain', mode: 'live', secret: password },
  ])
})
afterAll(() => server?.close())

const urlOf = (inlet: string) => `${server.url}/inlets/${account}/${inlet}`
const textsOf = async (phone: string) => {
  await server.work()
  return (await server.phone(phone)).map(({ text }) => text)
}

interface Player {
  inlet: string
  /** Posts a code. @returns what becomes of it in that system, in the words of its source */
  post: (phone: string, code: string, secret: string) => Promise<unknown>
  secret?: string
  other?: string
  /** A system that says a language has it in the sentence. */
  language?: true
  sent: unknown
  refused: unknown
  /** After the sixth code in ten minutes. */
  tooMany: unknown
}

const tooManyText = 'Too many codes were sent to this phone number. Please try again later.'
const digits = (phone: string) => phone.slice(1)

const players: [string, Player][] = [
  [
    'Supabase',
    {
      inlet: 'supabase',
      post: async (phone, otp, own) => {
        const hook = {
          secrets: [own],
          userId: 'user-1',
          phone: digits(phone),
          otp,
          ip: '203.0.113.7',
          now: server.runtime.now(),
        }
        const { status, message } = await supabaseSends(urlOf('supabase'), hook)
        return [status, message]
      },
      ...{ secret: hookSecret, other: 'v1,whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDQ8Yb4Xh+' },
      sent: [200, undefined],
      refused: [500, 'hook answered 401'],
      tooMany: [429, tooManyText],
    },
  ],
  [
    'Zitadel',
    {
      inlet: 'zitadel',
      post: (phone, code, own) =>
        zitadelSends(urlOf('zitadel'), {
          signingKeys: [own],
          phone,
          code,
          text: `It is ${code}`,
          now: server.runtime.now(),
        }),
      sent: undefined,
      refused: expect.stringMatching(/returned 401$/),
      tooMany: expect.stringMatching(/returned 429$/),
    },
  ],
  [
    'Logto',
    {
      inlet: 'logto',
      post: (phone, code, own) =>
        logtoSends(urlOf('logto'), {
          authorization: `Bearer ${own}`,
          to: digits(phone),
          payload: { code, locale: 'en' },
        }),
      sent: undefined,
      refused: { code: 'connector.general', data: expect.stringContaining('invalid_signature') },
      tooMany: { code: 'connector.general', data: tooManyText },
      language: true,
    },
  ],
  [
    'Authgear',
    {
      inlet: 'authgear',
      post: (to, code, own) => authgearSends(urlOf('authgear'), { secret: own, to, body: `It is ${code}`, code }),
      sent: undefined,
      refused: 'UnexpectedError',
      tooMany: 'SMSGatewayRateLimited',
      language: true,
    },
  ],
  [
    'authentik',
    {
      inlet: 'authentik',
      // People put spaces into their numbers.
      post: (phone, token, own) =>
        authentikSends(urlOf('authentik'), {
          auth: { token: own },
          to: `${phone.slice(0, 5)} ${phone.slice(5)}`,
          token,
        }),
      sent: undefined,
      refused: expect.stringContaining('invalid_signature'),
      tooMany: tooManyText,
    },
  ],
  ['FusionAuth', plain('fusionauth', fusionAuthPost)],
  ['Casdoor', plain('casdoor', casdoorPost)],
]

/** What counts for these is the status. */
function plain(inlet: string, postOf: (sms: PlainSms) => Post): Player {
  const post = async (phone: string, code: string, own: string) => {
    const [user = '', word = ''] = own.split(':')
    return (await send(urlOf(inlet), postOf({ user, password: word, phone, code }))).status
  }
  return { inlet, post, secret: password, sent: 200, refused: 401, tooMany: 429 }
}

describe.each(players)('a code of %s', (_system, player) => {
  const { post, secret: own = secret, other = `${own}x`, sent, refused, tooMany, language } = player
  const wordsOf = (code: string) =>
    language ? `${code} is your Acme code. It is valid for 10 minutes.` : `Your Acme code is ${code}`

  it('is what the phone gets, and is sent once, however often it is posted', async () => {
    const phone = newPhone()
    for (let times = 0; times < 4; times += 1) expect(await post(phone, '048213', own)).toEqual(sent)
    expect(await textsOf(phone)).toEqual([wordsOf('048213')])
  })

  it('does not wait for the cooldown of the API, and comes beside the one before it', async () => {
    const phone = newPhone()
    for (const code of ['048213', '048214']) expect(await post(phone, code, own)).toEqual(sent)
    expect((await textsOf(phone)).toSorted()).toEqual([wordsOf('048213'), wordsOf('048214')])
  })

  it('is refused with another secret, in the words of that system', async () => {
    const phone = newPhone()
    expect(await post(phone, '048213', other)).toEqual(refused)
    expect(await textsOf(phone)).toEqual([])
  })

  it('is refused after five in ten minutes, in the words of that system', async () => {
    const phone = newPhone()
    const codes = Array.from({ length: 6 }, (_, index) => `48213${index}`)
    const told = []
    for (const code of codes) told.push(await post(phone, code, own))
    expect(told).toEqual([...Array(5).fill(sent), tooMany])
  })
})

describe('a person of authentik who asks again while it keeps its code', () => {
  const ask = (to: string) => authentikSends(urlOf('authentik'), { auth: { token: secret }, to, token: '048213' })

  it('gets the same code again after two minutes, and is told when it is too often', async () => {
    const phone = newPhone()
    for (const count of [1, 2]) {
      expect(await ask(phone)).toBeUndefined()
      expect(await textsOf(phone)).toHaveLength(count)
      await server.advance(120)
    }
    for (let n = 0; n < 4; n += 1)
      await authentikSends(urlOf('authentik'), { auth: { token: secret }, to: phone, token: `48214${n}` })
    expect(await ask(phone)).toBe(tooManyText)
  })
})

describe('a phone that a person of authentik types without its country code', () => {
  // With a plus before them, the first is of Singapore and the second of Norway.
  it.each(['659 812 3456', '4799123456'])('is sent nothing, and the person reads why: %s', async (to) => {
    const told = await authentikSends(urlOf('authentik'), { auth: { token: secret }, to, token: '048213' })
    expect(told).toBe('This phone number cannot get codes. Please check it, with its country code in front.')
    expect(await textsOf(`+${to.replace(/\D/g, '')}`)).toEqual([])
  })
})

describe('a message that has a text alone', () => {
  it.each<[string, string, (phone: string) => Promise<unknown>, unknown]>([
    [
      'Zitadel, with letters in the code',
      'Verify it with 0M53RF.',
      (phone) =>
        zitadelSends(urlOf('zitadel'), {
          ...{
            signingKeys: [secret],
            phone,
            code: '0M53RF',
            text: 'Verify it with 0M53RF.',
            now: server.runtime.now(),
          },
        }),
      undefined,
    ],
    [
      'Authgear, with a link',
      'Reset it: https://acme.authgear.cloud/r?a=1&b=2',
      (to) => authgearSends(urlOf('authgear'), { secret, to, body: 'Reset it: https://acme.authgear.cloud/r?a=1&b=2' }),
      undefined,
    ],
    [
      'Keycloak',
      'Your SMS code is "048213" and is valid for 5 minutes.',
      async (phone) =>
        (await send(urlOf('keycloak'), keycloakPost({ user: 'acme', password: secret, phone, code: '048213' }))).status,
      200,
    ],
  ])('goes out as that text: of %s', async (_system, text, post, sent) => {
    const phone = newPhone()
    expect(await post(phone)).toEqual(sent)
    expect(await textsOf(phone)).toEqual([text])
  })
})
