/** What an auth system makes of each answer of its kind: read as its own source reads it. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileAnswers, type PostOutcome } from '../../src/inlets/answer.ts'
import { inletKind } from '../../src/inlets/shipped.ts'
import { authentikSends } from './players/authentik.ts'
import { authgearSends } from './players/authgear.ts'
import { logtoSends } from './players/logto.ts'
import { supabaseSends } from './players/supabase.ts'
import { zitadelSends } from './players/zitadel.ts'

/** Answers any post with what the kind has for the outcome, as a door would. */
let given: { kind: string; outcome: PostOutcome }
let server: Server
let url: string
beforeAll(async () => {
  server = createServer((request, response) => {
    const { status, type, text } = compileAnswers(inletKind(given.kind)!)(given.outcome) ?? usual
    request.resume().once('end', () => {
      response.writeHead(status, { 'Content-Type': type, ...(status >= 429 && { 'Retry-After': '30' }) }).end(text)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/inlets/acct_default/one`
})
afterAll(() => server?.close())
const usual = { status: 403, type: 'application/json', text: '{"success":false,"data":{}}' }

const to = '+14155550100'
const now = new Date('2026-11-24T15:00:00Z')
const [secret, code] = ['the-secret-of-this-inlet', '048213']
const players: Record<string, () => Promise<unknown>> = {
  supabase: () => supabaseSends(url, { secrets: [], userId: 'user-1', phone: '14155550100', otp: code, now }),
  zitadel: () => zitadelSends(url, { signingKeys: [secret], phone: to, code, text: code, now }),
  logto: () => logtoSends(url, { authorization: secret, to, payload: { code } }),
  authgear: () => authgearSends(url, { secret, to, body: code, code }),
  authentik: () => authentikSends(url, { auth: { token: secret }, to, token: code }),
}

const tooMany = 'Too many codes were sent to this phone number. Please try again later.'
const noNumber = 'This phone number cannot get codes. Please check it.'
const tryAgain = 'The code could not be sent. Please try again.'
const unavailable = 'Service currently unavailable due to hook'

describe.each<[string, [PostOutcome, unknown][]]>([
  [
    'supabase',
    [
      ['accepted', { status: 200, tries: 1 }],
      ['send_limit_reached', { status: 429, message: tooMany, tries: 1 }],
      ['invalid_phone', { status: 422, message: noNumber, tries: 1 }],
      ['insufficient_scope', { status: 422, message: 'The code could not be sent.', tries: 1 }],
      ['service_unavailable', { status: 500, message: unavailable, tries: 3 }],
    ],
  ],
  [
    'zitadel',
    [
      ['accepted', undefined],
      ['send_limit_reached', expect.stringContaining('returned 403')],
    ],
  ],
  [
    'logto',
    [
      ['accepted', undefined],
      ['send_limit_reached', { code: 'connector.general', data: tooMany }],
      ['invalid_phone', { code: 'connector.general', data: noNumber }],
      ['service_unavailable', { code: 'connector.general', data: tryAgain }],
    ],
  ],
  [
    'authgear',
    [
      ['accepted', undefined],
      ['invalid_phone', 'SMSGatewayInvalidPhoneNumber'],
      ['send_limit_reached', 'SMSGatewayRateLimited'],
      ['resend_cooldown', 'SMSGatewayRateLimited'],
      ['country_not_allowed', 'SMSGatewayDeliveryRejected'],
      ['no_channel', 'SMSGatewayDeliveryRejected'],
      ['unreadable', 'SMSGatewayUnsupportedRequest'],
      ['service_unavailable', 'UnexpectedError'],
    ],
  ],
  [
    'authentik',
    [
      ['accepted', undefined],
      ['send_limit_reached', tooMany],
      ['no_channel', 'Codes cannot be sent to this phone number.'],
      ['service_unavailable', tryAgain],
    ],
  ],
])('%s', (kind, answers) => {
  it.each(answers)('tells people in its own way what came of a post: %s', async (outcome, told) => {
    given = { kind, outcome }
    expect(await players[kind]!()).toEqual(told)
  })
})
