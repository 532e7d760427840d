/** Asks a deployment, gently: a bounded number of requests, and none before the time that a 429 or a 503 names. */
import { Agent, type Dispatcher, request } from 'undici'
import packageFile from '../../package.json' with { type: 'json' }
import { operationFacts } from '../../src/contract/document.ts'
import type { OperationId } from '../../src/contract/operation.ts'
import { Broken, Unusable } from './finding.ts'
import { type Answer, parseData } from './judge.ts'
import { bodyOf, buildHeaders, buildTarget, type Request } from './request.ts'

/** Of one run. */
const requestsMax = 700
/** How often one request is repeated because the deployment said "slow down". */
const repeatsMax = 5
/** Longer than this, a run does not wait to be let in again. */
const waitSecondsMax = 120
/** Of one answer: the largest that is promised is /openapi.json. */
const answerBytesMax = 4 * 1024 * 1024

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
  /** Ends the whole run, for an `Unusable` that says why. */
  deadline: AbortSignal
  wait: (seconds: number) => Promise<void>
  /** Told of every answer. */
  onAnswer: (answer: Answer) => void
}

interface Outgoing {
  method: string
  headers: Record<string, string>
  body?: string | undefined
}

export function createExchange({ url, timeoutSeconds, deadline, wait, onAnswer }: ExchangeParts): Exchange {
  const agent = new Agent({ connect: { timeout: timeoutSeconds * 1000 } })
  let count = 0

  const once = async (operationId: OperationId | undefined, target: string, outgoing: Outgoing): Promise<Answer> => {
    count += 1
    if (count > requestsMax) throw new Broken(`the run has sent ${requestsMax} requests and asks no more`)
    deadline.throwIfAborted()
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(timeoutSeconds * 1000)])
    const { text, status, headers } = await exchanged(url + target, outgoing, signal, agent)
    return { operationId, status, headers, text, data: parseData(text) }
  }
  const gently: typeof once = async (operationId, target, outgoing) => {
    for (let repeat = 1; ; repeat++) {
      const answer = await once(operationId, target, outgoing)
      const seconds = Number(answer.headers.get('retry-after'))
      const { code } = answer.data
      // A proxy that says so has words of its own.
      const isOfProxy = answer.status === 429 && code === undefined
      // One that is busy for a moment breaks no promise: it says when to come again.
      const isBusy = isOfProxy || code === 'rate_limited' || code === 'service_unavailable'
      if (!isOfProxy) onAnswer(answer)
      if (!isBusy || repeat > repeatsMax || !(seconds <= waitSecondsMax)) return answer
      await wait(Math.max(1, seconds))
    }
  }

  return {
    ask: (operationId, asked) => {
      const { method, path } = operationFacts.find((facts) => facts.operationId === operationId)!
      const outgoing = { method: method.toUpperCase(), headers: buildHeaders(asked), body: bodyOf(asked) }
      return gently(operationId, buildTarget(path, asked), outgoing)
    },
    askFor: (method, target) => gently(undefined, target, { method, headers: {} }),
    read: (target) => once(undefined, target, { method: 'GET', headers: {} }),
    count: () => count,
    close: () => agent.destroy(),
  }
}

async function exchanged(url: string, { method, headers, body }: Outgoing, signal: AbortSignal, agent: Agent) {
  try {
    // Unlike `fetch`, this unpacks nothing and follows nobody: elsewhere, the key has no business.
    const response = await request(url, {
      method: method as Dispatcher.HttpMethod,
      // Byte for byte is what is promised: so nothing on the way may pack it.
      headers: {
        'User-Agent': `watchword-conformance/${packageFile.version}`,
        'Accept-Encoding': 'identity',
        ...headers,
      },
      body: body ?? null,
      signal,
      dispatcher: agent,
    })
    return { text: await readText(response), status: response.statusCode, headers: headersIn(response) }
  } catch (error) {
    if (error instanceof Broken || error instanceof Unusable) throw error
    throw new Broken(`no answer: ${describeReason(error)}`)
  }
}

/** @throws Broken */
async function readText({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  // Whoever leaves early ends the connection, and that is no other fault.
  body.on('error', () => {})
  if (headers['content-encoding'] !== undefined) {
    body.destroy()
    throw new Broken(`the answer is packed (${headers['content-encoding']}), though it was asked not to be`)
  }
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length
    if (size > answerBytesMax) throw new Broken(`the answer is larger than ${answerBytesMax} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function headersIn({ headers }: Dispatcher.ResponseData): Headers {
  const told = new Headers()
  for (const [name, values = []] of Object.entries(headers))
    for (const value of [values].flat()) told.append(name, value)
  return told
}

function describeReason(error: unknown): string {
  const { name, message, code } = error as NodeJS.ErrnoException
  return name === 'TimeoutError' ? 'it did not come in time' : (code ?? message)
}
