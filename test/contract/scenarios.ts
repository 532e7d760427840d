/**
 * What makes each answer of the contract happen on a real server: by operationId, by status, and by the name of the
 * answer's example, which for an error is its code. Whether those answers are as documented, this file does not know. What
 * a test key is enough for stands in `scripts/conformance/scenarios.ts`, and is asked of any deployment.
 */
import { randomUUID } from 'node:crypto'
import type { operations } from '../../generated/types.ts'
import type { Caller } from '../../scripts/conformance/caller.ts'
import { askOptOut } from '../../scripts/conformance/optOutScenarios.ts'
import * as refusals from '../../scripts/conformance/refusals.ts'
import { bodyOf, buildHeaders, buildTarget, type Request as OutsideRequest } from '../../scripts/conformance/request.ts'
import * as outside from '../../scripts/conformance/scenarios.ts'
import {
  deleteTemplate,
  getTemplate,
  listTemplates,
  preview,
  putTemplate,
} from '../../scripts/conformance/templateScenarios.ts'
import { extraScopes, operationFacts, scopes } from '../../src/contract/document.ts'
import type { OperationId } from '../../src/contract/operation.ts'
import { defaultAccount } from '../../src/domain/access/account.ts'
import type { ErrorCode } from '../../src/kit/problem.ts'
import { readAnswer } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { startTcpProxy } from '../support/tcpProxy.ts'
import { readPassedOn } from './passedOn.ts'
import { blocked, challenged, optedOutPhone, outOfBudget, type Refused, unconnected } from './refused.ts'

/** Does what has to happen before, and says what to ask then. */
export type Scenario = (stage: Stage) => Promise<Request>

export interface Request extends OutsideRequest {
  /** When it is not the server that all others ask. */
  server?: TestServer
  /** Gives back, once the answer is there, what was taken away for it. */
  undo?: () => unknown
}

type Examples<Status> = Status extends 200 | 201 | 202 ? Record<string, Scenario> : { [Code in ErrorCode]?: Scenario }

type Scenarios = {
  [Id in OperationId]: { [Status in keyof operations[Id]['responses']]: Examples<Status> }
}

const but = refusals.but<Stage, Request>
const { send, check, notify } = outside

