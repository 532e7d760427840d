/** What makes each answer of twilio-verify.yaml happen on a real server: by operationId, by status, and by the example's name. */
import { randomUUID } from 'node:crypto'
import type { operations } from '../../generated/twilio-verify/types.ts'
import * as refusals from '../../scripts/conformance/refusals.ts'
import * as outside from '../../scripts/conformance/scenarios.ts'
import { extraScopes, scopes } from '../../src/contract/document.ts'
import type { TwilioOperationId } from '../../src/contract/twilioDocument.ts'
import { defaultAccount } from '../../src/domain/access/account.ts'
import { serviceSidOf, verificationSidOf } from '../../src/domain/twilioSid.ts'
import { newPhone } from '../support/server.ts'
import { basic } from '../support/twilio.ts'
import { blocked, challenged, outOfBudget, type Refused, unconnected } from './refused.ts'
import {
  type Request,
  type Scenario,
  type Stage,
  sendAfterFiveTimes,
  tooOften,
  withBadKeys,
  withoutDatabase,
  withoutTable,
} from './scenarios.ts'

type Scenarios = {
  [Id in TwilioOperationId]: { [Status in keyof operations[Id]['responses']]: Record<string, Scenario> }
}

const but = refusals.but<Stage, Request>
const accountId = 'acct_default'
const ServiceSid = serviceSidOf(accountId)
const unknown = { ServiceSid: `VA${'0'.repeat(32)}` }

/** What differs in a request that has the same Idempotency-Key. */
type Other = (stage: Stage) => Promise<Pick<Request, 'path' | 'body'>>

const large = 'x'.repeat(16_384)

const ofAny = (good: Scenario, table: string) => ({
  401: withBadKeys(good),
  500: withoutTable(good, table),
  503: withoutDatabase(good),
})
const ofPosts = (good: Scenario, operation: TwilioOperationId, other: Other) => ({
  404: { verification_not_found: but(good, async (stage) => ({ path: { ...(await good(stage)).path, ...unknown } })) },
  409: withTakenKeys(good, operation, other),
  413: { body_too_large: but(good, { body: { Channel: 'sms', Code: '000000', To: large, Status: large } }) },
  415: { unsupported_media_type: but(good, { headers: { 'Content-Type': 'text/plain' } }) },
})

const scenarios: Scenarios = {
  fetchService: {
    ...ofAny(service, 'account'),
    200: { service },
    400: { invalid_request: but(service, { path: { ServiceSid: 'x'.repeat(65) } }) },
    403: { insufficient_scope: but(service, async ({ keyWithout }) => ({ key: await keyWithout('messages:read') })) },
    404: { verification_not_found: but(service, { path: unknown }) },
    429: tooOften(service),
  },
  createVerification: {
    ...ofAny(start, 'phone'),
    ...ofPosts(start, 'createVerification', async () => ({ body: { Channel: 'sms', To: newPhone() } })),
    201: { pending: start },
    400: {
      invalid_request: but(start, { body: { Channel: 'sms' } }),
      invalid_phone: but(start, { body: { Channel: 'sms', To: '+14155' } }),
      no_channel: startBy(unconnected),
    },
    403: {
      insufficient_scope: but(start, async ({ keyWithout }) => ({ key: await keyWithout('verify:write') })),
      country_not_allowed: but(start, { body: { Channel: 'sms', To: '+4915112345678' } }),
      send_blocked: startBy(blocked),
      challenge_required: startBy(challenged),
      budget_spent: startBy(outOfBudget),
    },
    429: {
      resend_cooldown: but(start, { body: { Channel: 'sms', To: '+14155550160' } }),
      send_limit_reached: startAfterFiveTimes,
      ...tooOften(start),
    },
  },
  fetchVerification: {
    ...ofAny(fetched, 'message'),
    200: { pending: fetched, max_attempts_reached: but(fetched, async (stage) => ({ path: await exhausted(stage) })) },
    400: { invalid_request: but(fetched, { path: { ServiceSid, Sid: 'x'.repeat(65) } }) },
    403: { insufficient_scope: but(fetched, async ({ keyWithout }) => ({ key: await keyWithout('messages:read') })) },
    404: { verification_not_found: but(fetched, { path: { ServiceSid, Sid: `VE${'0'.repeat(32)}` } }) },
    429: tooOften(fetched),
  },
  updateVerification: {
    ...ofAny(cancelled, 'phone'),
    ...ofPosts(cancelled, 'updateVerification', async (stage) => ({ path: (await cancelled(stage)).path! })),
    200: { canceled: cancelled, approved },
    400: { invalid_request: but(cancelled, { body: {} }) },
    403: { insufficient_scope: but(cancelled, async ({ keyWithout }) => ({ key: await keyWithout('verify:write') })) },
    429: {
      check_limit_reached: but(approved, async (stage) => ({ path: await exhausted(stage) })),
      ...tooOften(cancelled),
    },
  },
  createVerificationCheck: {
    ...ofAny(check, 'phone'),
    ...ofPosts(check, 'createVerificationCheck', async (stage) => ({ body: await codeFor(stage, '000000') })),
    200: { approved: check, pending: but(check, async (stage) => ({ body: await codeFor(stage, '111111') })) },
    400: { invalid_request: but(check, { body: { To: '+14155550100' } }) },
    403: { insufficient_scope: but(check, async ({ keyWithout }) => ({ key: await keyWithout('verify:write') })) },
    429: {
      check_limit_reached: but(check, async (stage) => {
        const { Sid } = await exhausted(stage)
        return { body: { VerificationSid: Sid, Code: '000000' } }
      }),
      ...tooOften(check),
    },
  },
}

