/** What the doors share that other systems post to: each request has a trace, a metric, a line in the log, and one answer. */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Runtime } from '../kit/runtime.ts'
import { type TextAnswer, writeText } from './answer.ts'

export interface PostExchange<Address, Outcome> {
  request: IncomingMessage
  traceId: string
  /** Undefined for what is not of the form of an address. */
  address: Address | undefined
  /** Of the body, when it came whole. */
  bytes?: number
  outcome?: Outcome
  /** What was thrown. */
  error?: unknown
  answer?: TextAnswer
}

export interface PostDoorParts<Address, Outcome> {
  /** Of its lines in the log, and of its spans. */
  name: string
  addressIn: (target: string) => Address | undefined
  /** What the log and the trace say of an address: no secret that it ends with. */
  factsOf: (address: Address) => { account: string; [noun: string]: string }
  operationOf: (request: IncomingMessage) => string
  serve: (exchange: PostExchange<Address, Outcome>) => Promise<Outcome>
  /** What comes of a request whose work has thrown this. */
  outcomeOf: (error: unknown) => Outcome
  /** One of a few words; undefined when it was taken. */
  refusedIn: (outcome: Outcome | undefined) => string | undefined
  /** What else the log says of what came of it; nothing when left out. */
  toldOf?: (outcome: Outcome) => Record<string, string | undefined>
  /** Whether it is a fault of the service. */
  isFault: (outcome: Outcome | undefined) => boolean
  answerOf: (outcome: Outcome, traceId: string) => TextAnswer
  runtime: Pick<Runtime, 'newTraceId' | 'log'> & Partial<Pick<Runtime, 'tracing'>>
  /** Whether the process is going away: then each answer is the last on its connection. */
  isStopping: () => boolean
  /** Told of every answer, for metrics. */
  onAnswered: (answered: { operation: string; status: number; seconds: number; refused: string | undefined }) => void
}

export function createPostDoor<Address, Outcome>(parts: PostDoorParts<Address, Outcome>): RequestListener {
  const { name, addressIn, operationOf, serve, outcomeOf, refusedIn, answerOf, runtime, isStopping, onAnswered } = parts
  return async (request, response) => {
    const startedAt = performance.now()
    const address = addressIn(request.url ?? '')
    // What a stranger says of traces is not taken in.
    const span = address && runtime.tracing?.begin({ name, kind: 'server' })
    const traceId = span?.traceId ?? runtime.newTraceId()
    const exchange: PostExchange<Address, Outcome> = { request, traceId, address }
    response.once('close', () => {
      const ms = performance.now() - startedAt
      const status = (response.writableFinished && exchange.answer?.status) || 499
      span?.finish({ failed: status >= 500, attributes: listAttributes(parts, exchange, status) })
      const refused = refusedIn(exchange.outcome)
      onAnswered({ operation: operationOf(request), status, seconds: ms / 1000, refused })
      tell(parts, exchange, status, ms)
    })
    const outcome = span ? span.within(() => serve(exchange)) : serve(exchange)
    exchange.outcome = await outcome.catch((error: unknown) => {
      exchange.error = error
      return outcomeOf(error)
    })
    exchange.answer = answerOf(exchange.outcome, exchange.traceId)
    // What has not come of its body by now, nobody will read.
    const last = isStopping() || !request.complete
    writeText(response, exchange.answer, { traceId: exchange.traceId, last })
  }
}

/** The server bounds how many and how long they are. @returns names in lower case; of one that came more than once, all values */
export function headersOf({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]))
}

function listAttributes<Address, Outcome>(
  { factsOf }: PostDoorParts<Address, Outcome>,
  { request, address }: PostExchange<Address, Outcome>,
  status: number,
) {
  const facts = address === undefined ? [] : Object.entries(factsOf(address))
  return {
    'http.request.method': request.method,
    'http.response.status_code': status,
    ...Object.fromEntries(facts.map(([noun, value]) => [`watchword.${noun}`, value])),
  }
}

/** One line, which holds nothing of the query, the headers and the body: there are tokens, codes and phones in them. */
function tell<Address, Outcome>(
  { name, factsOf, operationOf, refusedIn, toldOf, isFault, runtime: { log } }: PostDoorParts<Address, Outcome>,
  { request, traceId, address, bytes, outcome, error }: PostExchange<Address, Outcome>,
  status: number,
  ms: number,
): void {
  const level = isFault(outcome) ? 'error' : error === undefined ? 'info' : 'warn'
  const { account, ...nouns } = address === undefined ? {} : factsOf(address)
  log[level](
    {
      trace_id: traceId,
      operation: operationOf(request),
      method: request.method,
      status,
      refused: refusedIn(outcome),
      ms: Math.round(ms * 100) / 100,
      account_id: account,
      ...nouns,
      ...(outcome !== undefined && toldOf?.(outcome)),
      bytes,
      ...(error !== undefined && { err: error }),
    },
    name,
  )
}
