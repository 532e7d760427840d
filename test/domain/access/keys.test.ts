/** Keys over two processes on one database: one takes the requests, in the other the operator works. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createActCommit } from '../../../src/domain/access/act.ts'
import { createApiKeys } from '../../../src/domain/access/apiKey.ts'
import { createEndpoints } from '../../../src/domain/webhooks/endpoint.ts'
import { revokeApiKey } from '../../../src/store/access/apiKey.ts'
import type { Reader } from '../../../src/store/engine/session.ts'
import { startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
let other: TestServer
beforeAll(async () => {
  server = await startServer()
  other = await startServer({ beside: server })
})
afterAll(async () => {
  await other.close()
  await server.close()
})

const path = '/v1/messages/req_00000000000000000000000000'
/** 404 stands for a key that is good: the message does not exist. */
const statusOf = async (at: TestServer, key: string) => (await at.as(key).get(path)).status
const rowOf = async (id: string) => (await server.app.apiKeys.list()).find((row) => row.id === id)

/** @returns uses other keys and waits until that is written: what a process had to write before, it has begun to write before */
async function createMark(): Promise<() => Promise<void>> {
  const keys = [await server.newKey(), await server.newKey()]
  return async () => {
    await Promise.all([server, other].map((by, index) => statusOf(by, keys[index]!.key)))
    for (const { id } of keys)
      await expect.poll(async () => (await rowOf(id))?.lastUsedAt).toEqual(server.runtime.now())
  }
}

it('a revocation is seen by its own process at once, and by every other within 5 seconds', async () => {
  const { key, id } = await server.newKey()
  expect([await statusOf(server, key), await statusOf(other, key)]).toEqual([404, 404])
  await server.app.apiKeys.revoke(id)
  expect(await statusOf(server, key)).toBe(401)
  await server.advance(5)
  expect(await statusOf(other, key)).toBe(401)
})

it('a rolled key stays good for the overlap and no longer; the new one can do the same', async () => {
  const { key, id } = await server.newKey({ scopes: ['messages:read'], mode: 'live' })
  const { key: next, row } = await server.app.apiKeys.roll(id, 3600)
  expect(row).toMatchObject({ mode: 'live', scopes: ['messages:read'], name: 'a test' })
  await server.advance(3599)
  expect([await statusOf(other, key), await statusOf(other, next)]).toEqual([404, 404])
  await server.advance(1)
  expect([await statusOf(server, key), await statusOf(server, next)]).toEqual([401, 404])
})

it('a key is rolled once, and its successor gets as long a life as it had', async () => {
  const expiresAt = new Date(server.runtime.now().getTime() + 90_000)
  const { id } = await server.newKey({ expiresAt })
  await server.advance(60)
  const { row } = await server.app.apiKeys.roll(id, 10)
  expect(row.expiresAt).toEqual(new Date(server.runtime.now().getTime() + 90_000))
  await expect(server.app.apiKeys.roll(id, 10)).rejects.toThrow('rolled before')
})

it('a key that is revoked while it is rolled gets no successor', async () => {
  const { id } = await server.newKey()
  const rolled = server.commit.transaction(async (tx) => {
    await revokeApiKey(tx, id, server.runtime.now())
    const roll = server.app.apiKeys.roll(id, 3600).then(
      () => 'rolled',
      (error: Error) => error.message,
    )
    await expect.poll(() => server.database!.stuckAt('update api_key set replaced_by')).toHaveLength(1)
    return { roll }
  })
  expect(await (await rolled).roll).toBe(`The key ${id} was rolled before, or revoked a moment ago.`)
  expect((await server.app.apiKeys.list()).filter(({ replacedBy, id: own }) => own === id && replacedBy)).toEqual([])
})

it('a key that is rolled many times at once gets one successor', async () => {
  const { id } = await server.newKey()
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => server.app.apiKeys.roll(id, 3600)))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it('a roll never makes a key last longer than it would have', async () => {
  const expiresAt = new Date(server.runtime.now().getTime() + 60_000)
  const { key, id } = await server.newKey({ expiresAt })
  const { endsAt } = await server.app.apiKeys.roll(id, 3600)
  expect(endsAt).toEqual(expiresAt)
  await server.advance(60)
  expect(await statusOf(server, key)).toBe(401)
})

