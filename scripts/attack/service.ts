/** One or several services on a PostgreSQL of their own and with a clock of their own: sends and checks go through their APIs. */
import { commitOptions } from '../../src/app/admin.ts'
import { type App, createApp } from '../../src/app/app.ts'
import { defaultAccount } from '../../src/domain/access/account.ts'
import { theService } from '../../src/domain/access/actor.ts'
import { createSchedule } from '../../src/domain/protection/replay/schedule.ts'
import { writtenRule } from '../../src/domain/protection/rule.ts'
import { standardList } from '../../src/domain/protection/standardList.ts'
import { createInternalErrors } from '../../src/kit/internalErrors.ts'
import { createLog, newUlid, type Runtime } from '../../src/kit/runtime.ts'
import { noTracing } from '../../src/kit/tracing.ts'
import { loadConfig } from '../../src/settings/config.ts'
import { createCommit } from '../../src/store/engine/commit.ts'
import { connect } from '../../src/store/engine/connect.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { temporaryPostgres } from '../../test/support/postgres.ts'
import { countAll } from '../dashboard/account.ts'
import type { PlayedSend } from './honest.ts'
import { fillPast } from './past.ts'
import { blockingList, type OpenStage, type Stage } from './stage.ts'

/** Milliseconds before the attack's day of which the sends go to the service: it has counted what windows of an hour look at. */
const countedMs = 2 * 3_600_000
const settings = {
  ...{
    PORT: '0',
    OPS_PORT: '0',
    LOG_LEVEL: 'silent',
    WORKER: 'off',
    WATCHWORD_SECRET: 'the secret of a service that is attacked',
  },
  ...{ KEY_RATE_PER_SECOND: '100000', KEY_BURST: '100000', DASHBOARD_PORT: 'off' },
}

/** @param count how many services there are, which are asked in turn */
export async function openServices(before: Parameters<OpenStage>[0], count: number): Promise<Stage> {
  const server = await temporaryPostgres('attack', ['fsync=off'])
  const clock = createClock(before[0]?.at ?? 0)
  const databases: Database[] = []
  const open = async () => {
    const database = await connect({ kind: 'postgres', url: server.url, connectionsMax: 4 })
    databases.push(database)
    return database
  }
  const database = await open()
  await database.migrate()
  const services: OpenService[] = []
  for (let index = 0; index < count; index++) services.push(await openService(await open(), clock))
  const [{ app }] = services as [OpenService]
  const { id: accountId } = await app.admin.accounts.require(theService, defaultAccount)
  const scopes = ['verify:write']
  const made = await app.admin.apiKeys.create(theService, {
    accountId,
    name: 'shop',
    mode: 'live',
    scopes,
    expiresAt: null,
  })
  const commit = createCommit(database, commitOptions(database))
  const urls = services.map(({ url }) => url)
  const caller = createCaller(urls, made.key, clock)

  const countedFrom = (before.at(-1)?.at ?? 0) - countedMs
  await apply(standardList)
  await fillPast(
    commit,
    accountId,
    before.filter(({ at }) => at < countedFrom),
  )
  await countAll(commit, new Date(countedFrom))
  for (const send of before.filter(({ at }) => at >= countedFrom)) await caller.send(send)
  await countAll(commit, clock.runtime.now())
  await apply(blockingList)
  return {
    send: caller.send,
    close: async () => {
      for (const one of services) await one.app.close()
      for (const one of databases) await one.close()
      await server.stop()
    },
  }

  function apply(rules: typeof blockingList): Promise<unknown> {
    const given = { rules: rules.map(writtenRule), fail: 'open', budgets: [] } as const
    return app.admin.protections.apply(theService, accountId, given, 'an attack is played')
  }
}

interface OpenService {
  app: App
  url: string
}

async function openService(database: Database, { runtime }: Clock): Promise<OpenService> {
  const app = await createApp(loadConfig(settings, { role: 'serve' }), { runtime, database, drainMs: 0 })
  const { port } = await app.listen({ api: true, worker: false })
  return { app, url: `http://127.0.0.1:${port}` }
}

interface Clock {
  runtime: Runtime
  /** Later only. */
  moveTo: (at: number) => void
}

function createClock(start: number): Clock {
  let now = start
  const runtime: Runtime = {
    now: () => new Date(now),
    elapsedMs: () => now,
    newId: () => newUlid(new Date(now)),
    randomDigits: (count) => code.slice(0, count),
    newTraceId: () => '1'.padStart(32, '0'),
    log: createLog('silent'),
    tracing: noTracing,
    internalErrors: createInternalErrors(createLog('silent')),
  }
  return {
    runtime,
    moveTo: (at) => {
      now = Math.max(now, at)
    },
  }
}

/** Of every message: who plays types it in without having got it. */
const code = '2468135790'
const codeDigits = 6

/** Codes that come back between two sends are typed in at their time. */
function createCaller(urls: readonly string[], key: string, clock: Clock) {
  let asked = 0
  const codes = createSchedule<{ at: number; id: string }>()
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const post = async (path: string, body: object): Promise<{ status: number; data: Answered }> => {
    const url = urls[asked++ % urls.length]
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { data } = (await answer.json()) as { data: Answered }
    return { status: answer.status, data }
  }

  return {
    send: async ({ at, phone, ip, user, verifiedAfter }: PlayedSend): Promise<string[]> => {
      for (const due of codes.takeUntil(at)) {
        clock.moveTo(due.at)
        await post('/v1/verify/check', { request_id: due.id, code: code.slice(0, codeDigits) })
      }
      clock.moveTo(at)
      const { status, data } = await post('/v1/verify/send', { phone, signals: { ip, user_id: user } })
      if (status === 200 && verifiedAfter !== undefined) {
        codes.put(at + verifiedAfter, { at: at + verifiedAfter, id: data.request_id! })
      }
      if (status === 200) return []
      if (data.code !== 'send_blocked') return [data.code ?? String(status)]
      return (data.details ?? []).map(({ field }) => field.replace(/^rule:/, ''))
    },
  }
}

interface Answered {
  request_id?: string
  code?: string
  details?: { field: string }[]
}
