/** The way of a request: route, key, rate, scope, body, validator, handler, reply, in that order. */
import type { Caller } from '../../domain/access/authentication.ts'
import { type KeyedOutcome, type Once, Replay } from '../../domain/sending/idempotency.ts'
import { Problem } from '../../kit/problem.ts'
import type { Answer } from '../answer.ts'
import type { Intake } from '../intake.ts'
import { isReadable, readPath } from '../target.ts'
import { requireScope } from './admission.ts'
import type { Binding, FindOperation, OperationRoute } from './binding.ts'
import { type Body, createBodies } from './body.ts'
import { excludedFields, requireScopesOf } from './bodyFields.ts'
import type { ResponseGuard } from './guard.ts'
import type { AnyHandler, Services } from './handler.ts'
import { fromKept, sendable, toKept } from './headers.ts'
import { type Parameters, readParameters } from './parameters.ts'
import { invalidRequest } from './validation.ts'
import type { AnsweredRequest, Wire } from './wire.ts'

/** One request on its way through. */
export interface Exchange extends AnsweredRequest {
  operationId?: string
  caller?: Caller
  body?: Body
  /** Of the refusal that it was answered with. */
  errorCode?: string | undefined
}

export interface PipelineParts {
  wire: Pick<Wire, 'media' | 'keepsSealed' | 'admit' | 'success' | 'failure'>
  findRoute: FindOperation
  /** Counts the request on the caller's key. @throws Problem `rate_limited` */
  throttle: (caller: Caller) => Promise<void>
  services: Services
  /** Answers in place of a handler that is not there. */
  unhandled: (binding: Binding, exchange: Exchange) => Answer | Promise<Answer>
  /** Judges every answer of an operation. Undefined in production. */
  guard: ResponseGuard | undefined
  /** Bounds the bodies of all doors that share it; one of its own when left out. */
  intake?: Intake | undefined
}

/** What a handler gets, once its own types do not matter any more. */
interface AnyInput extends Omit<Parameters, 'faults'> {
  body: unknown
  caller: Caller
  once: Once | undefined
}

/** Answers one request. @throws Problem, or what a bug throws */
export type Pipeline = (exchange: Exchange) => Promise<Answer>

export function createPipeline(parts: PipelineParts): Pipeline {
  const { wire, findRoute, throttle, services, unhandled, guard = (answer) => answer, intake } = parts
  const bodies = createBodies(wire.media, intake)

  const handle = async (exchange: Exchange, { binding, path }: OperationRoute, caller: Caller): Promise<Answer> => {
    const { request, body } = exchange
    const { validate, parameterTypes, fields, handler } = binding
    const { faults: misread, ...parameters } = readParameters(request, path, parameterTypes)
    const faults = [...misread, ...excludedFields(fields, body?.value)]
    const judged = { ...parameters, requestBody: body?.value }
    const isValid = validate(judged)
    if (!isValid || faults.length > 0) throw invalidRequest(validate.errors ?? [], judged, faults)
    requireScopesOf(fields, body?.value, caller)

    if (!handler) return unhandled(binding, exchange)
    const answerTo = (outcome: KeyedOutcome<unknown>) => guard(toAnswer(handler, outcome, exchange), exchange)
    const once = toOnce(exchange, binding, { caller, keepsSealed: wire.keepsSealed, answerTo })
    const input: AnyInput = { body: body?.value, ...parameters, caller, once }
    return answerTo(await handler.act(input, services))
  }

  const toAnswer = (handler: AnyHandler, outcome: KeyedOutcome<unknown>, exchange: Exchange): Answer => {
    if (outcome instanceof Problem) return wire.failure(outcome, exchange)
    if (outcome instanceof Replay) {
      const { status, body, headers } = fromKept(outcome.answer)
      return { status, body, headers: { ...headers, 'Idempotent-Replayed': 'true' } }
    }
    const { status, data, headers } = handler.reply(outcome)
    const answer = wire.success(status, data, exchange)
    return headers ? { ...answer, headers: sendable(headers) } : answer
  }

  return async (exchange) => {
    const { request } = exchange
    const { method = '', url = '' } = request
    if (!isReadable(url)) throw new Problem('invalid_request', { message: 'The request target is not a URL.' })
    const route = findRoute(method, readPath(url))
    const { binding } = route
    exchange.operationId = binding.operationId
    exchange.constantHeaders = binding.constantHeaders

    const caller = await binding.authenticate(request)
    exchange.caller = caller
    await throttle(caller)
    wire.admit?.(request, caller)
    requireScope(caller, binding.requiredScope)

    if (!binding.takesBody) return handle(exchange, route, caller)
    const use = async (body: Body) => {
      exchange.body = body
      return handle(exchange, route, caller)
    }
    return bodies.read(request, use, binding.bodyBytesMax)
  }
}

/** The request's `Idempotency-Key`, if it has one. */
function toOnce(
  { request, body }: Exchange,
  { operationId: operation, parameterTypes }: Binding,
  {
    caller: { accountId, mode },
    keepsSealed,
    answerTo,
  }: { caller: Caller; keepsSealed: boolean; answerTo: (outcome: KeyedOutcome<unknown>) => Answer },
): Once | undefined {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || !body) return undefined
  return {
    accountId,
    mode,
    operation,
    key,
    keepsSealed,
    // Where the path says what is asked for, the same body for another thing is another request.
    body: parameterTypes.path
      ? Buffer.concat([Buffer.from(`${readPath(request.url ?? '')}\n`), body.bytes])
      : body.bytes,
    answerTo: (outcome) => {
      const answer = answerTo(outcome as KeyedOutcome<unknown>)
      return outcome instanceof Problem ? toKept({ ...answer, headers: {} }) : toKept(answer)
    },
  }
}
