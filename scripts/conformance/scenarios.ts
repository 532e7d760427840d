/**
 * What makes an answer of the contract happen from outside, with nothing but a test key: by operationId, by status, and by
 * the name of the answer's example, which for an error is its code. Whether the answers are as documented, this file does
 * not know. What needs a hand inside of the server stands in `test/contract/scenarios.ts`.
 */
import { randomUUID } from 'node:crypto'
import type { OperationId } from '../../src/contract/operation.ts'
import { ulidTime } from '../../src/kit/runtime.ts'
import type { Caller, Scenario } from './caller.ts'
import { optOutScenarios } from './optOutScenarios.ts'
import { but, compressed, tooLarge, withBadKeys, withoutScope, withTakenKey } from './refusals.ts'
import type { Request } from './request.ts'
import { templateScenarios } from './templateScenarios.ts'
import { numberThatIs } from './testNumbers.ts'

export const unknownId = `req_${'0'.repeat(26)}`
const rightCode = '000000'
const wrongCode = '111111'
/** All that a send may say of the text. */
const wanted = { locale: 'pt-BR', autofill: { domain: 'acme.com', app_hash: 'FA+9qCX9VSu' } }
/** All that a send may say of who asks. */
const signals = {
  ...{ ip: '203.0.113.7', user_id: 'user-1042', device_id: 'device-7', user_agent: 'Firefox/140.0', platform: 'web' },
  ...{ app_version: '4.2.0', trusted: true, captcha: { provider: 'turnstile', score: 0.9 } },
}

