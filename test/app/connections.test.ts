/** What a process does about connections when it starts. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { startServer } from '../support/server.ts'

const [older, newer] = ['an older secret of enough characters for it', 'a newer secret of enough characters for it']
const token = 'AAH_the_token_of_this_test'
const telegram = { id: 'tg', kind: 'telegram', access_token: token }

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

type Server = Awaited<ReturnType<typeof startServer>>

/** Has a process do something from its start to its end. @returns what it logged */
async function during(config: object, work: (server: Server) => Promise<void> = async () => {}): Promise<string[]> {
  const server = await startServer({ on: database, config: { secretsMissing: 'accept', ...config } })
  try {
    await work(server)
    return server.runtime.lines
  } finally {
    await server.close()
  }
}

const told = (lines: string[], text: string) =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => String(msg).includes(text))

async function sealed(): Promise<string[]> {
  const rows = await database.sql<{ bytes: string }[]>`select encode(sealed, 'hex') as bytes from connection
    where sealed is not null`
  return rows.map(({ bytes }) => bytes)
}

it('seals anew what older secrets have sealed, and says which no secret opens', async () => {
  const first = await during({ secrets: [older] }, async ({ app }) => {
    for (const name of ['acme', 'globex']) {
      const { id } = await app.accounts.create(name)
      await app.connections.apply(id, [telegram, { ...telegram, id: 'tg2' }])
    }
  })
  expect(told(first, 'sealed')).toEqual([])
  const before = await sealed()
  const second = await during({ secrets: [newer, older] })
  expect(told(second, 'encrypted again with the first secret')).toMatchObject([{ connections: 4 }])
  const after = await sealed()
  expect(after).toHaveLength(4)
  expect(after.filter((bytes) => before.includes(bytes))).toEqual([])
  const third = await during({ secrets: [newer] })
  expect(told(third, 'sealed')).toEqual([])

  const fourth = await during({ secrets: [older] })
  const lost = told(fourth, 'encrypted with an unknown secret')
  expect(lost.map(({ connection }) => connection)).toEqual(['tg', 'tg2', 'tg', 'tg2'])
  expect(new Set(lost.map(({ level }) => level))).toEqual(new Set([50]))
  expect([...second, ...third, ...fourth].join()).not.toContain(token)
})

it('warns in production of accounts with live keys whose messages reach no phone', async () => {
  const warned = (lines: string[]) =>
    told(lines, 'reaches no phone').map(({ level, account, connection }) => [level, account, connection])
  const development = await during({}, async ({ app, key }) => {
    for (const account of ['live', 'tests', 'ready']) {
      const { id } = await app.accounts.create(account)
      await key({ account, mode: account === 'tests' ? 'test' : 'live' })
      if (account === 'ready') await app.connections.apply(id, [telegram])
    }
  })
  expect(warned(development)).toEqual([])
  expect(warned(await during({ production: true }))).toEqual([
    [40, 'default', 'sandbox'],
    [40, 'live', 'sandbox'],
  ])
})

it('warns that PUBLIC_URL is not set where providers are told to report, or where there are inlets', async () => {
  const warned = (lines: string[]) => told(lines, 'PUBLIC_URL').map(({ level, connection }) => [level, connection])
  const sms = {
    kind: 'sms',
    provider: 'kannel',
    base_url: 'http://127.0.0.1:9',
    username: 'me',
    password: 'of this test',
  }
  const first = await during({}, async ({ app }) => {
    const { id } = await app.accounts.create('moved')
    await app.connections.apply(id, [telegram, { ...sms, id: 'quiet', reports: 'none' }])
  })
  expect(warned(first)).toEqual([])
  const second = await during({}, async ({ app }) => {
    const { id } = await app.accounts.require('moved')
    await app.connections.apply(id, [
      { ...sms, id: 'quiet', reports: 'none' },
      { ...sms, id: 'sms' },
    ])
    await app.inlets.apply(id, [{ id: 'plain', kind: 'plain', mode: 'live', secret: 'a secret that is long enough' }])
  })
  expect(warned(second)).toEqual([])
  expect(warned(await during({}))).toEqual([
    [40, 'sms'],
    [40, undefined],
  ])
  expect(warned(await during({ publicUrl: 'https://otp.example' }))).toEqual([])
})
