/**
 * The mock: Prism, which answers from the contract's examples, behind the service's own door. Left alone, Prism never
 * answers a body that is no JSON, and has answers of its own for paths and media types that the contract does not have;
 * behind the door it gets what the service would take.
 */
import type { IncomingMessage } from 'node:http'
import cors from 'cors'
import { scopes } from '../../src/contract/document.ts'
import { type Answer, rawRefusal } from '../../src/http/answer.ts'
import { createAddressOf } from '../../src/http/api/address.ts'
import { byBearerKey } from '../../src/http/api/admission.ts'
import { createApi } from '../../src/http/api/api.ts'
import { type Binding, bindContract } from '../../src/http/api/binding.ts'
import { type Example, exampleAnswer, preferred } from '../../src/http/api/mock.ts'
import { createPipeline, type Exchange } from '../../src/http/api/pipeline.ts'
import { createPublished } from '../../src/http/api/published.ts'
import { readQuery } from '../../src/http/api/query.ts'
import { createServer, listen } from '../../src/http/server.ts'
import { pathOf, queryOf } from '../../src/http/target.ts'
import { Problem } from '../../src/problem.ts'
import { createRuntime } from '../../src/runtime.ts'
import { startPrism } from './prism.ts'

/** Whoever has a key, whichever, may do everything. */
const anybody = { accountId: 'mock', keyId: 'mock', mode: 'test' as const, scopes }

/**
 * @param tell is given a line for each request
 * @returns where it listens
 */
export async function startMock(host: string, port: number, tell: (line: string) => void): Promise<string> {
  const prism = await startPrism()
  const runtime = createRuntime('silent')
  const pipeline = createPipeline({
    findRoute: await bindContract(
      {},
      byBearerKey(() => anybody),
    ),
    throttle: async () => {},
    services: nothing,
    unhandled: (binding, exchange) => ask(prism.url, binding, exchange),
    guard: undefined,
  })
  const listener = createApi({
    pipeline,
    published: createPublished({ addressOf: createAddressOf(undefined), sandboxKey: undefined }),
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
  // Prism would take other preferences too, such as answers that it makes up; these are those of the contract.
  const prefer = Object.entries(preferred(binding, exchange)).map(([name, value]) => `${name}=${value}`)
  const response = await fetch(prism + targetOf(binding, request), {
    method: request.method ?? 'GET',
    headers: {
      ...headersOf(binding, request),
      authorization: request.headers.authorization ?? '',
      ...(body && { 'content-type': 'application/json' }),
      ...(prefer.length > 0 && { prefer: prefer.join(', ') }),
    },
    ...(body && { body: new Uint8Array(body.bytes) }),
  })
  const answer: unknown = await response.json()
  if (isExample(answer)) return exampleAnswer(response.status, answer, traceId)
  // The request has passed the service's own checks: what Prism does not like is what is preferred.
  const message = 'The contract has no such answer for this operation.'
  throw new Problem('invalid_request', { message, details: [{ field: 'header:Prefer', code: 'unknown', message }] })
}

/** With the query that the contract has: what else stands there is not for Prism, which would obey `__code`. */
function targetOf({ parameterTypes }: Binding, { url = '/' }: IncomingMessage): string {
  const { query: types } = parameterTypes
  if (!types) return pathOf(url)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(readQuery(queryOf(url), types).values)) query.set(name, String(value))
  // Written anew: in a query, Prism takes a plus sign for a space.
  return `${pathOf(url)}?${query}`
}

/** Those that the contract has. */
function headersOf({ operation }: Binding, { headers }: IncomingMessage): Record<string, string> {
  const parameters = (operation.parameters ?? []) as { in: string; name: string }[]
  const names = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name.toLowerCase())
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )
}

function isExample(answer: unknown): answer is Example {
  return typeof answer === 'object' && answer !== null && 'success' in answer
}
