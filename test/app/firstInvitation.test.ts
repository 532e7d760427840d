/** How the first person comes to a new service: by a link in a file, that only its owner reads. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inviteFirst } from '../../src/app/dataFolder.ts'
import { testConfig } from '../support/config.ts'
import { password } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let dataDir: string
beforeAll(async () => {
  server = await startServer()
  dataDir = await mkdtemp(join(tmpdir(), 'watchword-invite-'))
})
afterAll(async () => {
  await server.close()
  await rm(dataDir, { recursive: true })
})

const file = () => join(dataDir, 'dashboard-invite')
const read = async () => (await readFile(file(), 'utf8')).trim()
const invite = (url: string, changes = {}) =>
  inviteFirst(testConfig({ kind: 'embedded', dataDir }, { dataDir, ...changes }), server.app.admin, url)

it('makes an owner, once; until then it is the same one, under the address that is right now', async () => {
  const shared = { kind: 'postgres' as const, url: 'postgres://x/x', connectionsMax: 2 }
  expect(await invite('http://127.0.0.1:3001', { database: shared })).toBe(undefined)
  await expect(read()).rejects.toThrow('ENOENT')

  expect(await invite('http://127.0.0.1:3001', { database: shared, devKeys: true })).toBe(file())
  const first = await read()
  expect(first).toMatch(/^http:\/\/127\.0\.0\.1:3001\/invitation#[\w-]{43}$/)
  expect((await stat(file())).mode & 0o777).toBe(0o600)

  await invite('http://127.0.0.1:4000')
  expect(await read()).toBe(first.replace('3001', '4000'))
  server.runtime.advance(24 * 3600)
  await invite('http://127.0.0.1:4000')
  const [, token = ''] = (await read()).split('#')
  expect(first).not.toContain(token)

  const claim = { token, name: 'Ada', email: 'ada@example.com', password, address: '127.0.0.1', agent: '' }
  expect(await server.app.invitations.claim(claim)).toBeDefined()
  expect(await server.app.users.require('ada@example.com')).toMatchObject({ role: 'owner' })
  expect(await invite('http://127.0.0.1:4000')).toBe(undefined)
  await expect(read()).rejects.toThrow('ENOENT')
})

it('is named in the log by its file, and its token is not', async () => {
  const own = await mkdtemp(join(tmpdir(), 'watchword-invite-'))
  const config = { dashboardPort: 0, dataDir: own, devKeys: true }
  const fresh = await startServer({ config })
  const link = (await readFile(join(own, 'dashboard-invite'), 'utf8')).trim()
  const lines = fresh.runtime.lines.join('\n')
  expect(lines).toContain(join(own, 'dashboard-invite'))
  expect(lines).not.toContain(link.split('#')[1])
  await fresh.close()
  await rm(own, { recursive: true })
})
