/**
 * The mock: Prism, which answers from the contract's examples, behind the service's own door. Left alone, Prism never
 * answers a body that is no JSON, and has answers of its own for paths and media types that the contract does not have;
 * behind the door it gets what the service would take.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import cors from 'cors'
import type { Context } from 'openapi-backend'
import type { Answer } from '../../src/contract/answer.ts'
import { bindContract, type Exchange } from '../../src/contract/binder.ts'
import { scopes } from '../../src/contract/document.ts'
import { createApiServer, createHttp } from '../../src/contract/http.ts'
import { type Example, exampleAnswer, preferred } from '../../src/contract/mock.ts'
import { createPublished } from '../../src/contract/published.ts'
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
  const contract = await bindContract({}, nothing, {
    session: nothing,
    idempotency: nothing,
    admission: { authenticate: async () => anybody, throttle: async () => {} },
    gate: (work) => work(),
    unhandled: (context, exchange) => ask(prism.url, context, exchange),
  })
  const runtime = createRuntime('silent')
  const app = createHttp({
    contract,
    before: [cors({ exposedHeaders: '*', maxAge: 600 }), createPublished()],
    runtime,
    isStopping: () => false,
    onAnswer: ({ operation, method, status }) => tell(`${method} ${operation} ${status}`),
  })
  const server = createApiServer(app, runtime.newTraceId)
  server.listen(port, host)
  await once(server, 'listening')
  return `http://${host}:${(server.address() as AddressInfo).port}`
}

/** A mock has no services and no database, and nothing that would ask for them. */
const nothing = {} as never

async function ask(prism: string, context: Context, { request, body, traceId }: Exchange): Promise<Answer> {
  // Prism would take other preferences too, such as answers that it makes up; these are those of the contract.
  const prefer = Object.entries(preferred(context)).map(([name, value]) => `${name}=${value}`)
  const response = await fetch(prism + context.request.path, {
    method: request.method ?? 'GET',
    headers: {
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

function isExample(answer: unknown): answer is Example {
  return typeof answer === 'object' && answer !== null && 'success' in answer
}
