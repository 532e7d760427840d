/** A process that is killed in the middle of what was posted to an inlet: the next try finds all of it done, or nothing. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { supabasePost, supabaseSends } from '../inlets/players/supabase.ts'
import { run } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { launchProcess, type Running, whenReady } from '../support/process.ts'
import { newPhone } from '../support/server.ts'

const secrets = ['v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']
let folder: string
let database: TestDatabase
let settings: Record<string, string>
let survivor: Running
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-inlet-crash-'))
  database = await createDatabase()
  settings = {
    ...{ DATABASE_URL: database.settings.url, WATCHWORD_SECRET: 'a secret of the crash test that is long enough' },
    ...{ WORKER: 'off', DATA_DIR: folder },
  }
  const file = join(folder, 'inlets.yaml')
  await writeFile(file, JSON.stringify([{ id: 'hook', kind: 'supabase', mode: 'live', secret: secrets[0] }]))
  expect(await run(settings, ['inlets', 'apply', file])).toMatchObject({ exitCode: 0 })
  survivor = await start()
})
afterAll(async () => {
  await survivor?.end('SIGKILL')
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

const start = () => whenReady(launchProcess('serve', settings))
const addressAt = ({ url }: Running) => `${url}/inlets/acct_default/hook`

interface Asked {
  phone: string
  userId: string
}
const hookOf = ({ phone, userId }: Asked) => {
  return { secrets, userId, phone: phone.replace('+', ''), otp: '561166', now: new Date() }
}

async function messagesOf(asked: readonly Asked[]): Promise<number[]> {
  const { sql } = database
  return Promise.all(
    asked.map(async ({ phone }) => {
      const [row] = await sql`select count(*)::int as count from message where phone = ${phone}`
      return row!.count as number
    }),
  )
}

it.each(['phone', 'message', 'idempotency'])(
  'killed at the table %s, a code is sent once by the next try',
  async (table) => {
    const asked = Array.from({ length: 20 }, (): Asked => ({ phone: newPhone(), userId: randomUUID() }))
    const dying = await start()
    const release = await database.hold(table, 'share')
    const answers = Promise.allSettled(
      asked.map((one) => {
        const { headers, body } = supabasePost(hookOf(one))
        return fetch(addressAt(dying), { method: 'POST', headers, body })
      }),
    )
    await expect.poll(() => database.stuckAt(''), { interval: 10 }).not.toEqual([])
    await dying.end('SIGKILL')
    const acknowledged = (await answers).map((answer) => answer.status === 'fulfilled' && answer.value.status === 200)
    await release()
    const { sql } = database
    const busy = async () => {
      const [row] = await sql`select count(*)::int as count from pg_stat_activity where datname = current_database()
      and application_name = 'watchword' and state <> 'idle'`
      return row?.count as number
    }
    await expect.poll(busy, { interval: 10 }).toBe(0)
    for (const [index, count] of (await messagesOf(asked)).entries())
      expect(acknowledged[index] ? [1] : [0, 1]).toContain(count)
    for (const outcome of await Promise.all(asked.map((one) => supabaseSends(addressAt(survivor), hookOf(one)))))
      expect(outcome).toMatchObject({ status: 200 })
    expect(await messagesOf(asked)).toEqual(asked.map(() => 1))
  },
)

it('a process that is told to stop answers every post that came, and the next one goes on', async () => {
  const stopping = await start()
  const asked = Array.from({ length: 20 }, (): Asked => ({ phone: newPhone(), userId: randomUUID() }))
  const begun = await Promise.all(asked.map((one) => beginPost(addressAt(stopping), supabasePost(hookOf(one)))))
  const ended = stopping.end('SIGTERM')
  expect(await Promise.all(begun.map((goOn) => goOn()))).toEqual(asked.map(() => 200))
  expect((await ended).code).toBe(0)
  await Promise.all(asked.map((one) => supabaseSends(addressAt(survivor), hookOf(one))))
  expect(await messagesOf(asked)).toEqual(asked.map(() => 1))
})

/** Resolves when the service has the head of the post, as it says itself. @returns sends the body, and gets the status */
async function beginPost(address: string, { headers, body }: ReturnType<typeof supabasePost>) {
  const length = { 'content-length': Buffer.byteLength(body), expect: '100-continue' }
  const sent = request(address, { method: 'POST', headers: { ...headers, ...length } })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => {})
  sent.flushHeaders()
  await once(sent, 'continue')
  return async () => {
    sent.end(body)
    const [response] = await answered
    response.resume()
    return response.statusCode
  }
}