it('those of an account, and its endpoints, are listed without reading what others have', async () => {
  await server.newKey()
  await server.app.endpoints.add({ accountId: 'acct_default', mode: 'test', url: 'http://127.0.0.1:9/', types: null })
  const { id: accountId } = await server.app.accounts.create('with nothing')
  const actor = { kind: 'user', accountId, id: 'usr_1', name: 'x', role: 'owner', address: '::1' } as const
  const { runtime } = server
  let rowsRead = 0
  const reader: Reader = {
    run: async (statement, values) => {
      const rows = await server.commit.reader.run(statement, values)
      rowsRead += rows.length
      return rows
    },
  }
  const commit = createActCommit({ ...server.commit, reader }, { runtime })
  const guard = { faultOfPlace: async () => undefined, faultOfUrl: () => undefined }
  expect(await createApiKeys({ commit, runtime }).list(actor)).toEqual([])
  expect(await createEndpoints({ commit, secrets: undefined, runtime, guard }).list(actor)).toEqual([])
  expect(rowsRead).toBe(0)
})

it('its last use is known, to the minute', async () => {
  const mark = await createMark()
  const { key, id } = await server.newKey()
  const lastUse = async () => (await rowOf(id))?.lastUsedAt
  const first = server.runtime.now()
  await statusOf(server, key)
  await expect.poll(lastUse).toEqual(first)
  await server.advance(59)
  await statusOf(server, key)
  await statusOf(other, key)
  await mark()
  expect(await lastUse()).toEqual(first)
  await server.advance(1)
  const second = server.runtime.now()
  await statusOf(server, key)
  await expect.poll(lastUse).toEqual(second)
})

it('its requests of a day are counted, in all processes, and the last one is told with its address', async () => {
  const mark = await createMark()
  const { key, id } = await server.newKey()
  const used = async () => {
    const row = await rowOf(id)
    return [row?.usedThatDay, row?.lastUsedFrom]
  }
  const use = async (by: TestServer, times: number) => {
    for (let time = 0; time < times; time++) await statusOf(by, key)
  }
  await use(server, 1)
  await expect.poll(used).toEqual([1, '127.0.0.1'])
  await use(server, 2)
  await use(other, 3)
  // When one is made, all are read again.
  await server.newKey()
  await mark()
  expect(await used()).toEqual([1, '127.0.0.1'])
  await server.advance(60)
  await use(server, 1)
  await use(other, 1)
  await expect.poll(used).toEqual([8, '127.0.0.1'])
  await use(server, 5)
  await server.advance(24 * 3600)
  await use(server, 1)
  await expect.poll(used).toEqual([1, '127.0.0.1'])
})

it.each([
  { mode: 'live', other: 'test', config: { keyRatePerSecond: 3, keyBurst: 5 } },
  { mode: 'test', other: 'live', config: { testKeyRatePerSecond: 3, testKeyBurst: 5 } },
] as const)('a $mode key with too many requests is told to slow down, and true is what it is told', async (given) => {
  const limited = await startServer({ beside: server, config: given.config })
  const [key, other] = [await server.key({ mode: given.mode }), await server.key({ mode: given.other })]
  const at = (key: string) => limited.as(key).get<{ retry_after?: number }>(path)
  const answers = await Promise.all(Array.from({ length: 8 }, () => at(key)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 404).length).toBeGreaterThanOrEqual(5)
  expect(refused.length).toBeGreaterThanOrEqual(1)
  expect(answers.every(({ status }) => status === 404 || status === 429)).toBe(true)
  for (const { data } of refused) expect(data.retry_after).toBe(1)
  // The rate is counted by the machine's own clock.
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1000)
  try {
    expect((await at(key)).status).toBe(404)
  } finally {
    clock.mockRestore()
  }
  expect(await Promise.all(Array.from({ length: 20 }, async () => (await at(other)).status))).toEqual(
    Array(20).fill(404),
  )
  await limited.close()
})

it('many keys of an account have the rate of twenty together, and another account has its own', async () => {
  const limited = await startServer({ beside: server, config: { keyRatePerSecond: 1, keyBurst: 1 } })
  await server.app.accounts.create('beside')
  const other = await server.key({ mode: 'live', account: 'beside' })
  const keys = await Promise.all(Array.from({ length: 40 }, () => server.key({ mode: 'live' })))
  // The rate is counted by the machine's own clock: here, all come in one second of it.
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
  try {
    const statuses = await Promise.all(keys.map(async (key) => (await limited.as(key).get(path)).status))
    expect(statuses.filter((status) => status === 404)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    expect((await limited.as(other).get(path)).status).toBe(404)
  } finally {
    clock.mockRestore()
  }
  await limited.close()
})
