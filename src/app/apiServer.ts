/** Puts the doors of the API's port together: the customer's (domain, binding, pipeline) and the providers'. */

import { codeTtlRange, filledCharactersMax } from '../contract/document.ts'
import type { Lookup } from '../domain/access/keyring.ts'
import type { Secrets } from '../domain/access/secret.ts'
import type { Dispatch } from '../domain/sending/dispatch.ts'
import { createIdempotency } from '../domain/sending/idempotency.ts'
import { liveLimits } from '../domain/sending/limit.ts'
import { createMessages, type Move } from '../domain/sending/message.ts'
import { createNotifications } from '../domain/sending/notification.ts'
import type { FindRoute } from '../domain/sending/route.ts'
import { createVerifications } from '../domain/sending/verification.ts'
import type { Confirm } from '../domain/sending/verificationCheck.ts'
import type { KnownWordings } from '../domain/sending/wordings/known.ts'
import type { Events } from '../domain/webhooks/event.ts'
import { rawRefusal } from '../http/answer.ts'
import { createAddressOf } from '../http/api/address.ts'
import { byBearerKey } from '../http/api/admission.ts'
import { type ApiParts, createApi } from '../http/api/api.ts'
import { bindContract, missingHandlers, routeNotFound } from '../http/api/binding.ts'
import { createGuard } from '../http/api/guard.ts'
import { mockAnswer } from '../http/api/mock.ts'
import { operations } from '../http/api/operations/index.ts'
import { createPipeline } from '../http/api/pipeline.ts'
import { createPublished } from '../http/api/published.ts'
import { createHostGate, createLocalCors } from '../http/api/sandboxGate.ts'
import { type CountRequest, createRates, createThrottle } from '../http/api/throttle.ts'
import type { CrowdLimit } from '../http/crowd.ts'
import type { Addressed } from '../http/host.ts'
import { createReports, type ReportsParts } from '../http/reports/reports.ts'
import { isForReports } from '../http/reports/route.ts'
import { type BoundedServer, createServer, type ServerTimeouts } from '../http/server.ts'
import { Problem, unavailable } from '../kit/problem.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Config } from '../settings/config.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Admin } from './admin.ts'

export interface ApiServerParts extends Pick<ApiParts, 'isStopping' | 'onAnswer'> {
  reports: Pick<ReportsParts, 'accept' | 'handshake' | 'onReport'>
  admin: Admin
  commit: Commit
  dispatch: Dispatch
  move: Move
  route: FindRoute
  confirm: Confirm
  events: Events
  wordings: Pick<KnownWordings, 'of'>
  secrets: Secrets
  lookup: Lookup
  runtime: Runtime
  /** Counts requests of keys; in this process alone when undefined. */
  countRequest: CountRequest | undefined
  isForUs: (request: Addressed) => boolean
  crowd: CrowdLimit
  timeouts: Partial<ServerTimeouts> | undefined
}

/** @throws Error in production, when an operation of the contract has no handler */
export async function createApiServer(config: Config, parts: ApiServerParts): Promise<BoundedServer> {
  const { admin, commit, dispatch, move, route, confirm, events, wordings, secrets, lookup, runtime } = parts
  const { isForUs, isStopping, onAnswer, crowd, timeouts } = parts
  const { countRequest = createRates(config) } = parts
  const { log } = runtime
  const missing = missingHandlers(operations)
  if (missing.length > 0 && config.production) throw new Error(`there is no handler for ${missing.join(', ')}`)
  if (missing.length > 0) log.warn({ operations: missing }, 'no handler: answered from the examples of the contract')

  const idempotency = createIdempotency({ commit, secrets, lookup, runtime })
  const { codeTtlSeconds, countriesAllowed } = config
  const policy = {
    codeTtlSeconds,
    codeTtlSecondsMax: codeTtlRange.max,
    countriesAllowed,
    limits: liveLimits,
    filledCharactersMax,
    route,
  }
  const wordingOf = wordings.of
  const sending = { commit, idempotency, dispatch, move, secrets, policy, confirm, events, wordingOf, runtime }
  const pipeline = createPipeline({
    findRoute: await bindContract(operations, byBearerKey(admin.apiKeys.authenticate)),
    throttle: createThrottle(countRequest),
    services: {
      verifications: createVerifications(sending),
      notifications: createNotifications(sending),
      messages: createMessages({ commit, runtime }),
    },
    unhandled: mockAnswer,
    guard: config.production ? undefined : await createGuard(log),
  })
  const before = config.sandboxKey ? [createHostGate(isForUs), createLocalCors()] : []
  const message = 'The service does not understand this HTTP request, or it did not arrive in time.'
  // What did not come whole before the end is to come again, elsewhere or later: nobody repeats a 400.
  const broken = () => (isStopping() ? unavailable() : new Problem('invalid_request', { message }))
  const published = createPublished({ addressOf: createAddressOf(config.publicUrl), sandboxKey: config.sandboxKey })
  const api = createApi({ pipeline, published, before, runtime, isStopping, onAnswer })
  const reports = createReports({ ...parts.reports, runtime, isStopping })
  return createServer({
    listener: (request, response) => (isForReports(request.url ?? '') ? reports.listener : api)(request, response),
    wantsBody: (request) => !isForReports(request.url ?? '') || reports.wantsBody(request),
    onBroken: () => rawRefusal(broken(), runtime.newTraceId()),
    onConnect: () => rawRefusal(routeNotFound(), runtime.newTraceId()),
    crowd,
    timeouts,
  })
}