export const scenarios = {
  sendVerification: {
    200: { sent: but(send, async ({ newPhone }) => ({ body: { ...wanted, signals, phone: newPhone() } })) },
    400: {
      invalid_request: but(send, { body: { length: 9, colour: 'red' } }),
      invalid_json: but(send, { body: '{' }),
      invalid_phone: but(send, { body: { phone: '+1415555010' } }),
    },
    401: withBadKeys(send),
    403: { insufficient_scope: withoutScope(send, 'verify:write') },
    409: withTakenKey(send, 'sendVerification'),
    413: tooLarge(send),
    415: compressed(send),
    429: {
      resend_cooldown: but(send, async () => ({ body: { phone: numberThatIs('429 `resend_cooldown` at send') } })),
    },
  },
  checkVerification: {
    200: {
      verified: check,
      incorrect_code: checkAfter(async () => {}, wrongCode),
      attempts_exhausted: checkAfter(async (caller, id) => {
        for (let attempt = 1; attempt <= 4; attempt++) await caller.check(id, wrongCode)
      }, wrongCode),
      expired: async (caller) => ({ key: caller.key, body: { request_id: await caller.expired(), code: rightCode } }),
      already_verified: checkAfter((caller, id) => caller.check(id, rightCode)),
      superseded: checkAfter((caller, _id, phone) => caller.send(phone)),
    },
    400: {
      invalid_request: checkAfter(async () => {}, '00O000'),
      invalid_json: but(check, { body: '{' }),
    },
    401: withBadKeys(check),
    403: { insufficient_scope: withoutScope(check, 'verify:write') },
    404: { verification_not_found: but(check, { body: { request_id: unknownId, code: rightCode } }) },
    409: withTakenKey(check, 'checkVerification'),
    413: tooLarge(check),
    415: compressed(check),
  },
  checkVerificationByPhone: {
    200: {
      verified: checkByPhone,
      incorrect_code: but(checkByPhone, async (caller) => ({
        body: { phone: await pending(caller), code: wrongCode },
      })),
      attempts_exhausted: but(checkByPhone, async (caller) => {
        const body = { phone: await pending(caller), code: wrongCode }
        for (let attempt = 1; attempt <= 4; attempt++) {
          await caller.ask('checkVerificationByPhone', { key: caller.key, body })
        }
        return { body }
      }),
    },
    400: {
      invalid_request: but(checkByPhone, { body: { phone: '+14155550100', code: '00O000' } }),
      invalid_json: but(checkByPhone, { body: '{' }),
    },
    401: withBadKeys(checkByPhone),
    403: { insufficient_scope: withoutScope(checkByPhone, 'verify:write') },
    404: {
      verification_not_found: but(checkByPhone, async ({ newPhone }) => ({
        body: { phone: newPhone(), code: rightCode },
      })),
    },
    409: withTakenKey(checkByPhone, 'checkVerificationByPhone'),
    413: tooLarge(checkByPhone),
    415: compressed(checkByPhone),
  },
  confirmVerification: {
    400: {
      invalid_request: but(confirm, { body: { request_id: unknownId, phone: '+14155550100' } }),
      invalid_json: but(confirm, { body: '{' }),
    },
    401: withBadKeys(confirm),
    403: { insufficient_scope: withoutScope(confirm, 'verify:write') },
    404: { verification_not_found: confirm },
    409: withTakenKey(confirm, 'confirmVerification'),
    413: tooLarge(confirm),
    415: compressed(confirm),
  },
  cancelVerification: {
    200: {
      cancelled: cancel,
      over: cancelAfter((caller, id) => caller.check(id, rightCode)),
    },
    400: {
      invalid_request: but(cancel, { body: { request_id: 'req_1' } }),
      invalid_json: but(cancel, { body: '{' }),
    },
    401: withBadKeys(cancel),
    403: { insufficient_scope: withoutScope(cancel, 'verify:write') },
    404: { verification_not_found: but(cancel, { body: { request_id: unknownId } }) },
    409: withTakenKey(cancel, 'cancelVerification'),
    413: tooLarge(cancel),
    415: compressed(cancel),
  },
  listMessages: {
    200: { page: listFirst, end: list },
    400: { invalid_request: but(list, { query: 'limit=101&phone=4155550100&order=id' }) },
    401: withBadKeys(list),
    403: { insufficient_scope: withoutScope(list, 'messages:read') },
  },
  getMessage: {
    200: {
      sent: createReadScenario('stays `sent`, then `expired`', 'sent'),
      delivered: createReadScenario('delivered', 'delivered'),
      read: createReadScenario('delivered, then read', 'read'),
      failed: createReadScenario('failed with `not_on_channel`', 'failed'),
      expired: async (caller) => ({ key: caller.key, path: { id: await caller.expired() } }),
    },
    400: { invalid_request: but(readUnknown, { path: { id: 'req_1' } }) },
    401: withBadKeys(readUnknown),
    403: { insufficient_scope: withoutScope(readUnknown, 'messages:read') },
    404: { message_not_found: readUnknown },
  },
  sendNotification: {
    200: { queued: notify },
    400: {
      invalid_request: but(notify, async (caller) => ({ body: { phone: caller.newPhone() } })),
      invalid_json: but(notify, { body: '{' }),
      invalid_phone: but(notify, async (caller) => ({ body: { ...(await caller.welcome()), phone: '+1415555010' } })),
      unknown_template: but(notify, async (caller) => ({
        body: { phone: caller.newPhone(), template: `no-${randomUUID()}`, variables: {} },
      })),
      invalid_variables: but(notify, async (caller) => ({
        body: { ...(await caller.welcome()), phone: caller.newPhone(), variables: { nickname: 'Ada' } },
      })),
    },
    401: withBadKeys(notify),
    403: { insufficient_scope: withoutScope(notify, 'notifications:write') },
    409: withTakenKey(notify, 'sendNotification'),
    413: tooLarge(notify),
    415: compressed(notify),
  },
  cancelNotification: {
    200: { cancelled: unschedule, gone: unscheduleSent },
    400: {
      invalid_request: but(unschedule, { body: { request_id: 'req_1' } }),
      invalid_json: but(unschedule, { body: '{' }),
    },
    401: withBadKeys(unschedule),
    403: { insufficient_scope: withoutScope(unschedule, 'notifications:write') },
    404: { message_not_found: but(unschedule, { body: { request_id: unknownId } }) },
    409: withTakenKey(unschedule, 'cancelNotification'),
    413: tooLarge(unschedule),
    415: compressed(unschedule),
  },
  ...templateScenarios,
  ...optOutScenarios,
} satisfies { [Id in OperationId]?: Record<number, Record<string, Scenario>> }

