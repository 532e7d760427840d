/** The service that a frontend is built against: nothing to install, nothing to set, nothing kept. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/settings/config.ts'
import { createClient } from '../support/client.ts'
import { launchProcess, printed, type Running, whenReady } from '../support/process.ts'

const { sandboxKey: key } = loadConfig({}, { role: 'sandbox' })

let folder: string
let sandbox: Running
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-sandbox-'))
  sandbox = await start()
})
afterAll(async () => {
  await sandbox?.end('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** With the settings of another project in the environment, as a developer's shell has them. */
async function start(): Promise<Running> {
  const launched = launchProcess('sandbox', {
    DATABASE_URL: 'postgres://elsewhere/another',
    NODE_ENV: 'production',
    DATA_DIR: join(folder, 'data'),
  })
  return whenReady(launched)
}

describe('a sandbox', () => {
  it('says where it is and which key it takes', async () => {
    expect(await printed(sandbox, '  API ')).toContain(sandbox.url)
    expect(await printed(sandbox, 'forgets')).toContain(key)
  })

  it('sends, delivers and checks like the real service', async () => {
    const client = createClient(sandbox.url, key)
    const id = await client.send('+14155550110')
    await expect.poll(() => client.status(id), { interval: 50 }).toBe('read')
    expect(await client.check(id, '000000')).toMatchObject({ verified: true })
  })

  it.each([
    ['http://localhost:5173', true],
    ['http://127.0.0.1:8080', true],
    ['https://app.localhost', true],
    ['http://[::1]:3000', true],
    ['https://evil.example', false],
    ['http://localhost.evil.example', false],
    ['null', false],
  ])('lets pages of this machine call it, and no others: %s', async (origin, allowed) => {
    const asked = await fetch(`${sandbox.url}/v1/verify/send`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
      },
    })
    expect(asked.headers.get('access-control-allow-origin')).toBe(allowed ? origin : null)
    const answer = await fetch(`${sandbox.url}/v1/messages/req_1`, { headers: { Origin: origin } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed ? origin : null)
    if (!allowed) return
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST')
    expect(asked.headers.get('access-control-allow-headers')).toBe('authorization,content-type,idempotency-key')
    // The page may read Retry-After, X-Trace-Id and the others too.
    expect(answer.headers.get('access-control-expose-headers')).toBe('*')
  })

  it('forgets everything when it ends, and has left nothing behind', async () => {
    const id = await createClient(sandbox.url, key).send('+14155550100')
    expect(await sandbox.end('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(await readdir(folder)).toEqual([])
    sandbox = await start()
    const { status } = await createClient(sandbox.url, key).get(`/v1/messages/${id}`)
    expect(status).toBe(404)
  })
})
