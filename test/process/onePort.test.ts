/** Processes whose doors share a port, started as operators start them. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { opsToken } from '../support/onePort.ts'
import { freePort } from '../support/port.ts'
import { entriesOf, launchProcess, type Running, whenReady } from '../support/process.ts'

let database: TestDatabase
let settings: Record<string, string>
beforeAll(async () => {
  database = await createDatabase()
  settings = { DATABASE_URL: database.settings.url, WATCHWORD_SECRET: 'a secret of no less than 32 characters' }
})
afterAll(() => database.drop())

const headers = { Authorization: `Bearer ${opsToken}` }
const soon = { timeout: 30_000 }

async function start(role: 'serve' | 'worker', more: Record<string, string>): Promise<Running> {
  const port = String(await freePort())
  const ports = { PORT: port, OPS_PORT: port, DASHBOARD_PORT: port }
  const running = await whenReady(launchProcess(role, { ...settings, ...ports, ...more }))
  onTestFinished(async () => void (await running.end('SIGTERM')))
  return running
}

describe('several processes', () => {
  it('share the port with the dashboard and the operations, and each tells the metrics of all', async () => {
    const { url, opsUrl, dashboardUrl, output } = await start('serve', { PROCESSES: '2', OPS_TOKEN: opsToken })
    expect([opsUrl, dashboardUrl]).toEqual([url, url])
    const members = () =>
      new Set(entriesOf({ output } as Running).flatMap(({ msg, pid }) => (msg === 'serving' ? [pid] : [])))
    expect(members().size).toBe(2)
    // Each on a connection of its own, which is given to the next process.
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(url + path, { ...init, headers: { Connection: 'close', ...init.headers } })
    for (let turn = 0; turn < 4; turn++) {
      expect((await ask('/v1/messages')).status).toBe(401)
      expect((await ask('/dashboard/sign-in')).status).toBe(200)
      expect(await (await ask('/readyz')).json()).toEqual({ status: 'ready' })
      expect((await ask('/metrics')).status).toBe(401)
      const text = await (await ask('/metrics', { headers })).text()
      expect(text).toMatch(/^watchword_processes\{state="serving"\} 2$/m)
      const counted = /^watchword_request_seconds_count\{operation="listMessages",status="401"\} (\d+)$/m.exec(text)
      expect(Number(counted?.[1])).toBe(turn + 1)
    }
    expect((await ask('/sandbox/messages?phone=%2B14155550100', { headers })).status).toBe(200)
  }, 120_000)
})

describe('a worker', () => {
  it('whose operations port has the number of the API asks for the token there, too', async () => {
    const { opsUrl } = await start('worker', { OPS_TOKEN: opsToken })
    expect((await fetch(`${opsUrl}/readyz`)).status).toBe(200)
    expect((await fetch(`${opsUrl}/metrics`)).status).toBe(401)
    expect((await fetch(`${opsUrl}/metrics`, { headers })).status).toBe(200)
  }, 60_000)

  it('and without a token has nothing but its health there', async () => {
    const { opsUrl } = await start('worker', {})
    await expect.poll(async () => (await fetch(`${opsUrl}/readyz`)).status, soon).toBe(200)
    for (const path of ['/metrics', '/sandbox/messages?phone=%2B14155550100', '/']) {
      expect((await fetch(opsUrl + path)).status).toBe(404)
    }
  }, 60_000)
})
