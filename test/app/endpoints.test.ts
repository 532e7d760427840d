/** What a process does about endpoints when it starts. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { startServer } from '../support/server.ts'

const [older, newer] = ['an older secret of enough characters for it', 'a newer secret of enough characters for it']

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

type Server = Awaited<ReturnType<typeof startServer>>

/** Has a process do something from its start to its end. @returns what it logged */
async function during(secrets: string[], work: (server: Server) => Promise<void> = async () => {}): Promise<string[]> {
  const server = await startServer({ on: database, config: { secrets, secretsMissing: 'accept' } })
  try {
    await work(server)
    return server.runtime.lines
  } finally {
    await server.close()
  }
}

function told(lines: string[], text: string): Record<string, unknown>[] {
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => String(msg).includes(text))
}

it('seals secrets anew that older ones have sealed, and says which no secret opens', async () => {
  let secret = ''
  let id = ''
  const first = await during([older], async ({ app }) => {
    const { id: accountId } = await app.accounts.require('default')
    const url = 'http://127.0.0.1:9/'
    const made = await app.endpoints.add({ accountId, mode: 'live', url, types: null })
    secret = made.secret
    id = made.endpoint.id
  })
  expect(told(first, 'sealed')).toEqual([])
  const second = await during([newer, older])
  expect(told(second, 'encrypted again with the first secret')).toMatchObject([{ endpoints: 1 }])
  const third = await during([newer], async ({ app }) => {
    expect(app.endpoints.openSecrets(await app.endpoints.require(id))).toEqual([secret])
  })
  expect(told(third, 'sealed')).toEqual([])
  const fourth = await during([older])
  expect(told(fourth, 'rotate its secret')).toMatchObject([{ level: 50, account_id: 'acct_default', endpoint: id }])
  expect([...first, ...second, ...third, ...fourth].join()).not.toContain(secret.slice(6))
})
