/** Asks a deployment, gently: a bounded number of requests, and none before the time that a 429 names. */
import { Agent, fetch } from 'undici'
import packageFile from '../../package.json' with { type: 'json' }
import { operationFacts } from '../../src/contract/document.ts'
import type { OperationId } from '../../src/contract/operation.ts'
import { Broken } from './finding.ts'
import { type Answer, dataOf } from './judge.ts'
import { bodyOf, headersOf, type Request, targetOf } from './request.ts'

/** Of one run. */
const requestsMax = 600
/** How often one request is repeated because the deployment said "slow down". */
const repeatsMax = 5
/** Longer than this, a run does not wait to be let in again. */
const waitSecondsMax = 120

export interface Exchange {
  ask: (operationId: OperationId, request: Request) => Promise<Answer>
  /** What belongs to no operation. */
  askFor: (method: string, target: string) => Promise<Answer>
  /** What is published beside the operations; nobody is told of the answer. */
  read: (target: string) => Promise<{ status: number; text: string }>
  /** How many requests were sent. */
  count: () => number
  close: () => Promise<void>
}

export interface ExchangeParts {
  /** Of the deployment, without a slash at the end. */
  url: string
  /** For one answer. */
  timeoutSeconds: number
  wait: (seconds: number) => Promise<void>
  /** Told of every answer. */
  onAnswer: (answer: Answer) => void
}

interface Outgoing {
  method: string
  headers: Record<string, string>
  body?: string | undefined
}

export function createExchange({ url, timeoutSeconds, wait, onAnswer }: ExchangeParts): Exchange {
  const agent = new Agent({ connect: { timeout: timeoutSeconds * 1000 } })
  let count = 0

  const once = async (operationId: OperationId | undefined, target: string, outgoing: Outgoing): Promise<Answer> => {
    count += 1
    if (count > requestsMax) throw new Broken(`the run has sent ${requestsMax} requests and asks no more`)
    const { text, status, headers } = await exchanged(url + target, outgoing, agent, timeoutSeconds)
    return { operationId, status, headers, text, data: dataOf(text) }
  }
  const gently: typeof once = async (operationId, target, outgoing) => {
    for (let repeat = 1; ; repeat++) {
      const answer = await once(operationId, target, outgoing)
      const seconds = Number(answer.headers.get('retry-after'))
      const { code } = answer.data
      // A proxy that says so has words of its own.
      const isOfProxy = answer.status === 429 && code === undefined
      const isTooFast = isOfProxy || code === 'rate_limited'
      if (!isOfProxy) onAnswer(answer)
      if (!isTooFast || repeat > repeatsMax || !(seconds <= waitSecondsMax)) return answer
      await wait(Math.max(1, seconds))
    }
  }

  return {
    ask: (operationId, request) => {
      const { method, path } = operationFacts.find((facts) => facts.operationId === operationId)!
      const outgoing = { method: method.toUpperCase(), headers: headersOf(request), body: bodyOf(request) }
      return gently(operationId, targetOf(path, request), outgoing)
    },
    askFor: (method, target) => gently(undefined, target, { method, headers: {} }),
    read: (target) => once(undefined, target, { method: 'GET', headers: {} }),
    count: () => count,
    close: () => agent.close(),
  }
}

async function exchanged(url: string, { method, headers, body }: Outgoing, agent: Agent, timeoutSeconds: number) {
  try {
    const response = await fetch(url, {
      method,
      // Byte for byte is what is promised: so nothing on the way may pack it.
      headers: {
        'User-Agent': `watchword-conformance/${packageFile.version}`,
        'Accept-Encoding': 'identity',
        ...headers,
      },
      ...(body !== undefined && { body }),
      // Elsewhere, the key has no business.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
      dispatcher: agent,
    })
    const text = await response.text()
    return { text, status: response.status, headers: new Headers([...response.headers]) }
  } catch (error) {
    throw new Broken(`no answer: ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return 'it did not come in time'
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : message
}