const scenarios: Scenarios = {
  sendVerification: {
    ...outside.scenarios.sendVerification,
    401: withBadKeys(send),
    403: {
      ...outside.scenarios.sendVerification[403],
      country_not_allowed: but(send, { body: { phone: '+4915112345678' } }),
      no_channel: by(unconnected, send),
      send_blocked: by(blocked, send),
      challenge_required: by(challenged, send),
      budget_spent: by(outOfBudget, send),
    },
    409: withTakenKeys(send, 'sendVerification'),
    429: {
      ...outside.scenarios.sendVerification[429],
      send_limit_reached: sendAfterFiveTimes,
      ...tooOften(send),
    },
    500: withoutTable(send, 'phone'),
    503: withoutDatabase(send),
  },
  checkVerification: {
    ...outside.scenarios.checkVerification,
    200: {
      ...outside.scenarios.checkVerification[200],
      verified_with_receipt: withReceipt(check),
      verified_without_receipt: withReceipt(checkOwnCode),
    },
    401: withBadKeys(check),
    409: withTakenKeys(check, 'checkVerification'),
    429: { check_limit_reached: checkAfterTenWrongCodes, ...tooOften(check) },
    500: withoutTable(check, 'phone'),
    503: withoutDatabase(check),
  },
  checkVerificationByPhone: {
    ...outside.scenarios.checkVerificationByPhone,
    200: {
      ...outside.scenarios.checkVerificationByPhone[200],
      verified_with_receipt: withReceipt(outside.checkByPhone),
      verified_without_receipt: withReceipt(checkOwnCodeByPhone),
    },
    401: withBadKeys(outside.checkByPhone),
    409: withTakenKeys(outside.checkByPhone, 'checkVerificationByPhone'),
    429: { check_limit_reached: checkByPhoneAfterTenWrongCodes, ...tooOften(outside.checkByPhone) },
    500: withoutTable(outside.checkByPhone, 'phone'),
    503: withoutDatabase(outside.checkByPhone),
  },
  confirmVerification: {
    ...outside.scenarios.confirmVerification,
    200: {
      confirmed: confirmAfter(async () => {}),
      already_verified: confirmAfter(({ server }, id) => server.test.post('/v1/verify/confirm', { request_id: id })),
      expired: confirmAfter(({ server }) => server.advance(600)),
      superseded: confirmAfter(({ server }, _id, phone) => server.test.send(phone)),
      attempts_exhausted: confirmAfter(({ server }, id) => times(5, () => server.test.check(id, '111111'))),
    },
    ...refusedByAll(outside.confirm, 'message'),
    409: withTakenKeys(outside.confirm, 'confirmVerification'),
    429: { check_limit_reached: confirmAfterTenWrongCodes, ...tooOften(outside.confirm) },
  },
  cancelVerification: {
    ...outside.scenarios.cancelVerification,
    ...refusedByAll(outside.cancel, 'phone'),
    409: withTakenKeys(outside.cancel, 'cancelVerification'),
  },
  listMessages: {
    ...outside.scenarios.listMessages,
    ...refusedByAll(outside.list, 'message'),
  },
  getMessage: {
    ...outside.scenarios.getMessage,
    200: { ...outside.scenarios.getMessage[200], queued: readNotification, passed_on: readPassedOn },
    ...refusedByAll(read, 'message'),
  },
  sendNotification: {
    ...outside.scenarios.sendNotification,
    ...refusedByAll(notify, 'template'),
    403: {
      ...outside.scenarios.sendNotification[403],
      country_not_allowed: but(notify, { body: welcome('+4915112345678') }),
      no_channel: by(unconnected, notify),
      budget_spent: by(outOfBudget, notify),
      opted_out: async (stage) => ({ key: stage.key, body: welcome(await optedOutPhone(stage)) }),
    },
    409: withTakenKeys(notify, 'sendNotification'),
    429: { send_limit_reached: notifyAfterSixtyTimes, ...tooOften(notify) },
  },
  cancelNotification: {
    ...outside.scenarios.cancelNotification,
    409: withTakenKeys(outside.unschedule, 'cancelNotification'),
    ...refusedByAll(outside.unschedule, 'scheduled'),
  },
  previewNotification: {
    ...outside.scenarios.previewNotification,
    200: { ...outside.scenarios.previewNotification[200], spent: by(outOfBudget, preview) },
    409: withTakenKeys(preview, 'previewNotification'),
    ...refusedByAll(preview, 'template'),
  },
  listTemplates: { ...outside.scenarios.listTemplates, ...refusedByAll(listTemplates, 'template') },
  getTemplate: { ...outside.scenarios.getTemplate, ...refusedByAll(getTemplate, 'template') },
  putTemplate: { ...outside.scenarios.putTemplate, ...refusedByAll(putTemplate, 'template') },
  deleteTemplate: { ...outside.scenarios.deleteTemplate, ...refusedByAll(deleteTemplate, 'template') },
  addOptOut: { ...outside.scenarios.addOptOut, ...ofOptOuts('addOptOut') },
  removeOptOut: { ...outside.scenarios.removeOptOut, ...ofOptOuts('removeOptOut') },
  findOptOut: { ...outside.scenarios.findOptOut, ...ofOptOuts('findOptOut') },
}

/** What all three answer alike. */
function ofOptOuts(operationId: OperationId) {
  return { 409: withTakenKeys(askOptOut, operationId), ...refusedByAll(askOptOut, 'opt_out') }
}

/** What any operation refuses alike. @param table that it cannot do without */
function refusedByAll(good: Scenario, table: string) {
  return { 401: withBadKeys(good), 429: tooOften(good), 500: withoutTable(good, table), 503: withoutDatabase(good) }
}

/** Each scenario by its name: operationId, status, example. */
export function namedScenarios(): Map<string, Scenario> {
  return outside.namedScenarios<Stage>(scenarios)
}

