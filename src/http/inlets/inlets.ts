/** The door of other systems: what they post to inlets, to be sent. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { type PostAnswer, phoneFaultIn, toPostProblem } from '../../inlets/answer.ts'
import type { PostIntake, TakenIn } from '../../inlets/inlets.ts'
import type { Problem } from '../../kit/problem.ts'
import type { TextAnswer } from '../answer.ts'
import { createIntake, type IntakeLimits, isAnnouncedOver, isPlainlyEncoded } from '../intake.ts'
import { createPostDoor, headersOf, type PostDoorParts, type PostExchange } from '../postDoor.ts'
import { type InletReason, problemAnswer, toInletRefusal } from './refusal.ts'
import { type InletAddress, inletAddressIn } from './route.ts'

export interface InletDoorParts
  extends PostIntake,
    Pick<PostDoorParts<InletAddress, unknown>, 'runtime' | 'isStopping' | 'onAnswered'> {
  limits?: Partial<IntakeLimits>
}

export interface InletDoor {
  listener: RequestListener
  /** Whether a body is worth sending, by its head. */
  wantsBody: (request: IncomingMessage) => boolean
}

/** An auth system posts a few hundred bytes, or a user with all that is known of him. */
const standardLimits: IntakeLimits = { bytesMax: 1024 * 1024, bytesAtOnceMax: 16 * 1024 * 1024 }

type Outcome = TakenIn | { outcome: Exclude<InletReason, TakenIn['outcome'] | 'unreadable'> }

export function createInletDoor({ accept, limits, ...parts }: InletDoorParts): InletDoor {
  const { bytesMax, bytesAtOnceMax } = { ...standardLimits, ...limits }
  const intake = createIntake({ bytesMax, bytesAtOnceMax })

  const serve = async (exchange: PostExchange<InletAddress, Outcome>): Promise<Outcome> => {
    const { request, address } = exchange
    const fault = findFault(request, bytesMax)
    if (fault || !address) return { outcome: fault ?? 'signature' }
    const from = request.socket.remoteAddress
    const { method = '', url: target = '' } = request
    const result = await intake.read(request, (body) => {
      exchange.bytes = body.length
      return accept(address, { method, target, headers: headersOf(request), body }, from)
    })
    if (typeof result === 'string') return { outcome: result }
    if (result.outcome === 'refused') exchange.error = result.problem.cause
    return result
  }

  return {
    wantsBody: (request) => findFault(request, bytesMax) === undefined,
    listener: createPostDoor({
      ...{
        ...parts,
        name: 'inlet',
        addressIn: inletAddressIn,
        operationOf,
        serve,
        refusedIn,
        toldOf: tellOutcome,
        answerOf,
      },
      factsOf: ({ accountId: account, id: inlet }: InletAddress) => ({ account, inlet }),
      outcomeOf: (error): Outcome => ({ outcome: 'refused', problem: toPostProblem(error), answer: undefined }),
      isFault: (result) => result?.outcome === 'refused' && result.problem.code === 'internal_error',
    }),
  }
}

/** Why a request is refused that has no more than a head yet. */
function findFault(request: IncomingMessage, bytesMax: number): Exclude<InletReason, 'unreadable'> | undefined {
  if (!inletAddressIn(request.url ?? '')) return 'signature'
  if (request.method !== 'POST') return 'method'
  if (!isPlainlyEncoded(request)) return 'encoding'
  return isAnnouncedOver(request, bytesMax) ? 'too_large' : undefined
}

function operationOf({ method }: IncomingMessage): string {
  return method === 'POST' ? 'inlet' : 'none'
}

function refusedIn(result: Outcome | undefined): string | undefined {
  if (result?.outcome === 'refused') return result.problem.code
  return result?.outcome === 'accepted' ? undefined : result?.outcome
}

/** No value of a post is among it. */
function tellOutcome(result: Outcome): Record<string, string | undefined> {
  if (result.outcome === 'accepted') return { message_id: result.message }
  if (result.outcome === 'refused') return { fault: phoneFaultIn(result.problem) }
  return 'lacks' in result ? { lacks: result.lacks } : {}
}

function answerOf(result: Outcome, traceId: string): TextAnswer {
  if (result.outcome === 'refused') {
    const { answer, problem } = result
    return answer ? withWait(answer, problem) : problemAnswer(problem, traceId)
  }
  if ('answer' in result && result.answer) return result.answer
  if (result.outcome === 'accepted') return { status: 200, type: 'application/json', text: '{}' }
  return toInletRefusal(result.outcome, traceId, 'lacks' in result ? result.lacks : undefined)
}

/** A status that asks to try again says when. */
function withWait(answer: PostAnswer, { retryAfterSeconds = 1 }: Problem): TextAnswer {
  const isWait = answer.status === 429 || answer.status === 503
  return { ...answer, ...(isWait && { headers: { 'Retry-After': String(retryAfterSeconds) } }) }
}
