/** Callers who remember what they were told, and what must be so at the end because of that. */
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { expect } from 'vitest'
import type { Service } from './service.ts'

export interface Load {
  /** How many sends were acknowledged. */
  acknowledged: () => number
  /** How many asks came to nothing, or to nobody knows what. */
  refused: () => number
  /** Ends when every key has its answer. @returns the phone of each message that was acknowledged */
  stop: () => Promise<Map<string, string>>
}

/** Milliseconds for a claim of a dead worker to be taken over, and for what was retried to come through. */
export const settleMs = 120_000

export interface LoadOptions {
  /** What a phone is sent; a code when left out. */
  ask?: (phone: string) => { path: string; body: object }
  callers?: number
  /** The part of the number behind the country and area; those after it are taken too. */
  phonesFrom?: number
}

/**
 * Sends to a new phone every few milliseconds. Every other caller has an `Idempotency-Key`, and asks until it is
 * acknowledged; the others never ask twice.
 */
export function createLoad(post: Service['post'], options: LoadOptions = {}): Load {
  const { ask = (phone) => ({ path: '/v1/verify/send', body: { phone } }), callers: count = 8 } = options
  const acknowledged = new Map<string, string>()
  let [refused, stopping, phones] = [0, false, options.phonesFrom ?? 2_000_000]

  /** @returns whether there is an answer that will not be another one */
  const send = async (phone: string, headers: Record<string, string>): Promise<boolean> => {
    const answer = await answerTo(post, ask(phone), headers)
    if (answer?.status === 200) acknowledged.set(answer.data.request_id, phone)
    else refused += 1
    return answer?.status === 200
  }
  const caller = async (isPersistent: boolean) => {
    while (!stopping) {
      phones += 1
      const phone = `+1415${phones}`
      if (!isPersistent) await send(phone, {})
      else while (!(await send(phone, { 'Idempotency-Key': `send-${phone.slice(-7)}` }))) await wait(20)
      await wait(10)
    }
  }
  const callers = Promise.all(Array.from({ length: count }, (_, index) => caller(index % 2 === 0)))
  // What went wrong comes out of `stop`.
  callers.catch(() => {})
  return {
    acknowledged: () => acknowledged.size,
    refused: () => refused,
    stop: async () => {
      stopping = true
      await callers
      return acknowledged
    },
  }
}

/** @returns undefined when the connection broke: nobody knows what was done */
async function answerTo(
  post: Service['post'],
  { path, body }: { path: string; body: object },
  headers: Record<string, string>,
) {
  let answer: { status: number; data: { request_id: string; code?: string } }
  try {
    const response = await post(path, body, headers)
    const { data } = (await response.json()) as Pick<typeof answer, 'data'>
    answer = { status: response.status, data }
  } catch {
    return undefined
  }
  const { status, data } = answer
  if (status !== 200) {
    const allowed = ['503 service_unavailable', '409 idempotency_in_progress']
    expect(allowed).toContain(`${status} ${data.code}`)
  }
  return answer
}

/** Holds what the database has in the end to what was acknowledged. */
export async function expectKept(
  databaseUrl: string,
  acknowledged: Map<string, string>,
  post: Service['post'],
): Promise<void> {
  const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
  const ids = [...acknowledged.keys()]
  await expect.poll(() => countOpen(sql), { timeout: settleMs, interval: 500 }).toBe(0)

  const found = await sql`select m.id, m.phone, m.status, m.expires_at, s.text, s.at
    from message m left join sandbox_message s on s.account_id = m.account_id and s.id = m.id
    where m.id in ${sql(ids)}`
  expect(found).toHaveLength(ids.length)
  for (const row of found) {
    expect(row, row.id).toMatchObject({ status: 'delivered', text: expect.stringMatching(/ \d{6}$/) })
    expect(row.at.getTime(), row.id).toBeLessThan(row.expires_at.getTime())
    expect(row.phone).toBe(acknowledged.get(row.id))
  }
  expect(await sql`select phone from sandbox_message group by phone having count(*) > 1`, 'came twice').toEqual([])
  await expectWhole(sql)
  await sql.end()

  // The digits on the phone are those that were acknowledged: they verify, once, also what was sent before the first fault.
  for (const { id, text } of found.filter((_row, index) => index % Math.ceil(found.length / 200) === 0)) {
    const check = async () => (await post('/v1/verify/check', { request_id: id, code: text.slice(-6) })).json()
    expect(await check()).toMatchObject({ data: { verified: true } })
    expect(await check()).toMatchObject({ data: { verified: false, reason: 'already_verified' } })
  }
}

/** How many messages have no final status yet. */
export async function countOpen(sql: postgres.Sql): Promise<number> {
  const [row] = await sql`select count(*)::int as open from message
    where status not in ('delivered', 'read', 'failed', 'expired')`
  return row?.open as number
}

/** What nobody was told of was done whole, or not at all; and no phone, of which each is sent to once, was sent to twice. */
export async function expectWhole(sql: postgres.Sql): Promise<void> {
  expect(await sql`select phone from message group by phone having count(*) > 1`, 'sent twice').toEqual([])
  expect(await sql`select key from idempotency where status is null`, 'claimed, without an answer').toEqual([])
  const halves = await sql`select p.verification_id from phone p
    left join message m on m.account_id = p.account_id and m.id = p.verification_id and m.phone = p.phone
    where p.verification_id is not null and m.id is null`
  expect(halves, 'half done').toEqual([])
}
