import { randomUUID } from 'node:crypto'
import createClient from 'openapi-fetch'
import type { components, paths } from './watchword.ts'

const [triesMax, timeoutMs, waitSecondsMax] = [4, 15_000, 10]

export const watchword = createClient<paths>({
  baseUrl: process.env.WATCHWORD_URL ?? 'http://127.0.0.1:3000',
  headers: { Authorization: `Bearer ${process.env.WATCHWORD_API_KEY}` },
  fetch: fetchPatiently,
})

/** Repeats what may be repeated. The key and the body stay the same, so the work is done once. */
async function fetchPatiently(request: Request): Promise<Response> {
  const { method, headers } = request
  if (method === 'POST' && !headers.has('Idempotency-Key')) headers.set('Idempotency-Key', randomUUID())
  for (let tries = 1; ; tries++) {
    const backOff = 2 ** tries * (0.1 + Math.random() * 0.1)
    const answer = await fetch(request.clone(), { signal: AbortSignal.timeout(timeoutMs) }).catch(
      (error: Error) => error,
    )
    const seconds = answer instanceof Response ? await secondsToWait(answer, backOff) : backOff
    if (seconds === undefined || seconds > waitSecondsMax || tries === triesMax) {
      if (answer instanceof Response && /json/.test(answer.headers.get('Content-Type') ?? '')) return answer
      throw answer instanceof Error ? answer : new Error(`Something before Watchword answered ${answer.status}.`)
    }
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}

/** Undefined when the same request would get the same answer. */
async function secondsToWait(answer: Response, backOff: number): Promise<number | undefined> {
  if (answer.status === 429 || answer.status === 503) return Number(answer.headers.get('Retry-After') ?? backOff)
  if (answer.status !== 409) return answer.status >= 500 ? backOff : undefined
  const { data } = (await answer.clone().json()) as components['schemas']['ErrorResponse']
  return data.code === 'idempotency_in_progress' ? backOff : undefined
}
