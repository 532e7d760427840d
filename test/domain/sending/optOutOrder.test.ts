/** Opt-outs and opt-ins that come in another order than they were said: by three processes' worth of the service on one database. */
import { createSecretKey } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOptOuts, type OptOutNews } from '../../../src/domain/sending/phones/optOut.ts'
import { purge } from '../../../src/store/keeping/retention.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

const told: { is: 'out' | 'in'; recipient: string }[] = []
const optOuts = createOptOuts({
  lookup: { key: createSecretKey(Buffer.alloc(32)) },
  events: { tellOptOuts: (_tx, list) => told.push(...list) },
})
const accountId = 'acct_default'

let servers: TestServer[]
let startMs: number
beforeAll(async () => {
  const server = await startServer()
  servers = [server, await startServer({ beside: server }), await startServer({ beside: server })]
  startMs = server.runtime.now().getTime()
})
afterAll(async () => {
  for (const server of servers.toReversed()) await server.close()
})

type Said = ['stop' | 'start', atSeconds: number, more?: Partial<OptOutNews>]

const commitOf = (place: number) => servers[place % servers.length]!.commit

/** In a transaction of its own. */
const say = (phone: string, [reply, atSeconds, more]: Said, place = 0) =>
  commitOf(place).transaction((tx) => {
    const at = new Date(startMs + atSeconds * 1000)
    const news: OptOutNews[] = [{ accountId, mode: 'live', phone, source: 'reply', at, ...more }]
    return reply === 'stop' ? optOuts.addNew(tx, news) : optOuts.remove(tx, news)
  })

const standing = (phones: readonly string[]) =>
  optOuts.find(
    commitOf(0).reader,
    phones.map((phone) => ({ accountId, mode: 'live', phone })),
  )

async function after(...list: readonly Said[]): Promise<string | undefined> {
  const phone = newPhone()
  for (const one of list) await say(phone, one)
  return (await standing([phone]))[0]?.category
}

it('what was said last counts, however it comes, and by three processes at once', async () => {
  const words: Said[] = [0, 1, 2, 3, 4, 5].map((second) => [second % 2 === 0 ? 'stop' : 'start', second])
  const phones = Array.from({ length: 60 }, newPhone)
  const isLastStop = (place: number) => place % 2 === 0
  const all = phones.flatMap((phone, place) =>
    words
      .slice(0, isLastStop(place) ? 5 : 6)
      .map((word, second) => ({ phone, word, rank: (place * 7 + second * 5) % 6 })),
  )
  const shuffled = all.toSorted((one, other) => one.rank - other.rank)
  await Promise.all(shuffled.map(({ phone, word }, place) => say(phone, word, place)))
  const found = await standing(phones)
  expect(found.map((known) => known !== undefined)).toEqual(phones.map((_phone, place) => isLastStop(place)))
})

it('a hundred times the same STOP after the START, at once: none counts, and no event tells of it', async () => {
  const phone = newPhone()
  await say(phone, ['start', 10])
  const before = told.length
  const news = await Promise.all(Array.from({ length: 100 }, (_, place) => say(phone, ['stop', 5], place)))
  expect(news.filter((count) => count > 0)).toEqual([])
  expect(told).toHaveLength(before)
  expect(await standing([phone])).toEqual([undefined])
})

it.each<[string | undefined, ...Said[]]>([
  [undefined, ['stop', 1], ['start', 2], ['stop', 1]],
  ['all', ['stop', 1], ['start', 2], ['stop', 3]],
  // In one second, what comes last counts.
  ['all', ['start', 2], ['stop', 2]],
  [undefined, ['stop', 2], ['start', 2]],
  // An opt-in from before the newest STOP.
  ['all', ['stop', 1], ['stop', 3], ['start', 2]],
  // What the account does, it does now, whatever the clocks say.
  [undefined, ['stop', 5], ['start', 1, { source: 'api' }]],
  ['all', ['start', 5], ['stop', 1, { source: 'person' }]],
  // The clock of a phone may be hours behind: what the account did, loses no STOP of up to a day before it.
  ['all', ['start', 5, { source: 'api' }], ['stop', 1]],
  ['all', ['stop', -50_400], ['start', 0, { source: 'api' }], ['stop', -50_393]],
  [undefined, ['start', 5, { source: 'api' }], ['stop', -86_396]],
  [undefined, ['start', 5, { source: 'api' }], ['start', 6], ['stop', 1]],
  ['all', ['start', 5], ['start', 6, { source: 'person' }], ['stop', 1]],
  [undefined, ['start', 5], ['stop', 1, { source: 'provider' }]],
  // An opt-in to marketing takes back no opt-out of everything.
  ['all', ['start', 5, { category: 'marketing' }], ['stop', 1]],
  [undefined, ['start', 5, { category: 'marketing' }], ['stop', 1, { category: 'marketing' }]],
  ['marketing', ['start', 1], ['stop', 2, { category: 'marketing' }]],
  ['all', ['stop', 2, { category: 'marketing' }], ['stop', 1]],
])('leaves %s: %j %j %j', async (left, ...list) => {
  expect(await after(...list.filter((one) => one !== undefined))).toBe(left)
})

it('an opt-in is kept for thirty days, out of the list; opt-outs stay', async () => {
  const [back, out] = [newPhone(), newPhone()]
  await say(back, ['start', 0])
  await say(out, ['stop', 0])
  const rows = () =>
    servers[0]!.query(sql`select count(*) filter (where opted_in is null)::int as out,
      count(*) filter (where opted_in is not null)::int as back from opt_out`)
  const [before] = await rows()
  const erase = (atMs: number) => commitOf(0).transaction((tx) => purge(tx, 'optIns', new Date(atMs), 500))
  expect(await erase(startMs)).toBe(0)
  await erase(startMs + 60_000)
  expect(await rows()).toEqual([{ ...(before as object), back: 0 }])
})
