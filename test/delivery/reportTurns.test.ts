/** Reports of many accounts at once, where there is room for few. */
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createRoutes, wa } from '../support/routes.ts'

const routes = createRoutes({}, { groupsMax: 1, membersMax: 1, waitingMax: 2 })

it('an account that gets reports all the time turns away its own, and not those of another', async () => {
  const given = async () => {
    const { accountId, live } = await routes.accountWith(wa())
    return { accountId, live, id: await routes.sentBy(live) }
  }
  const [greedy, quiet] = [await given(), await given()]
  const { app, runtime } = routes.server
  const accept = ({ accountId, id }: { accountId: string; id: string }) => {
    const body = Buffer.from(JSON.stringify([{ message: { accountId, id }, at: runtime.now(), status: 'delivered' }]))
    return app.receipts.accept({ accountId, connection: 'wa-eu' }, { headers: { signature: 'good' }, body })
  }
  for (const one of [greedy, quiet]) await accept({ ...one, id: 'req_00000000000000000000000000' })
  const many = Array.from({ length: 10 }, () => accept(greedy))
  const ends = await Promise.allSettled([...many, accept(quiet)])
  expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(5)
  expect(ends.at(-1)).toMatchObject({ status: 'fulfilled', value: 'accepted' })
  expect(await quiet.live.status(quiet.id)).toBe('delivered')
})

it('reports that came too early wait in a lane of their connection, and hold up no others', async () => {
  const { accountId } = await routes.accountWith(wa())
  const { app, runtime, query } = routes.server
  const told = [{ providerMessageId: 'not-ours-1', at: runtime.now(), status: 'delivered' }]
  const body = Buffer.from(JSON.stringify(told))
  await app.receipts.accept({ accountId, connection: 'wa-eu' }, { headers: { signature: 'good' }, body })
  const jobs = await query<{ lane: string }>(sql`
    select group_id as lane from pgboss.job where name = 'report-early' and data::text like '%not-ours-1%'`)
  expect(jobs).toEqual([{ lane: `${accountId} wa-eu` }])
})
