/**
 * An upgrade without a stop, and the way back: the version before and this one serve and deliver beside each other on one
 * database, under load, before, while and after this one's migrations are made.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EventReceiver, startEventReceiver } from '../support/eventReceiver.ts'
import { installPackage } from '../support/installedPackage.ts'
import { type MortalDatabase, openMortalDatabase } from './database.ts'
import { type Earlier, findEarlier, openEarlier, openEarlierPackage } from './earlier.ts'
import { expectOnPhones, startInletPosts } from './inletPosts.ts'
import { createLoad, expectKept, settleMs } from './load.ts'
import { expectInTime, expectLeft, letTimeCome, startScheduledPosts } from './scheduledPosts.ts'
import { openSite, type Pair, type Placed, type Site, type Version } from './site.ts'
import { createTalks } from './talks.ts'

const revision = await findEarlier()
/** Whether both are packages, installed, in place of sources. */
const arePackages = process.env.UPGRADE_PACKAGES === '1'
/** Milliseconds to install both. */
const madeMs = 600_000
/** Milliseconds until all events have come: the package of one commit could not send them, and a second retry is five minutes later. */
const toldMs = arePackages ? 480_000 : settleMs
/** Milliseconds for what is to happen next to have happened. */
const phaseMs = 90_000

describe.skipIf(!revision)(`from ${revision} to this version, and back`, () => {
  let folder: string
  let earlier: Earlier
  let ours: Placed & Partial<Earlier>
  let database: MortalDatabase
  let site: Site
  let receiver: EventReceiver
  let sql: postgres.Sql
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchword-faults-'))
    earlier = await (arePackages ? openEarlierPackage(revision!) : openEarlier(revision!))
    ours = arePackages ? await installPackage() : { folder: join(import.meta.dirname, '../..') }
    database = await openMortalDatabase(folder)
    site = await openSite(database.url)
    receiver = await startEventReceiver()
    sql = postgres(database.url, { max: 2, onnotice: () => {} })
  }, madeMs)
  afterAll(async () => {
    await sql?.end()
    await receiver?.close()
    await site?.stop()
    await database?.stop()
    await earlier?.remove()
    await ours?.remove?.()
    await rm(folder, { recursive: true, force: true })
  })

  it('nothing is lost, fails or is done twice, and what one has begun the other goes on with', {
    timeout: arePackages ? 900_000 : 600_000,
  }, async () => {
    const before: Version = { name: 'before', ...earlier }
    const now: Version = { name: 'now', ...ours }
    expect(await site.command(before, 'migrate')).toMatchObject({ code: 0 })
    const added = await site.command(before, 'endpoints', 'add', receiver.url, '--json')
    expect(added).toMatchObject({ code: 0 })
    const migrations = async () =>
      (await sql<{ at: string }[]>`select created_at as at from drizzle.__drizzle_migrations order by 1`).length

    let old = await site.open(before)
    const load = createLoad(site.post, { callers: 4 })
    const talks = createTalks(site.pairs)
    const goOn = (...pairs: Pair[]) => {
      process.stdout.write(
        `  ${pairs.map(({ version }) => version).join(' and ')}: ${load.acknowledged()} acknowledged\n`,
      )
      return expectGoingOn(pairs, talks)
    }
    await goOn(old)
    const first = await migrations()
    expect(await site.command(now, 'migrate')).toMatchObject({ code: 0 })
    process.stdout.write(`  ${(await migrations()) - first} migrations were made meanwhile\n`)
    await goOn(old)
    let young = await site.open(now)
    const posts = await startInletPosts(site, now, young)
    const forLater = startScheduledPosts(young)
    await goOn(old, young)
    expect(await site.shut(old)).toEqual([0, 0])
    await goOn(young)

    // Back again, on the database as it is now.
    old = await site.open(before)
    await goOn(old, young)
    // The version before has no inlets; what came through one, it delivers.
    const [posted, scheduled] = [await posts.stop(), await forLater.stop()]
    expect(await site.shut(young)).toEqual([0, 0])
    const waiting = await letTimeCome(sql)
    await goOn(old)
    await expectLeft(sql, waiting, earlier)

    // And forward once more.
    young = await site.open(now)
    await goOn(old, young)
    expect(await site.shut(old)).toEqual([0, 0])
    await goOn(young)

    const [acknowledged, talked] = [await load.stop(), await talks.stop()]
    process.stdout.write(
      `  ${acknowledged.size} acknowledged, ${load.refused()} not; ${talked} codes checked, ${posted.size} posted, ${scheduled.size} for later\n`,
    )
    // A machine that is busy with other things may leave a few waiting too long; nothing else is refused, and nothing breaks.
    expect(load.refused() + talks.refused()).toBeLessThan(0.01 * acknowledged.size)
    await expectKept(database.url, acknowledged, site.post)
    expect(await sql`select status from message group by status`).toEqual([{ status: 'delivered' }])
    await expectOnPhones(sql, posted)
    await expectInTime(sql, scheduled)
    await expectTold(JSON.parse(added.output).secret)
  })

  /** Every event has come, to be judged by the contract of this version. */
  async function expectTold(secret: string): Promise<void> {
    const waiting = async () =>
      (await sql`select count(*)::int as open from event_delivery where state <> 'delivered'`)[0]?.open
    await expect.poll(waiting, { timeout: toldMs, interval: 500 }).toBe(0)
    const events = await sql<{ id: string }[]>`select id from event`
    expect(events.length).toBeGreaterThan(100)
    const received = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    expect(events.filter(({ id }) => !received.has(id))).toEqual([])
    expect(receiver.faults(secret)).toEqual([])
  }
})

/** Each of the pairs answers and delivers, and each way from one to the other, or from one to itself, has been gone. */
async function expectGoingOn(pairs: Pair[], talks: ReturnType<typeof createTalks>): Promise<void> {
  const ways = pairs.flatMap(({ version: from }) =>
    pairs.length === 1
      ? `${from} > ${from}`
      : pairs.filter((to) => to.version !== from).map((to) => `${from} > ${to.version}`),
  )
  const figures = () => [
    ...pairs.flatMap((pair) => Object.values(pair.done())),
    ...ways.map((way) => 5 * (talks.ways().get(way) ?? 0)),
  ]
  const start = figures()
  for (const until = Date.now() + phaseMs; ; await wait(100)) {
    talks.check()
    const grown = figures().map((figure, index) => figure - start[index]!)
    if (grown.every((growth) => growth >= 10)) return
    if (Date.now() > until) throw new Error(`no going on: ${ways} ${grown}`)
  }
}