/** Each scenario by its name: operationId, status, example. As they are sent: with Basic authentication, and forms. */
export function namedTwilioScenarios(): Map<string, Scenario> {
  const named = [...outside.namedScenarios<Stage>(scenarios as never)] as [string, Scenario][]
  return new Map(named.map(([name, scenario]) => [name, async (stage) => sent(await scenario(stage))]))
}

function sent({ key, body, headers, ...request }: Request): Request {
  return {
    ...request,
    key: undefined,
    headers: {
      ...(key !== undefined && { Authorization: basic(`SK${'0'.repeat(32)}`, key) }),
      ...(body !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(body !== undefined && { body: formOf(body) }),
  }
}

function formOf(body: unknown): string {
  return typeof body === 'string' ? body : new URLSearchParams(body as Record<string, string>).toString()
}

async function service({ key }: Stage): Promise<Request> {
  return { key, path: { ServiceSid } }
}

async function start({ key }: Stage): Promise<Request> {
  return { key, path: { ServiceSid }, body: { To: newPhone(), Channel: 'sms' } }
}

async function started({ server }: Stage): Promise<string> {
  return verificationSidOf(await server.test.send(newPhone()))
}

async function fetched(stage: Stage): Promise<Request> {
  return { key: stage.key, path: { ServiceSid, Sid: await started(stage) } }
}

async function cancelled(stage: Stage): Promise<Request> {
  return { ...(await fetched(stage)), body: { Status: 'canceled' } }
}

async function approved(stage: Stage): Promise<Request> {
  const key = await stage.server.key({ scopes: [...scopes, ...extraScopes] })
  const id = await stage.server.as(key).send(newPhone(), { code: '4071' })
  return { key, path: { ServiceSid, Sid: verificationSidOf(id) }, body: { Status: 'approved' } }
}

async function check(stage: Stage): Promise<Request> {
  return { key: stage.key, path: { ServiceSid }, body: await codeFor(stage, '000000') }
}

async function codeFor(stage: Stage, Code: string) {
  return { VerificationSid: await started(stage), Code }
}

async function exhausted({ server }: Stage) {
  const id = await server.test.send(newPhone())
  for (let count = 0; count < 5; count++) await server.test.check(id, '111111')
  return { ServiceSid, Sid: verificationSidOf(id) }
}

async function startAfterFiveTimes(stage: Stage): Promise<Request> {
  const { key, body } = await sendAfterFiveTimes(stage)
  return { key, path: { ServiceSid }, body: { To: (body as { phone: string }).phone, Channel: 'sms' } }
}

function startBy(make: (stage: Stage) => Promise<Refused>): Scenario {
  return but(start, async (stage) => {
    const { accountId, key } = await make(stage)
    return { key, path: { ServiceSid: serviceSidOf(accountId) } }
  })
}

function withTakenKeys(good: Scenario, operation: TwilioOperationId, other: Other) {
  const claimed = async ({ server }: Stage) => {
    const key = randomUUID()
    const { id } = await server.app.accounts.require(defaultAccount)
    const lock = JSON.stringify([id, 'test', operation, key])
    const first = await server.database!.sql.reserve()
    await first`select pg_advisory_lock(hashtextextended(${lock}, 0))`
    const undo = async () => {
      await first`select pg_advisory_unlock_all()`
      first.release()
    }
    return { headers: { 'Idempotency-Key': key }, undo }
  }
  return {
    idempotency_key_reused: async (stage: Stage) => {
      const request = await good(stage)
      const headers = { 'Idempotency-Key': randomUUID() }
      const first = sent({ ...request, headers })
      const { path = {} } = request
      const places = { createVerification: '/Verifications', createVerificationCheck: '/VerificationCheck' }
      const place = places[operation as keyof typeof places] ?? `/Verifications/${path.Sid}`
      const target = `${stage.server.url}/v2/Services/${path.ServiceSid}${place}`
      await fetch(target, { method: 'POST', headers: first.headers!, body: first.body as string })
      return { ...request, headers, ...(await other(stage)) }
    },
    idempotency_in_progress: but(good, claimed),
  }
}
