/** What is measured: what the service is asked, and what the bare server beside it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountSidOf, serviceSidOf } from '../../src/domain/twilioSid.ts'
import type { BareKind } from './bare.ts'
import type { Ask } from './load.ts'
import type { Service } from './service.ts'

/** What a run of an ask needs from outside of it. */
export interface Supply {
  key: string
  /** Index of the first phone that nobody has used. */
  phonesFrom: number
  /** Of messages that are there. */
  ids: string[]
  /** That codes are pending for, where a run has prepared them. */
  phones?: string[]
}

export interface Measure {
  name: string
  title: string
  bare: BareKind
  /** Asked of the bare server. */
  bareAsk: (supply: Supply) => Ask
  /** Has the bare server send the codes that are prepared for a run. */
  bareSend?: (supply: Pick<Supply, 'phonesFrom'>) => Ask
  /** SQL for what the bare server is asked of each of those codes, in a column `text`; their phones when left out. */
  barePending?: string
  /** Asked of the service; a measure without is a bare figure alone. */
  ask?: (supply: Supply) => Ask
  /** A test key always, since its codes are known. */
  mode?: 'test'
  /** On a database whose tables have no statistics. */
  neverAnalysed?: boolean
  /** How many verifications are sent before a run, for each second of it. A run that has checked all of them is over. */
  verificationsPerSecond?: number
  /** Needs messages that are there. */
  reads?: boolean
  /** Measured only by its name. */
  isWhenAsked?: boolean
  /** What the service needs in its database. */
  prepare?: (service: Service, databaseUrl: string) => Promise<void>
}

/** The one that always exists. */
const account = 'acct_default'
const ok = { status: 200 }
const send = { method: 'POST', path: '/v1/verify/send', body: '{"phone":"*"}', expected: ok } as const
const check = { method: 'POST', path: '/v1/verify/check' } as const
const checkByPhone = { method: 'POST', path: '/v1/verify/check-by-phone' } as const
const insert = ({ phonesFrom }: Supply): Ask => ({
  ...{ method: 'POST', path: '/messages', body: '{"phone":"*"}', expected: ok },
  values: { phonesFrom },
})
const betterAuthSend = ({ phonesFrom }: Pick<Supply, 'phonesFrom'>): Ask => ({
  ...{ method: 'POST', path: '/api/auth/phone-number/send-otp', body: '{"phoneNumber":"*"}', expected: ok },
  values: { phonesFrom },
})
const inletSecret = 'the secret of the inlet of the benchmark'

async function applyInlet({ settings, command }: Service, databaseUrl: string): Promise<void> {
  const file = join(settings.DATA_DIR!, 'inlets.yaml')
  await writeFile(file, JSON.stringify([{ id: 'login', kind: 'plain', mode: 'live', secret: inletSecret }]))
  await command(['inlets', 'apply', file], databaseUrl)
}

/** Of five wrong codes, the last is not `incorrect_code` any more. For better-auth, the fourth is one too many. */
const [wrongCodes, wrongForBetterAuth] = [4, 3]
/** Longer than what was sent: never right. */
const wrongCode = '12345678'

/** Sends that prepare another measure. */
export function sendAsk({ key, phonesFrom }: Pick<Supply, 'key' | 'phonesFrom'>): Ask {
  return { ...send, key, values: { phonesFrom }, keepIds: true }
}

