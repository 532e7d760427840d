/** Three processes on one PostgreSQL under attacks, one of which is killed: what rules count, and what budgets do. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PlayedSend } from '../../scripts/attack/honest.ts'
import { patterns } from '../../scripts/attack/patterns.ts'
import { createChance } from '../../scripts/attack/random.ts'
import { prefixOf } from '../../src/domain/protection/counter.ts'
import { type RuleAct, type WrittenRule, writtenRule } from '../../src/domain/protection/rule.ts'
import { standardList } from '../../src/domain/protection/standardList.ts'
import { run } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { launchProcess, type Running, whenReady } from '../support/process.ts'

const callersMax = 24
const sendsMax = 400

let folder: string
let database: TestDatabase
let settings: Record<string, string>
let processes: Running[]
let key: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-counted-'))
  database = await createDatabase()
  settings = {
    ...{ DATABASE_URL: database.settings.url, WATCHWORD_SECRET: 'a secret of the count test that is long enough' },
    ...{ DATA_DIR: folder, DEV_KEYS: 'on', KEY_RATE_PER_SECOND: '100000', KEY_BURST: '100000', WORKER: 'off' },
  }
  processes = [await start()]
  processes.push(...(await Promise.all([start(), start()])))
  key = (await readFile(join(folder, 'live-key'), 'utf8')).trim()
}, 120_000)
afterAll(async () => {
  await Promise.all(processes?.map(({ end }) => end('SIGKILL')) ?? [])
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

const start = () => whenReady(launchProcess('serve', settings))

/**
 * As it is where all codes have settled, and acting on the first few. These attacks are over before a code of theirs settles, and
 * processes are to agree at once.
 */
function settledRule(rule: WrittenRule): WrittenRule {
  const isByUnverified = 'count' in rule && rule.count === 'unverified'
  return isByUnverified ? { ...rule, settles: undefined, over: { ...rule.over, constant: 5 } } : rule
}

/** The standard list, where each rule does that; and budgets. */
async function apply(act: RuleAct, budgets: { id: string; messages: number }[] = []): Promise<void> {
  const file = join(folder, `${act}.yaml`)
  const rules = standardList.map((rule) => ({ ...settledRule(writtenRule(rule)), do: act }))
  await writeFile(file, JSON.stringify({ rules, budgets }))
  expect(await run(settings, ['protection', 'apply', file, '--reason', 'a test'])).toMatchObject({ exitCode: 0 })
  // Processes that run look again within five seconds; these know no other list.
  processes = await Promise.all(processes.map((one) => one.end('SIGKILL').then(start)))
}

const attack = (name: string): PlayedSend[] =>
  patterns
    .find((pattern) => pattern.name === name)!
    .sends(createChance(7), 0)
    .slice(0, sendsMax)

interface Answered {
  /** Undefined where its process was killed: whether it was made, is open then. */
  status: number | undefined
  url: string
  at: number
}

async function send({ phone, ip, user }: PlayedSend, place: number): Promise<Answered> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ phone, signals: { ip, user_id: user } })
  const { url } = processes[place % processes.length]!
  const status = await fetch(`${url}/v1/verify/send`, { method: 'POST', headers, body }).then(
    (answer) => answer.status,
    () => undefined,
  )
  return { status, url, at: performance.now() }
}

/** Sends them all, many at once, each to the next process; when a third is answered, one is killed, and started again. */
async function sendAll(list: readonly PlayedSend[]): Promise<SentAll> {
  const answers: Answered[] = []
  let next = 0
  let restarted: Promise<void> | undefined
  const killed = { url: '', at: 0 }
  const restart = async () => {
    const [victim] = processes
    Object.assign(killed, { url: victim!.url, at: performance.now() })
    await victim!.end('SIGKILL')
    processes[0] = await start()
  }
  const call = async () => {
    for (let place = next++; place < list.length; place = next++) {
      answers.push(await send(list[place]!, place))
      if (answers.length >= list.length / 3) restarted ??= restart()
    }
  }
  await Promise.all(Array.from({ length: callersMax }, call))
  await restarted
  // Once more, by the process that is new.
  const more = list.slice(0, 9).map(nearby)
  answers.push(...(await Promise.all(more.map(send))))
  const lost = answers.filter(
    ({ status, url, at }) =>
      status === undefined ||
      (status === 200 && url === killed.url && at > killed.at - exchangeMs && at < killed.at + exchangeMs),
  )
  return { list: [...list, ...more], statuses: answers.map(({ status }) => status), lostMax: lost.length }
}

