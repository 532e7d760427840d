/** Asks, and holds each answer to what is promised of every one. */
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { bodyBytesMax } from '../../src/contract/document.ts'
import { type Answer, type ErrorData, readAnswer } from '../support/client.ts'
import type { TestServer } from '../support/server.ts'
import type { Case } from './cases.ts'

/** Milliseconds in which even the worst is answered: more than others take from this process on a machine that they share. */
export const answerMsMax = 10_000
/** Milliseconds of work that even the worst make, of both ends: nobody else's time counts. */
const workMsMax = 1000

/** Asks all of them at once. What is refused must leave no trace. */
export async function askAtOnce(server: TestServer, key: string, cases: Case[]): Promise<void> {
  const before = await written(server)
  const begun = process.cpuUsage()
  const answers = await Promise.all(cases.map((one) => ask(server, key, one)))
  const { user, system } = process.cpuUsage(begun)
  expect((user + system) / 1000).toBeLessThan(workMsMax)
  const after = await written(server)
  const made = answers.filter(({ text }) => /"request_id":"[^"]+","status":"(sent|queued)"/.test(text)).length
  if (made === 0) expect(after).toEqual(before)
  else expect(after.messages - before.messages).toBe(made)
}

async function ask(server: TestServer, key: string, one: Case): Promise<Answer<ErrorData>> {
  const { method, path, body, statuses, code } = one
  const started = performance.now()
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...one.headers,
  }
  const response = await fetch(server.url + path, { method, headers, ...(body !== undefined && { body }) })
  const answer = method === 'HEAD' ? headOnly(response) : await readAnswer<ErrorData>(response)
  expect(performance.now() - started).toBeLessThan(answerMsMax)
  expect(Buffer.byteLength(answer.text)).toBeLessThan(bodyBytesMax)
  expect(statuses, answer.text).toContain(answer.status)
  if (code !== undefined) expect(answer.data.code).toBe(code)
  return answer
}

function headOnly({ status, headers }: Response): Answer<ErrorData> {
  return { status, headers, text: '', success: status < 400, data: {} as ErrorData }
}

interface Written {
  messages: number
  phones: number
  answers: number
  jobs: number
}

export async function written(server: TestServer): Promise<Written> {
  const [counts] = await server.query<Written>(sql`select (select count(*) from message)::int as messages,
    (select count(*) from phone)::int as phones, (select count(*) from idempotency)::int as answers,
    (select count(*) from pgboss.job)::int as jobs`)
  return counts!
}