/** Each by its name: operationId, status, example. */
export function namedScenarios<Who>(
  table: Record<string, Record<string, Record<string, Scenario<Who>>>>,
): Map<string, Scenario<Who>> {
  return new Map(
    Object.entries(table).flatMap(([operationId, statuses]) =>
      Object.entries(statuses).flatMap(([status, examples]) =>
        Object.entries(examples).map(
          ([example, scenario]) => [`${operationId} ${status} ${example}`, scenario] as const,
        ),
      ),
    ),
  )
}

export async function send(caller: Caller): Promise<Request> {
  return { key: caller.key, body: { phone: caller.newPhone() } }
}

export function check(caller: Caller): Promise<Request> {
  return checkAfter(async () => {})(caller)
}

function checkAfter(
  before: (caller: Caller, id: string, phone: string) => Promise<unknown>,
  code = rightCode,
): Scenario {
  return async (caller) => {
    const phone = caller.newPhone()
    const request_id = await caller.send(phone)
    await before(caller, request_id, phone)
    return { key: caller.key, body: { request_id, code } }
  }
}

export async function checkByPhone(caller: Caller): Promise<Request> {
  return { key: caller.key, body: { phone: await pending(caller), code: rightCode } }
}

/** A phone that a code is pending for. */
async function pending(caller: Caller): Promise<string> {
  const phone = caller.newPhone()
  await caller.send(phone)
  return phone
}

/** Of a code that was made there, which cannot be confirmed: a key needs a scope of its own to send another one. */
export async function confirm(caller: Caller): Promise<Request> {
  return { key: caller.key, body: { request_id: await caller.send(caller.newPhone()) } }
}

export function cancel(caller: Caller): Promise<Request> {
  return cancelAfter(async () => {})(caller)
}

function cancelAfter(before: (caller: Caller, id: string) => Promise<unknown>): Scenario {
  return async (caller) => {
    const request_id = await caller.send(caller.newPhone())
    await before(caller, request_id)
    return { key: caller.key, body: { request_id } }
  }
}

/** Of a phone that got nothing. */
export async function list(caller: Caller): Promise<Request> {
  return { key: caller.key, query: { phone: caller.newPhone() } }
}

async function listFirst(caller: Caller): Promise<Request> {
  const phone = numberThatIs('delivered')
  for (let sent = 0; sent < 2; sent++) await caller.reached(await caller.send(phone), 'delivered')
  return { key: caller.key, query: { phone, kind: 'verification', status: 'delivered', limit: '1' } }
}

function createReadScenario(outcome: string, status: string): Scenario {
  return async (caller) => {
    const id = await caller.send(numberThatIs(outcome))
    await caller.reached(id, status)
    return { key: caller.key, path: { id } }
  }
}

export async function readUnknown(caller: Caller): Promise<Request> {
  return { key: caller.key, path: { id: unknownId } }
}

export async function notify(caller: Caller): Promise<Request> {
  return { key: caller.key, body: { phone: caller.newPhone(), ...(await caller.welcome()) } }
}

/** Of a notification that waits for its time. */
export async function unschedule(caller: Caller): Promise<Request> {
  // An id has the time of the service, whose clock may be another one.
  const now = ulidTime((await caller.send(caller.newPhone())).slice('req_'.length))
  const send_at = new Date(now.getTime() + 3600_000).toISOString()
  return { key: caller.key, body: { request_id: await notified(caller, caller.newPhone(), { send_at }) } }
}

async function unscheduleSent(caller: Caller): Promise<Request> {
  const request_id = await notified(caller, numberThatIs('delivered'))
  await caller.reached(request_id, 'delivered')
  return { key: caller.key, body: { request_id } }
}

async function notified(caller: Caller, phone: string, more: object = {}): Promise<string> {
  const body = { phone, ...(await caller.welcome()), ...more }
  const { data } = (await caller.ask('sendNotification', { key: caller.key, body })) as { data: { request_id: string } }
  return data.request_id
}
