/** Callers who meet another process with each request, and hold each to what the other one has said. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Pair } from './site.ts'

export interface Talks {
  /** How many went from one version to another: `before > now`. */
  ways: () => ReadonlyMap<string, number>
  /** Those that were told to come again later. */
  refused: () => number
  /** @throws what one of them found */
  check: () => void
  /** @returns how many came to their end */
  stop: () => Promise<number>
}

const callersMax = 3
/** Milliseconds for a text to be on the phone. */
const textMs = 60_000

/** The service is busy: what was asked for was not done. */
class Refused extends Error {}

/** @param pairs to whom a caller may go, another one first each time */
export function createTalks(pairs: () => Pair[]): Talks {
  const ways = new Map<string, number>()
  let [stopping, talks, refused, phones] = [false, 0, 0, 7_000_000]
  let found: unknown

  const caller = async () => {
    while (!stopping && !found) {
      phones += 1
      const [first, second] = twoOf(pairs())
      try {
        await talk(`+1415${phones}`, first, second, pairs)
        const way = `${first.version} > ${second.version}`
        ways.set(way, (ways.get(way) ?? 0) + 1)
        talks += 1
      } catch (error) {
        if (error instanceof Refused) refused += 1
        else found ??= error
      }
    }
  }
  const callers = Promise.all(Array.from({ length: callersMax }, caller))
  const check = () => {
    if (found) throw found
  }
  return {
    ways: () => ways,
    refused: () => refused,
    check,
    stop: async () => {
      stopping = true
      await callers
      check()
      return talks
    },
  }
}

function twoOf([first, second = first]: Pair[]): [Pair, Pair] {
  return [first!, second!]
}

/** A code is sent here, again and checked there; and what both tell of it is the same. */
async function talk(phone: string, first: Pair, second: Pair, pairs: () => Pair[]): Promise<void> {
  const key = { 'Idempotency-Key': `talk-${phone.slice(-7)}` }
  const sent = await read(first.post('/v1/verify/send', { phone }, key))
  // Either may be told to end meanwhile: then it is the other one that is asked.
  const still = (pair: Pair) => (pairs().includes(pair) ? pair : twoOf(pairs())[0])
  expect(await read(still(second).post('/v1/verify/send', { phone }, key)), 'the same key').toBe(sent)
  const { request_id } = dataOf(sent)
  const code = (await textOn(phone, () => still(second))).slice(-6)
  const check = async (pair: Pair, digits: string) =>
    dataOf(await read(pair.post('/v1/verify/check', { request_id, code: digits })))
  const wrong = `${code.startsWith('1') ? '2' : '1'}${code.slice(1)}`
  expect(await check(still(first), wrong)).toMatchObject({ verified: false, attempts_remaining: 4 })
  expect(await check(still(second), code)).toMatchObject({ verified: true })
  expect(await check(still(first), code)).toMatchObject({ verified: false, reason: 'already_verified' })

  const welcome = { phone: phone.replace('7', '8'), template: 'welcome', variables: { name: 'Ada' } }
  const notified = dataOf(await read(still(second).post('/v1/notifications/send', welcome, key)))
  for (const id of [request_id, notified.request_id]) {
    const told = dataOf(await read(still(first).get(`/v1/messages/${id}`)))
    if (told.status !== 'delivered') continue
    // The version before tells less of a message.
    const { id: same, status, timestamp } = dataOf(await read(still(second).get(`/v1/messages/${id}`)))
    expect({ same, status, timestamp }).toEqual({ same: told.id, status: told.status, timestamp: told.timestamp })
  }
}

/** @throws Refused for 503, which says that nothing was done; an assertion for any other answer but 200 */
async function read(answer: Promise<Response>): Promise<string> {
  const response = await answer
  const text = await response.text()
  if (response.status === 503) throw new Refused(text)
  expect(response.status, text).toBe(200)
  return text
}

function dataOf(text: string): Record<string, string> {
  return JSON.parse(text).data
}

async function textOn(phone: string, pair: () => Pair): Promise<string> {
  for (const until = Date.now() + textMs; ; await wait(20)) {
    const [text] = await pair().textsOn(phone)
    if (text !== undefined) return text
    if (Date.now() > until) throw new Error(`no text came to ${phone}`)
  }
}
