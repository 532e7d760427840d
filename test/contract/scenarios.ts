/**
 * What makes each answer of the contract happen on a real server: by operationId, by status, and by the name of the
 * answer's example, which for an error is its code. Whether those answers are as documented, this file does not know.
 */
import { randomUUID } from 'node:crypto'
import type { operations } from '../../generated/types.ts'
import { bodyBytesMax, operationFacts, scopes } from '../../src/contract/document.ts'
import type { OperationId } from '../../src/contract/operation.ts'
import { defaultAccount } from '../../src/domain/account.ts'
import { newKey } from '../../src/domain/keyText.ts'
import type { ErrorCode } from '../../src/problem.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { startTcpProxy } from '../support/tcpProxy.ts'

/** Does what has to happen before, and says what to ask then. */
export type Scenario = (stage: Stage) => Promise<Request>

export interface Request {
  /** Of the API; undefined for a request without one. */
  key: string | undefined
  /** For the place in the path. */
  id?: string
  /** For the query, behind the question mark. */
  query?: string
  headers?: Record<string, string>
  /** Text is sent as it is, all else as JSON. */
  body?: unknown
  /** When it is not the server that all others ask. */
  server?: TestServer
  /** Gives back, once the answer is there, what was taken away for it. */
  undo?: () => unknown
}

/** @param path as the contract writes it */
export function targetOf(path: string, { id = '', query }: Request): string {
  return path.replace('{id}', id) + (query === undefined ? '' : `?${query}`)
}

export function headersOf({ key, body, headers }: Request): Record<string, string> {
  return {
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  }
}