/** A notification for tomorrow, which prepares another measure. */
export function laterAsk(supply: Supply): Ask {
  const ask = measures.find(({ name }) => name === 'notify')!.ask!(supply)
  const send_at = new Date(Date.now() + 86_400_000).toISOString()
  return { ...ask, body: ask.body!.replace(/^\{/, `{"send_at":"${send_at}",`) }
}

function wrongByPhone({ key, phones = [] }: Supply): Ask {
  return {
    ...{ ...checkByPhone, key, body: `{"phone":"*","code":"${wrongCode}"}` },
    values: { list: phones, times: wrongCodes, again: false },
    expected: { status: 200, text: '"incorrect_code"' },
  }
}

function rightByPhone({ key, phones = [] }: Supply): Ask {
  return {
    ...{ ...checkByPhone, key, body: '{"phone":"*","code":"000000"}' },
    values: { list: phones, times: 1, again: false },
    expected: { status: 200, text: '"verified":true' },
  }
}

function sendToSomebodyNew({ key, phonesFrom: peopleFrom }: Supply): Ask {
  return { ...send, key, values: { peopleFrom } }
}

export const measures: Measure[] = [
  {
    name: 'send',
    title: 'send a code',
    bare: 'insert',
    bareAsk: insert,
    ask: sendToSomebodyNew,
  },
  {
    name: 'twilio-send',
    title: 'send a code by the wire of Twilio Verify',
    bare: 'insert',
    bareAsk: insert,
    ask: ({ key, phonesFrom: peopleFrom }) => ({
      ...{
        method: 'POST',
        path: `/v2/Services/${serviceSidOf(account)}/Verifications`,
        key,
        expected: { status: 201 },
      },
      ...{ user: accountSidOf(account), body: 'To=*&Channel=sms', values: { peopleFrom } },
    }),
  },
  {
    name: 'inlet',
    title: 'take in a code by an inlet',
    bare: 'insert',
    bareAsk: insert,
    prepare: applyInlet,
    ask: ({ phonesFrom: peopleFrom }) => ({
      ...{ method: 'POST', path: `/inlets/${account}/login`, key: inletSecret, expected: ok },
      ...{ body: '{"phone":"*","code":"482913"}', values: { peopleFrom } },
    }),
  },
  {
    name: 'notify',
    title: 'send a notification',
    bare: 'insert',
    bareAsk: insert,
    ask: ({ key, phonesFrom }) => ({
      ...{ method: 'POST', path: '/v1/notifications/send', key, expected: ok },
      body: '{"phone":"*","template":"welcome","variables":{"name":"Ada"}}',
      values: { phonesFrom },
    }),
  },
  {
    name: 'check-wrong',
    title: 'check a wrong code, never analysed',
    bare: 'insert',
    bareAsk: insert,
    ask: ({ key, ids }) => ({
      ...{ ...check, key, body: `{"request_id":"*","code":"${wrongCode}"}` },
      values: { list: ids, times: wrongCodes, again: false },
      expected: { status: 200, text: '"incorrect_code"' },
    }),
    neverAnalysed: true,
    verificationsPerSecond: 500,
  },
  {
    name: 'check-right',
    title: 'check a right code',
    bare: 'insert',
    bareAsk: insert,
    ask: ({ key, ids }) => ({
      ...{ ...check, key, body: '{"request_id":"*","code":"000000"}' },
      values: { list: ids, times: 1, again: false },
      expected: { status: 200, text: '"verified":true' },
    }),
    mode: 'test',
    verificationsPerSecond: 1000,
  },
  {
    name: 'by-phone-wrong',
    title: 'check a wrong code by phone, never analysed',
    bare: 'insert',
    bareAsk: insert,
    ask: wrongByPhone,
    neverAnalysed: true,
    verificationsPerSecond: 500,
  },
  {
    name: 'by-phone-right',
    title: 'check a right code by phone',
    bare: 'insert',
    bareAsk: insert,
    ask: rightByPhone,
    mode: 'test',
    verificationsPerSecond: 1000,
  },
  {
    name: 'get',
    title: 'read a message',
    bare: 'select',
    bareAsk: ({ ids }) => ({
      ...{ method: 'GET', path: '/messages/*', expected: ok },
      values: { list: ids, times: 1, again: true },
    }),
    ask: ({ key, ids }) => ({
      ...{ method: 'GET', path: '/v1/messages/*', key, expected: ok },
      values: { list: ids, times: 1, again: true },
    }),
    reads: true,
  },
  {
    name: '401',
    title: 'refuse a request without a key',
    bare: 'express',
    bareAsk: () => ({ method: 'GET', path: '/nothing', expected: { status: 401 } }),
    ask: () => ({ method: 'GET', path: '/v1/messages/req_01KA0000000000000000000000', expected: { status: 401 } }),
  },
  {
    name: 'better-auth-send',
    title: 'send a code, as better-auth does',
    bare: 'betterAuth',
    bareAsk: betterAuthSend,
    ask: sendToSomebodyNew,
    isWhenAsked: true,
  },
  {
    name: 'better-auth-wrong',
    title: 'check a wrong code by phone, as better-auth does',
    bare: 'betterAuth',
    bareSend: betterAuthSend,
    bareAsk: ({ phones = [] }) => ({
      ...{ method: 'POST', path: '/api/auth/phone-number/verify' },
      body: `{"phoneNumber":"*","code":"${wrongCode}"}`,
      values: { list: phones, times: wrongForBetterAuth, again: false },
      expected: { status: 400, text: '"INVALID_OTP"' },
    }),
    ask: wrongByPhone,
    verificationsPerSecond: 500,
    isWhenAsked: true,
  },
  {
    name: 'better-auth-right',
    title: 'check a right code by phone, as better-auth does',
    bare: 'betterAuth',
    bareSend: betterAuthSend,
    barePending: `select format('"phoneNumber":"%s","code":"%s"', replace(identifier, 'phone-number-otp-', ''), split_part(value, ':', 1)) as text
      from verification where "expiresAt" > now() + interval '1 minute'`,
    bareAsk: ({ phones = [] }) => ({
      ...{ method: 'POST', path: '/api/auth/phone-number/verify', body: '{*,"disableSession":true}' },
      values: { list: phones, times: 1, again: false },
      expected: { status: 200, text: '"status":true' },
    }),
    ask: rightByPhone,
    mode: 'test',
    verificationsPerSecond: 1000,
    isWhenAsked: true,
  },
  {
    name: 'express',
    title: 'answer 200 and nothing else',
    bare: 'express',
    bareAsk: () => ({ method: 'GET', path: '/hello', expected: ok }),
  },
]
