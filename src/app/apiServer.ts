/** Puts the doors of the API's port together: the customer's (domain, binding, pipeline) and the providers'. */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Authentication } from '../domain/access/authentication.ts'
import type { KnownReceiptKeys } from '../domain/access/knownReceiptKeys.ts'
import { rawRefusal } from '../http/answer.ts'
import { createAddressOf } from '../http/api/address.ts'
import { byBearerKey } from '../http/api/admission.ts'
import { type ApiParts, createApi } from '../http/api/api.ts'
import { bindContract, missingHandlers, routeNotFound } from '../http/api/binding.ts'
import { createBodyIntake } from '../http/api/body.ts'
import { createResponseGuard } from '../http/api/guard.ts'
import type { Services } from '../http/api/handler.ts'
import { mockAnswer } from '../http/api/mock.ts'
import { operations } from '../http/api/operations/index.ts'
import { createPipeline } from '../http/api/pipeline.ts'
import { createPublished } from '../http/api/published.ts'
import { type CountRequest, createRates, createThrottle } from '../http/api/throttle.ts'
import { ownWire } from '../http/api/wire.ts'
import type { CrowdLimit } from '../http/crowd.ts'
import type { Guest } from '../http/guest.ts'
import type { HostedRequest } from '../http/host.ts'
import { createInletDoor, type InletDoorParts } from '../http/inlets/inlets.ts'
import { isForInlets } from '../http/inlets/route.ts'
import { createReports, type ReportsParts } from '../http/reports/reports.ts'
import { isForReports } from '../http/reports/route.ts'
import { createHostGate, createLocalCors } from '../http/sandboxGate.ts'
import { type BoundedServer, createServer, type ServerTimeouts } from '../http/server.ts'
import { isForTwilio } from '../http/twilio/route.ts'
import { Problem, unavailable } from '../kit/problem.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Config } from '../settings/config.ts'
import type { TwilioDoorParts } from './twilioDoor.ts'

export interface ApiServerParts extends Pick<ApiParts, 'isStopping' | 'onAnswer'> {
  reports: Pick<ReportsParts, 'accept' | 'knows' | 'isFull' | 'handshake' | 'onReport'>
  /** @param countRequest as the requests of keys are counted */
  inlets: (countRequest: CountRequest) => Pick<InletDoorParts, 'accept' | 'onAnswered'>
  authenticate: Authentication['authenticate']
  services: Services
  receiptKeys: Pick<KnownReceiptKeys, 'published'>
  runtime: Runtime
  /** Counts requests of keys; in this process alone when undefined. */
  countRequest: CountRequest | undefined
  isForUs: (request: HostedRequest) => boolean
  /** Other doors on the same port. */
  guests: readonly Guest[]
  crowd: CrowdLimit
  timeouts: Partial<ServerTimeouts> | undefined
}

const brokenMessages = {
  request: 'The service does not understand this HTTP request, or it did not arrive in time.',
  host: 'The request must have one Host header, with the name or the address of one host.',
  head: 'The request line and the headers are longer than 8 KB.',
  method: 'The request does not begin with a method of HTTP, in capital letters: POST, for example.',
  header: 'A header has a line end or a control character in it, or a blank before its colon.',
  length:
    'The request must state the length of its body in exactly one way: one Content-Length, or Transfer-Encoding: chunked.',
}

/** @throws Error in production, when an operation of the contract has no handler */
export async function createApiServer(config: Config, parts: ApiServerParts): Promise<BoundedServer> {
  const { authenticate, services, runtime } = parts
  const { isForUs, isStopping, onAnswer, guests, crowd, timeouts } = parts
  const { countRequest = createRates(config) } = parts
  const { log } = runtime
  const missing = missingHandlers(operations, ownWire)
  if (missing.length > 0 && config.production) throw new Error(`there is no handler for ${missing.join(', ')}`)
  if (missing.length > 0) log.warn({ operations: missing }, 'no handler: answered from the examples of the contract')

  const throttle = createThrottle(countRequest)
  const intake = createBodyIntake()
  const pipeline = createPipeline({
    wire: ownWire,
    findRoute: await bindContract({ wire: ownWire, handlers: operations, authenticate: byBearerKey(authenticate) }),
    throttle,
    services,
    unhandled: mockAnswer,
    guard: config.production ? undefined : await createResponseGuard({ wire: ownWire, log }),
    intake,
  })
  const before = config.sandboxKey ? [createHostGate(isForUs), createLocalCors()] : []
  // What did not come whole before the end is to come again, elsewhere or later: nobody repeats a 400.
  const broken = (fault: keyof typeof brokenMessages) =>
    isStopping() ? unavailable() : new Problem('invalid_request', { message: brokenMessages[fault] })
  const { publicUrl, sandboxKey } = config
  const keySetOf = parts.receiptKeys.published
  const addressOf = createAddressOf(publicUrl)
  const published = createPublished({ addressOf, sandboxKey, keySetOf })
  const door = { before, runtime, isStopping, onAnswer }
  const own = createApi({ wire: ownWire, pipeline, published, ...door })
  const api = config.twilioVerify
    ? besideTwilio(own, await openTwilio({ ...door, ...config, authenticate, addressOf, throttle, services, intake }))
    : own
  const reports = createReports({ ...parts.reports, runtime, isStopping })
  const inlets = createInletDoor({ ...parts.inlets(countRequest), runtime, isStopping })
  const doorOf = ({ url: target = '' }: IncomingMessage) =>
    isForReports(target) ? reports : isForInlets(target) ? inlets : { listener: api, wantsBody: () => true }
  const guestOf = (request: IncomingMessage) => guests.find(({ isFor }) => isFor(request))
  return createServer({
    listener: (request, response) => (guestOf(request) ?? doorOf(request)).listener(request, response),
    wantsBody: (request) => guestOf(request) !== undefined || doorOf(request).wantsBody(request),
    onBroken: (fault) => rawRefusal(broken(fault ?? 'request'), runtime.newTraceId()),
    onConnect: () => rawRefusal(routeNotFound(), runtime.newTraceId()),
    crowd,
    timeouts,
  })
}

/** Loaded where it is wanted: most services have no callers that are written for Twilio. */
async function openTwilio(parts: TwilioDoorParts): Promise<RequestListener> {
  const { createTwilioDoor } = await import('./twilioDoor.ts')
  return createTwilioDoor(parts)
}

function besideTwilio(own: RequestListener, twilio: RequestListener): RequestListener {
  return (request, response) => (isForTwilio(request.url ?? '') ? twilio : own)(request, response)
}
