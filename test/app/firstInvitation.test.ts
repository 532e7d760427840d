/** How the first person comes to a new service: by a link in a file, that only its owner reads, or by one in the log. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inviteFirst } from '../../src/app/firstInvitation.ts'
import { testConfig } from '../support/config.ts'
import { password, peopleOn } from '../support/people.ts'
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
const shared = { kind: 'postgres' as const, url: 'postgres://x/x', connectionsMax: 2 }
const invite = (port: number, changes = {}) => {
  const config = testConfig({ kind: 'embedded', dataDir }, { dataDir, ...changes })
  const { firstInvitations } = peopleOn(server.commit, { runtime: server.runtime })
  return inviteFirst(config, { ...server.app.admin, firstInvitations }, port)
}

it('FIRST_OWNER has the link at the address of the dashboard, and no file', async () => {
  const first = { database: shared, firstOwner: 'ada@example.com' }
  const link = expect.stringMatching(/^http:\/\/127\.0\.0\.1:3001\/invitation#[\w-]{43}$/)
  const until = new Date(server.runtime.now().getTime() + 24 * 3600_000)
  expect(await invite(3001, first)).toEqual({ link, until, isAddressKnown: true })
  const dashboardUrl = 'https://one.example/dashboard'
  const known = { link: expect.stringMatching(/^https:\/\/one\.example\/dashboard\/invitation#/), until }
  expect(await invite(3001, { ...first, dashboardUrl })).toEqual({ ...known, isAddressKnown: true })
  const everywhere = { dashboardHost: '0.0.0.0', dashboardShare: 'api' }
  const guessed = { link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3001\/dashboard\/invitation#/), until }
  expect(await invite(3001, { ...first, ...everywhere })).toEqual({ ...guessed, isAddressKnown: false })
  expect(await invite(3001, { firstOwner: 'ada@example.com' })).toMatchObject({ link })
  await expect(read()).rejects.toThrow('ENOENT')
})

it('the link in the file makes an owner, once; until then it is the same one, at the right address', async () => {
  expect(await invite(3001, { database: shared })).toBe(undefined)
  await expect(read()).rejects.toThrow('ENOENT')

  expect(await invite(3001, { database: shared, devKeys: true })).toEqual({ file: file() })
  const first = await read()
  expect(first).toMatch(/^http:\/\/127\.0\.0\.1:3001\/invitation#[\w-]{43}$/)
  expect((await stat(file())).mode & 0o777).toBe(0o600)

  await invite(4000)
  expect(await read()).toBe(first.replace('3001', '4000'))
  server.runtime.advance(24 * 3600)
  await invite(4000)
  const [, token = ''] = (await read()).split('#')
  expect(first).not.toContain(token)

  const claim = { token, name: 'Ada', email: 'ada@example.com', password, address: '127.0.0.1', agent: '' }
  expect(await server.app.invitations.claim(claim)).toBeDefined()
  expect(await server.app.users.require('ada@example.com')).toMatchObject({ role: 'owner' })
  expect(await invite(4000)).toBe(undefined)
  await expect(read()).rejects.toThrow('ENOENT')
  expect(await invite(4000, { firstOwner: 'ada@example.com' })).toBe('not needed')
})