interface SentAll {
  /** All that were asked for. */
  list: readonly PlayedSend[]
  statuses: (number | undefined)[]
  /** Sends that the killed process may have made and not told the others of. */
  lostMax: number
}

/** Milliseconds: a quarter of a second, and as long for the statement on a busy machine. */
const exchangeMs = 500

/** Another number beside that one. */
function nearby(one: PlayedSend): PlayedSend {
  return { ...one, phone: `${one.phone.slice(0, -4)}${String(9999 - Number(one.phone.slice(-4))).padStart(4, '0')}` }
}

/** What was counted under each counter, and what the messages say. */
async function counted(since: Date) {
  const { sql } = database
  const counters = await sql<{ counter: string; sends: number }[]>`
    select split_part(key, '/', 3) as counter, sum(sends)::int as sends from protection_count where slot >= ${since}
    group by counter order by counter`
  const [made] = await sql<{ count: number }[]>`select count(*)::int as count from message`
  return { counters: Object.fromEntries(counters.map(({ counter, sends }) => [counter, sends])), made: made!.count }
}

/** What each counter counts together. */
const everyCounter: Record<string, (send: PlayedSend) => string | undefined> = {
  'country:3600': ({ country }) => country,
  'country:60': ({ country }) => country,
  'ip:3600': ({ ip }) => ip,
  'prefix:600': ({ phone }) => prefixOf(phone),
  'user:3600': ({ user }) => user,
}

/** Three processes, and the one that is started in place of the killed one. */
const lives = 4

/** How many sends processes may hold: of each key, the first one that each of them makes. */
function countHeld(keyOf: (send: PlayedSend) => string | undefined, list: readonly PlayedSend[]): number {
  const ofKeys = [...Map.groupBy(list, keyOf).values()]
  return ofKeys.reduce((sum, { length }) => sum + Math.min(length, lives), 0)
}

/** Each counter has counted what was made, but for what the killed process has not told, and for what is held. */
async function expectCounted(made: number, { list, lostMax }: Pick<SentAll, 'list' | 'lostMax'>): Promise<void> {
  const listMissing = async () => {
    const { counters } = await counted(new Date(0))
    return Object.entries(everyCounter).filter(([counter, keyOf]) => {
      const sends = counters[counter] ?? 0
      return sends > made || sends < made - lostMax - countHeld(keyOf, list)
    })
  }
  await expect.poll(listMissing, { timeout: 5000 }).toEqual([])
}

it('of what rules count, a kill loses the last quarter of a second at most, and what is held', async () => {
  await apply('record')
  const { statuses, ...told } = await sendAll(attack('addresses'))
  const { made } = await counted(new Date(0))
  const sent = statuses.filter((status) => status === 200).length
  expect(made).toBeGreaterThanOrEqual(sent)
  expect(made - sent).toBeLessThanOrEqual(statuses.filter((status) => status === undefined).length)
  expect(sent).toBeGreaterThan(sendsMax / 2)
  await expectCounted(made, told)
})

it('a budget lets exactly its messages pass through three processes, also when one is killed', async () => {
  const messages = sendsMax - 100
  await database.sql`truncate message, phone, protection_count, budget_day`
  await apply('record', [{ id: 'all', messages }])
  await sendAll(attack('addresses'))
  expect((await counted(new Date(0))).made).toBe(messages)
  expect([...(await database.sql`select budget, messages from budget_day`)]).toEqual([{ budget: 'all', messages }])
})

it.each(['counting', 'prefixes', 'addresses'])(
  'the attack %s is stopped by three processes as by one, also when one of them is killed',
  async (name) => {
    await database.sql`truncate message, phone, protection_count`
    await apply('block')
    const { statuses, ...told } = await sendAll(attack(name))
    const { made } = await counted(new Date(0))
    // Nine of ten after the first fifty.
    expect(made).toBeLessThanOrEqual(50 + (statuses.length - 50) / 10)
    expect(statuses.filter((status) => status === 403).length).toBeGreaterThan(statuses.length / 2)
    await expectCounted(made, told)
  },
)