/** Where scenarios play: servers that share one database, clock and account. */
export interface Stage extends Caller {
  server: TestServer
  /** Lets no request of a live key pass. */
  throttled: TestServer
  /** Cannot reach its database any more. */
  cutOff: TestServer
  close: () => Promise<void>
}

export async function openStage(): Promise<Stage> {
  // As in production: the response guard would turn an answer that breaks the contract into another one.
  const publicUrl = 'https://otp.acme.com'
  const config = { production: true, twilioVerify: true, countriesAllowed: new Set(['US']), publicUrl }
  const server = await startServer({ config })
  // With a rate of one, a second request would pass whenever the machine takes a second for it.
  const throttled = await startServer({ config: { ...config, keyRatePerSecond: 0, keyBurst: 0 }, beside: server })
  const database = server.database!
  const wire = await startTcpProxy(database.settings.url)
  const settings = { ...database.settings, url: wire.url }
  const cutOff = await startServer({ config, beside: { ...server, database: { ...database, settings } } })
  wire.cut()
  return {
    ...(await callerOf(server)),
    server,
    throttled,
    cutOff,
    close: async () => {
      wire.restore()
      await cutOff.close()
      await wire.close()
      await throttled.close()
      await server.close()
    },
  }
}

async function callerOf(server: TestServer): Promise<Caller> {
  const key = await server.key()
  // The list of the others' templates has an example.
  await server.app.accounts.create('a pipeline')
  const reached = async (id: string) => {
    await server.work()
    return id
  }
  return {
    key,
    keyWith: (scope) => server.key({ account: 'a pipeline', scopes: [...scopes, scope] }),
    keyWithout: (missing) => server.key({ scopes: scopes.filter((scope) => scope !== missing) }),
    newPhone,
    welcome: async () => ({ template: 'welcome', variables: { name: 'Ada' } }),
    ask: async (operation, asked) => {
      const { method, path } = operationFacts.find(({ operationId }) => operationId === operation)!
      const sent = { method: method.toUpperCase(), headers: buildHeaders(asked), body: bodyOf(asked) ?? null }
      return readAnswer(await fetch(server.url + buildTarget(path, asked), sent))
    },
    send: server.test.send,
    check: server.test.check,
    reached,
    expired: async () => {
      const id = await server.test.send(newPhone())
      await server.advance(600)
      return id
    },
  }
}

/** A deployment without a public address signs none. */
function withReceipt(scenario: (stage: Stage) => Promise<Request>): Scenario {
  return async (stage) => {
    const request = await scenario(stage)
    return { ...request, body: { ...(request.body as object), receipt: { audience: 'shop', nonce: 'n-0S6' } } }
  }
}

async function checkOwnCode({ server, key }: Stage): Promise<Request> {
  return { key, body: { request_id: await sendOwnCode(server, newPhone()), code: '407182' } }
}

async function checkOwnCodeByPhone({ server, key }: Stage): Promise<Request> {
  const phone = newPhone()
  await sendOwnCode(server, phone)
  return { key, body: { phone, code: '407182' } }
}

async function sendOwnCode(server: TestServer, phone: string, mode: 'live' | 'test' = 'test'): Promise<string> {
  const key = await server.key({ mode, scopes: [...scopes, ...extraScopes] })
  return server.as(key).send(phone, { code: '407182' })
}

export async function sendAfterFiveTimes({ server }: Stage): Promise<Request> {
  const phone = newPhone()
  await times(5, async () => {
    await server.live.send(phone)
    await server.advance(60)
  })
  return { key: await server.key({ mode: 'live' }), body: { phone } }
}

async function checkAfterTenWrongCodes(stage: Stage): Promise<Request> {
  const { key, request_id, code } = await tenWrongCodes(stage.server)
  return { key, body: { request_id, code } }
}

async function checkByPhoneAfterTenWrongCodes(stage: Stage): Promise<Request> {
  const { key, phone, code } = await tenWrongCodes(stage.server)
  return { key, body: { phone, code } }
}