/** As it is sent; undefined for a request without one. */
export function bodyOf({ body }: Request): string | undefined {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

type Examples<Status> = Status extends 200 ? Record<string, Scenario> : { [Code in ErrorCode]?: Scenario }

type Scenarios = {
  [Id in OperationId]: { [Status in keyof operations[Id]['responses']]: Examples<Status> }
}

const unknownId = `req_${'0'.repeat(26)}`

const scenarios: Scenarios = {
  sendVerification: {
    200: { sent: send },
    400: {
      invalid_request: but(send, { body: { length: 9, colour: 'red' } }),
      invalid_json: but(send, { body: '{' }),
      invalid_phone: but(send, { body: { phone: '+10000000000' } }),
    },
    401: withBadKeys(send),
    403: {
      insufficient_scope: withoutScope(send, 'verify:write'),
      country_not_allowed: but(send, { body: { phone: '+4915112345678' } }),
      no_channel: withoutConnections(send),
    },
    409: withTakenKeys(send, 'sendVerification'),
    413: tooLarge(send),
    415: compressed(send),
    429: {
      resend_cooldown: sendAfter((server, phone) => server.live.send(phone)),
      send_limit_reached: sendAfter((server, phone) =>
        times(5, async () => {
          await server.live.send(phone)
          await server.advance(60)
        }),
      ),
      ...tooOften(send),
    },
    500: withoutTable(send, 'phone'),
    503: withoutDatabase(send),
  },
  checkVerification: {
    200: {
      verified: check,
      incorrect_code: checkAfter(() => {}, '111111'),
      attempts_exhausted: checkAfter((server, id) => times(4, () => server.test.check(id, '111111')), '111111'),
      expired: checkAfter((server) => server.advance(600)),
      already_verified: checkAfter((server, id) => server.test.check(id, '000000')),
      superseded: checkAfter((server, _id, phone) => server.test.send(phone)),
    },
    400: {
      invalid_request: checkAfter(() => {}, '00O000'),
      invalid_json: but(check, { body: '{' }),
    },
    401: withBadKeys(check),
    403: { insufficient_scope: withoutScope(check, 'verify:write') },
    404: { verification_not_found: but(check, { body: { request_id: unknownId, code: '000000' } }) },
    409: withTakenKeys(check, 'checkVerification'),
    413: tooLarge(check),
    415: compressed(check),
    429: { check_limit_reached: checkAfterTenWrongCodes, ...tooOften(check) },
    500: withoutTable(check, 'phone'),
    503: withoutDatabase(check),
  },
  cancelVerification: {
    200: {
      cancelled: cancel,
      over: cancelAfter((server, id) => server.test.check(id, '000000')),
    },
    400: {
      invalid_request: but(cancel, { body: { request_id: 'req_1' } }),
      invalid_json: but(cancel, { body: '{' }),
    },
    401: withBadKeys(cancel),
    403: { insufficient_scope: withoutScope(cancel, 'verify:write') },
    404: { verification_not_found: but(cancel, { body: { request_id: unknownId } }) },
    409: withTakenKeys(cancel, 'cancelVerification'),
    413: tooLarge(cancel),
    415: compressed(cancel),
    429: tooOften(cancel),
    500: withoutTable(cancel, 'phone'),
    503: withoutDatabase(cancel),
  },
  listMessages: {
    200: { page: listFirst, end: list },
    400: { invalid_request: but(list, { query: 'limit=101&phone=4155550100&order=id' }) },
    401: withBadKeys(list),
    403: { insufficient_scope: withoutScope(list, 'messages:read') },
    429: tooOften(list),
    500: withoutTable(list, 'message'),
    503: withoutDatabase(list),
  },
  getMessage: {
    200: {
      queued: readNotification,
      sent: read,
      delivered: readAfter((server) => server.work(), '+14155550100'),
      read: readAfter((server) => server.work(), '+14155550110'),
      failed: readAfter((server) => server.work(), '+14155550120'),
      expired: readAfter((server) => server.advance(600)),
    },
    400: { invalid_request: but(read, { id: 'req_1' }) },
    401: withBadKeys(read),
    403: { insufficient_scope: withoutScope(read, 'messages:read') },
    404: { message_not_found: but(read, { id: unknownId }) },
    429: tooOften(read),
    500: withoutTable(read, 'message'),
    503: withoutDatabase(read),
  },
  sendNotification: {
    200: { queued: notify },
    400: {
      invalid_request: but(notify, { body: { phone: '+14155550100' } }),
      invalid_json: but(notify, { body: '{' }),
      invalid_phone: but(notify, { body: welcome('+10000000000') }),
      unknown_template: but(notify, { body: { ...welcome(), template: 'farewell' } }),
      invalid_variables: but(notify, { body: { ...welcome(), variables: { nickname: 'Ada' } } }),
    },
    401: withBadKeys(notify),
    403: {
      insufficient_scope: withoutScope(notify, 'notifications:write'),
      country_not_allowed: but(notify, { body: welcome('+4915112345678') }),
      no_channel: withoutConnections(notify),
    },
    409: withTakenKeys(notify, 'sendNotification'),
    413: tooLarge(notify),
    415: compressed(notify),
    429: { send_limit_reached: notifyAfterSixtyTimes, ...tooOften(notify) },
    500: withoutTable(notify, 'template'),
    503: withoutDatabase(notify),
  },
}

/** Each scenario by its name: operationId, status, example. */
export function namedScenarios(): Map<string, Scenario> {
  const table: Record<string, Record<string, Record<string, Scenario>>> = scenarios
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

/** Where scenarios play: servers that share one database, clock and account. */
export interface Stage {
  server: TestServer
  /** Lets no request of a live key pass. */
  throttled: TestServer
  /** Cannot reach its database any more. */
  cutOff: TestServer
  close: () => Promise<void>
}

export async function openStage(): Promise<Stage> {
  // As in production: the response guard would turn an answer that breaks the contract into another one.
  const config = { production: true, countriesAllowed: new Set(['US']) }
  const server = await startServer({ config })
  // With a rate of one, a second request would pass whenever the machine takes a second for it.
  const throttled = await startServer({ config: { ...config, keyRatePerSecond: 0, keyBurst: 0 }, beside: server })
  const database = server.database!
  const wire = await startTcpProxy(database.settings.url)
  const settings = { ...database.settings, url: wire.url }
  const cutOff = await startServer({ config, beside: { ...server, database: { ...database, settings } } })
  wire.cut()
  return {
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

async function send({ server }: Stage): Promise<Request> {
  return { key: await server.key(), body: { phone: newPhone() } }
}

function sendAfter(before: (server: TestServer, phone: string) => unknown): Scenario {
  return async ({ server }) => {
    const phone = newPhone()
    await before(server, phone)
    return { key: await server.key({ mode: 'live' }), body: { phone } }
  }
}

function check(stage: Stage): Promise<Request> {
  return checkAfter(() => {})(stage)
}

function checkAfter(before: (server: TestServer, id: string, phone: string) => unknown, code = '000000'): Scenario {
  return async ({ server }) => {
    const phone = newPhone()
    const request_id = await server.test.send(phone)
    await before(server, request_id, phone)
    return { key: await server.key(), body: { request_id, code } }
  }
}

function cancel(stage: Stage): Promise<Request> {
  return cancelAfter(() => {})(stage)
}

function cancelAfter(before: (server: TestServer, id: string) => unknown): Scenario {
  return async ({ server }) => {
    const request_id = await server.test.send(newPhone())
    await before(server, request_id)
    return { key: await server.key(), body: { request_id } }
  }
}

async function checkAfterTenWrongCodes({ server }: Stage): Promise<Request> {
  const phone = newPhone()
  const code = '0000'
  let request_id = ''
  await times(2, async () => {
    request_id = await server.live.send(phone)
    // A live code is random, but has six digits: four are never right.
    await times(5, () => server.live.check(request_id, code))
    await server.advance(60)
  })
  return { key: await server.key({ mode: 'live' }), body: { request_id, code } }
}

function read(stage: Stage): Promise<Request> {
  return readAfter(() => {})(stage)
}

function readAfter(before: (server: TestServer) => unknown, phone = newPhone()): Scenario {
  return async ({ server }) => {
    const id = await server.test.send(phone)
    await before(server)
    return { key: await server.key(), id }
  }
}

/** Of a phone that got nothing. */
async function list({ server }: Stage): Promise<Request> {
  return { key: await server.key(), query: `phone=${newPhone()}` }
}

async function listFirst({ server }: Stage): Promise<Request> {
  const phone = '+14155550100'
  for (let sent = 0; sent < 2; sent++) {
    await server.test.send(phone)
    await server.work()
  }
  return { key: await server.key(), query: `phone=${phone}&kind=verification&status=delivered&limit=1` }
}

async function readNotification({ server }: Stage): Promise<Request> {
  const { data } = await server.test.post<{ request_id: string }>('/v1/notifications/send', welcome())
  return { key: await server.key(), id: data.request_id }
}

async function notify({ server }: Stage): Promise<Request> {
  return { key: await server.key(), body: welcome() }
}

async function notifyAfterSixtyTimes({ server }: Stage): Promise<Request> {
  const body = welcome()
  await times(60, () => server.live.post('/v1/notifications/send', body))
  return { key: await server.key({ mode: 'live' }), body }
}

function welcome(phone = newPhone()): object {
  return { phone, template: 'welcome', variables: { name: 'Ada' } }
}

/** The same request, but for what `change` gives it. */
function but(scenario: Scenario, change: Partial<Request> | ((stage: Stage) => Promise<Partial<Request>>)): Scenario {
  return async (stage) => {
    const request = await scenario(stage)
    return { ...request, ...(typeof change === 'function' ? await change(stage) : change) }
  }
}

function withBadKeys(good: Scenario) {
  return {
    missing_api_key: but(good, { key: undefined }),
    invalid_api_key: but(good, { key: newKey('test') }),
    revoked_api_key: but(good, async ({ server }) => {
      const { key, id } = await server.newKey()
      await server.app.apiKeys.revoke(id)
      return { key }
    }),
    expired_api_key: but(good, async ({ server }) => ({ key: await server.key({ expiresAt: server.runtime.now() }) })),
  }
}

function withoutScope(good: Scenario, missing: string): Scenario {
  return but(good, async ({ server }) => ({
    key: await server.key({ scopes: scopes.filter((scope) => scope !== missing) }),
  }))
}

/** With a live key of an account of its own, which has nothing to send through. */
function withoutConnections(good: Scenario): Scenario {
  return but(good, async ({ server }) => {
    const { id, name: account } = await server.app.accounts.create(`no way ${randomUUID()}`)
    await server.app.templates.apply(id, [{ slug: 'welcome', text: 'Welcome, {{name}}!' }])
    await server.app.connections.apply(id, [])
    return { key: await server.key({ mode: 'live', account }) }
  })
}

function withTakenKeys(good: Scenario, operation: OperationId) {
  const { path } = operationFacts.find(({ operationId }) => operationId === operation)!
  return {
    idempotency_key_reused: but(good, async (stage) => {
      const headers = { 'Idempotency-Key': randomUUID() }
      const { key, body } = await good(stage)
      await stage.server.as(key).post(path, body, headers)
      return { headers }
    }),
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

function tooLarge(good: Scenario) {
  return { body_too_large: but(good, { body: ' '.repeat(bodyBytesMax + 1) }) }
}

function compressed(good: Scenario) {
  return { unsupported_media_type: but(good, { headers: { 'Content-Encoding': 'gzip' } }) }
}

function tooOften(good: Scenario) {
  return {
    rate_limited: but(good, async ({ server, throttled }) => ({
      key: await server.key({ mode: 'live' }),
      server: throttled,
    })),
  }
}

function withoutTable(good: Scenario, table: string) {
  return {
    internal_error: but(good, async ({ server }) => {
      const { sql } = server.database!
      const rename = (from: string, to: string) => sql`alter table ${sql(from)} rename to ${sql(to)}`
      await rename(table, 'elsewhere')
      return { undo: () => rename('elsewhere', table) }
    }),
  }
}

function withoutDatabase(good: Scenario) {
  return { service_unavailable: but(good, async ({ cutOff }) => ({ server: cutOff })) }
}

/** One after the other. */
async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done++) await work()
}
