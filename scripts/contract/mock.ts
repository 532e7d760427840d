/** Answers requests as the contract's examples do: the service's own checks first, then Prism. */
import type { Answer } from '../../src/contract/answer.ts'
import { bindContract, type Contract, type Exchange } from '../../src/contract/binder.ts'
import { scopes } from '../../src/contract/document.ts'
import { type Example, exampleAnswer } from '../../src/contract/mock.ts'
import { Problem } from '../../src/problem.ts'
import { startPrism } from './prism.ts'

/** Whoever has a key, whichever, may do everything. */
const anybody = { accountId: 'mock', keyId: 'mock', mode: 'test' as const, scopes }

export async function createMock(): Promise<Contract> {
  const prism = await startPrism()
  return bindContract({}, nothing, {
    session: nothing,
    idempotency: nothing,
    admission: { authenticate: async () => anybody, throttle: async () => {} },
    gate: (work) => work(),
    unhandled: (_context, exchange) => ask(prism.url, exchange),
  })
}

/** A mock has no services and no database, and nothing that would ask for them. */
const nothing = {} as never

async function ask(prism: string, { request, body, traceId }: Exchange): Promise<Answer> {
  const { method = 'GET', url = '/', headers } = request
  const passedOn = ['authorization', 'content-type', 'idempotency-key', 'prefer'].flatMap((name) =>
    typeof headers[name] === 'string' ? [[name, headers[name]] as [string, string]] : [],
  )
  const response = await fetch(prism + url, {
    method,
    headers: passedOn,
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
