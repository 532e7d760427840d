/**
 * The mock: Prism, which answers from the contract's examples, behind the service's own door. Left alone, Prism never
 * answers a body that is no JSON, and has answers of its own for paths and media types that the contract does not have;
 * behind the door it gets what the service would take.
 */
import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import cors from 'cors'
import { allScopes } from '../../src/contract/document.ts'
import { type Answer, rawRefusal } from '../../src/http/answer.ts'
import { createAddressOf } from '../../src/http/api/address.ts'
import { byBearerKey } from '../../src/http/api/admission.ts'
import { createApi } from '../../src/http/api/api.ts'
import { type Binding, bindContract } from '../../src/http/api/binding.ts'
import { type ExampleBody, exampleAnswer, exampleHeaders, exampleNames, preferred } from '../../src/http/api/mock.ts'
import { createPipeline, type Exchange } from '../../src/http/api/pipeline.ts'
import { createPublished } from '../../src/http/api/published.ts'
import { readQuery } from '../../src/http/api/query.ts'
import { ownWire } from '../../src/http/api/wire.ts'
import { createServer, listen } from '../../src/http/server.ts'
import { readPath, readTargetQuery } from '../../src/http/target.ts'
import { Problem } from '../../src/kit/problem.ts'
import { createRuntime } from '../../src/kit/runtime.ts'
import type { Delay } from './delay.ts'
import { makeAnswer } from './dynamic.ts'
import { isDynamic, parseDelay, requireDocumented } from './preference.ts'
import { startPrism } from './prism.ts'

/** Whoever has a key, whichever, may do everything. */
const anybody = { accountId: 'mock', keyId: 'mock', mode: 'test' as const, scopes: allScopes }

/** Milliseconds for Prism to answer: it works in this process, and does so at once or never. */
const answerMs = 10_000

interface MockOptions {
  host: string
  port: number
  /** Of each answer that asks for none itself. */
  delay?: Delay
  /** Makes up the values of each answer that does not ask for an example, unless it prefers otherwise. */
  dynamic?: boolean
  /** Is given a line for each request. */
  tell: (line: string) => void
}

/** @returns where it listens */
export async function startMock({ host, port, delay, dynamic, tell }: MockOptions): Promise<string> {
  const prism = await startPrism()
  const runtime = createRuntime('silent')
  const pipeline = createPipeline({
    wire: ownWire,
    findRoute: await bindContract({ wire: ownWire, handlers: {}, authenticate: byBearerKey(() => anybody) }),
    throttle: async () => {},
    services: nothing,
    unhandled: (binding, exchange) => {
      requireDocumented(binding, exchange.request)
      const isMadeUp = isDynamic(exchange.request, dynamic) && preferred(binding, exchange).example === undefined
      return isMadeUp ? makeUp(binding, exchange) : ask(prism.url, binding, exchange)
    },
    guard: undefined,
  })
  const listener = createApi({
    wire: ownWire,
    pipeline: async (exchange) => {
      await wait(parseDelay(exchange.request, delay))
      return pipeline(exchange)
    },
    published: createPublished({ addressOf: createAddressOf(undefined), sandboxKey: undefined, keySetOf: undefined }),
    before: [cors({ exposedHeaders: '*', maxAge: 600 })],
    runtime,
    isStopping: () => false,
    onAnswer: ({ operation, method, status }) => tell(`${method} ${operation} ${status}`),
  })
  const refuse = () => rawRefusal(new Problem('invalid_request'), runtime.newTraceId())
  const listening = await listen(createServer({ listener, onBroken: refuse, onConnect: refuse }), port, host)
  return `http://${host}:${listening.port}`
}

/** A mock has no services and no database, and nothing that would ask for them. */
const nothing = {} as never

async function ask(prism: string, binding: Binding, exchange: Exchange): Promise<Answer> {
  const { request, body, traceId } = exchange
  const prefer = Object.entries(preferred(binding, exchange)).map(([name, value]) => `${name}=${value}`)
  const response = await fetch(prism + buildTarget(binding, request), {
    method: request.method ?? 'GET',
    headers: {
      ...buildHeaders(binding, request),
      // The door has looked at the key. Prism takes no `bearer` in lower case.
      authorization: 'Bearer any',
      ...(body && { 'content-type': 'application/json' }),
      ...(prefer.length > 0 && { prefer: prefer.join(', ') }),
    },
    // Rewritten: Prism never answers a body with a byte order mark, which the service takes.
    ...(body && { body: JSON.stringify(body.value) }),
    signal: AbortSignal.timeout(answerMs),
  })
  const answer: unknown = await response.json()
  // The request has passed the service's own checks, and the contract has the answer that is preferred.
  if (!isExample(answer)) throw new Error(`Prism refused ${binding.operationId}: ${JSON.stringify(answer)}`)
  return buildAnswer(binding, response.status, answer, traceId)
}

/** With the status that the caller prefers, or else the first success. */
function makeUp(binding: Binding, exchange: Exchange): Answer {
  const { code = findFirstSuccess(binding) } = preferred(binding, exchange)
  return buildAnswer(binding, code, makeAnswer(binding, code), exchange.traceId)
}

function findFirstSuccess(binding: Binding): number {
  return exampleNames(binding)
    .map(([status]) => Number(status))
    .find((status) => status < 300)!
}

function buildAnswer(binding: Binding, status: number, body: ExampleBody, traceId: string): Answer {
  const answer = exampleAnswer(status, body, traceId)
  return { ...answer, headers: { ...exampleHeaders(binding, status), ...answer.headers } }
}

/** With the query that the contract has: what else stands there is not for Prism, which would obey `__code`. */
function buildTarget({ parameterTypes }: Binding, { url = '/' }: IncomingMessage): string {
  const { query: types } = parameterTypes
  if (!types) return readPath(url)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(readQuery(readTargetQuery(url), types).values))
    query.set(name, String(value))
  // Rewritten: in a query, Prism takes a plus sign for a space.
  return `${readPath(url)}?${query}`
}

/** Those that the contract has. */
function buildHeaders({ operation }: Binding, { headers }: IncomingMessage): Record<string, string> {
  const parameters = (operation.parameters ?? []) as { in: string; name: string }[]
  const names = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name.toLowerCase())
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )
}

function isExample(answer: unknown): answer is ExampleBody {
  return typeof answer === 'object' && answer !== null && 'success' in answer
}