/** Of a code that the caller made. */
function confirmAfter(before: (stage: Stage, id: string, phone: string) => Promise<unknown>): Scenario {
  return async (stage) => {
    const phone = newPhone()
    const request_id = await sendOwnCode(stage.server, phone)
    await before(stage, request_id, phone)
    return { key: stage.key, body: { request_id } }
  }
}

async function confirmAfterTenWrongCodes({ server }: Stage): Promise<Request> {
  const key = await server.key({ mode: 'live' })
  const { request_id } = await tenWrongCodes(server, (phone) => sendOwnCode(server, phone, 'live'))
  return { key, body: { request_id } }
}

async function tenWrongCodes(server: TestServer, send: (phone: string) => Promise<string> = server.live.send) {
  const phone = newPhone()
  const code = '0000'
  let request_id = ''
  await times(2, async () => {
    request_id = await send(phone)
    // A live code is random, but has six digits: four are never right.
    await times(5, () => server.live.check(request_id, code))
    await server.advance(60)
  })
  return { key: await server.key({ mode: 'live' }), phone, request_id, code }
}

async function read(caller: Caller): Promise<Request> {
  return { key: caller.key, path: { id: await caller.send(caller.newPhone()) } }
}

async function readNotification({ server }: Stage): Promise<Request> {
  const { data } = await server.test.post<{ request_id: string }>('/v1/notifications/send', welcome())
  return { key: await server.key(), path: { id: data.request_id } }
}

async function notifyAfterSixtyTimes({ server }: Stage): Promise<Request> {
  const body = welcome()
  await times(60, () => server.live.post('/v1/notifications/send', body))
  return { key: await server.key({ mode: 'live' }), body }
}

function welcome(phone = newPhone()): object {
  return { phone, template: 'welcome', variables: { name: 'Ada' } }
}

export function withBadKeys(good: Scenario) {
  return {
    ...refusals.withBadKeys(good),
    revoked_api_key: but(good, async ({ server }) => {
      const { key, id } = await server.newKey()
      await server.app.apiKeys.revoke(id)
      return { key }
    }),
    expired_api_key: but(good, async ({ server }) => ({
      key: await server.key({ expiresAt: server.runtime.now() }),
    })),
  }
}

function by(make: (stage: Stage) => Promise<Refused>, good: Scenario): Scenario {
  return but(good, async (stage) => ({ key: (await make(stage)).key }))
}

function withTakenKeys(good: Scenario, operation: OperationId) {
  return {
    ...refusals.withTakenKey(good, operation),
    idempotency_in_progress: but(good, async ({ server }) => {
      const key = randomUUID()
      const { id: accountId } = await server.app.accounts.require(defaultAccount)
      const lock = JSON.stringify([accountId, 'test', operation, key])
      const first = await server.database!.sql.reserve()
      await first`select pg_advisory_lock(hashtextextended(${lock}, 0))`
      return {
        headers: { 'Idempotency-Key': key },
        undo: async () => {
          await first`select pg_advisory_unlock_all()`
          first.release()
        },
      }
    }),
  }
}

/** One that no server has seen before. */
function withNewKey(good: Scenario, changes?: Parameters<TestServer['key']>[0]): Scenario {
  return but(good, async ({ server }) => ({ key: await server.key(changes) }))
}

export function tooOften(good: Scenario) {
  return {
    rate_limited: but(withNewKey(good, { mode: 'live' }), async ({ throttled }) => ({ server: throttled })),
  }
}

export function withoutTable(good: Scenario, table: string) {
  return {
    internal_error: but(good, async ({ server }) => {
      const { sql } = server.database!
      const rename = (from: string, to: string) => sql`alter table ${sql(from)} rename to ${sql(to)}`
      await rename(table, 'elsewhere')
      return { undo: () => rename('elsewhere', table) }
    }),
  }
}

export function withoutDatabase(good: Scenario) {
  return { service_unavailable: but(good, async ({ cutOff }) => ({ server: cutOff })) }
}

/** One after the other. */
async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done++) await work()
}
