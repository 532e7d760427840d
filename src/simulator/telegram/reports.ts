/** What became of a code, as Telegram posts it: one message a body, signed with the token and the time. */
import { createHmac, createSecretKey, hash } from 'node:crypto'
import type { HandOver } from '../phones.ts'
import type { Post, Poster } from '../poster.ts'
import type { Report } from '../wire.ts'

/** Seconds that an old report is late: more than who receives it may let pass. */
const lateSeconds = 600

/** @returns the value of `X-Request-Signature` for a body and the text of `X-Request-Timestamp` */
export function createSignature(token: string): (timestamp: string, body: string) => string {
  const key = createSecretKey(hash('sha256', token, 'buffer'))
  return (timestamp, body) => createHmac('sha256', key).update(`${timestamp}\n${body}`).digest('hex')
}

export interface ReportsParts {
  token: string
  poster: Poster
  now: () => Date
  /** For messages that name no address of their own; undefined for nowhere. */
  webhook: () => string | undefined
  statusOf: (message: HandOver) => object
}

export function createReports({ token, poster, now, webhook, statusOf }: ReportsParts): Report {
  const signatureOf = createSignature(token)
  const forgedOf = createSignature(`not ${token}`)

  return async (message, { manner, attemptsMax }) => {
    const url = message.origin ?? webhook()
    if (url === undefined) return undefined
    const body = JSON.stringify(statusOf(message))
    const late = manner === 'stale' ? lateSeconds : 0
    const sign = manner === 'forged' ? forgedOf : signatureOf
    const make = (): Post => {
      const timestamp = String(Math.floor(now().getTime() / 1000) - late)
      return { headers: { 'X-Request-Timestamp': timestamp, 'X-Request-Signature': sign(timestamp, body) }, body }
    }
    return poster.post(url, make, manner === 'forged' || manner === 'stale' ? 1 : attemptsMax)
  }
}
