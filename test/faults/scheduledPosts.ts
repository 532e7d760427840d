/** Notifications for later, while versions change: those that become due at once, and those whose time comes in the version before. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type postgres from 'postgres'
import { expect } from 'vitest'
import { settleMs } from './load.ts'
import { type Posts, startPosts } from './posts.ts'
import type { Pair, Placed } from './site.ts'

const soonSeconds = 3
/** For these, until the test lets their time come: the version before serves alone then. */
const laterSeconds = 3600

/** @param through answers the posts. @returns posts of how many seconds ahead each was */
export function startScheduledPosts(through: Pair): Posts<number> {
  return startPosts(50, async (number) => {
    const [phone, seconds] = [`+1418${number}`, number % 2 ? soonSeconds : laterSeconds]
    const send_at = new Date(Date.now() + seconds * 1000).toISOString()
    const body = { phone, template: 'welcome', variables: { name: 'Ada' }, send_at }
    const answer = await through.post('/v1/notifications/send', body)
    expect(answer.status, await answer.text()).toBe(200)
    return [phone, seconds]
  })
}

/** Lets the time of those for later come; what comes soon keeps its own. @returns how many wait */
export async function letTimeCome(sql: postgres.Sql): Promise<number> {
  await sql`update scheduled set send_at = now() where send_at > now() + interval '1 minute'`
  const { waiting } = await stateOfWaiting(sql)
  expect(waiting).toBeGreaterThan(10)
  return waiting
}

/** Where a version serves alone that does not know them, they are as they were left, on no phone; any other sends them. */
export async function expectLeft(sql: postgres.Sql, waiting: number, { folder, command }: Placed): Promise<void> {
  const contract = join(folder, command ? 'node_modules/watchword' : '', 'openapi.yaml')
  const isKnown = (await readFile(contract, 'utf8')).includes('send_at:')
  if (isKnown) await expect.poll(() => stateOfWaiting(sql), { timeout: settleMs }).toMatchObject({ waiting: 0 })
  else expect(await stateOfWaiting(sql)).toEqual({ waiting, moved: 0, texts: 0 })
}

async function stateOfWaiting(sql: postgres.Sql) {
  const [row] = await sql<{ waiting: number; moved: number; texts: number }[]>`
    select count(*)::int as waiting, count(*) filter (where m.status <> 'queued')::int as moved, count(t.id)::int as texts
    from scheduled s join message m using (account_id, id) left join sandbox_message t using (account_id, id)`
  return row!
}

/** Each phone has got its text, once, and not before its time. */
export async function expectInTime(sql: postgres.Sql, accepted: ReadonlyMap<string, number>): Promise<void> {
  const rows = await sql<{ phone: string; text: string; isEarly: boolean }[]>`
    select t.phone, t.text, t.at < m.send_at as "isEarly"
    from sandbox_message t join message m using (account_id, id) where t.phone like '+1418%'`
  expect(rows).toHaveLength(accepted.size)
  expect(new Set(rows.map(({ phone }) => phone))).toEqual(new Set(accepted.keys()))
  expect(new Set(rows.map(({ text }) => text))).toEqual(new Set(['Welcome, Ada!']))
  // That of the others came when the test said so.
  expect(rows.filter(({ phone, isEarly }) => isEarly && accepted.get(phone) === soonSeconds)).toEqual([])
}
