/** Environments as container runtimes make them of what operators write. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchProcess, whenReady } from '../support/process.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-strangers-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a service', () => {
  // https://github.com/actualbudget/actual/issues/4920
  it('starts in a namespace of Kubernetes that has Services named dashboard and ops', async () => {
    const links = {
      DASHBOARD_PORT: 'tcp://10.96.0.5:80',
      DASHBOARD_PORT_80_TCP_PORT: '80',
      OPS_PORT: 'tcp://10.96.0.6:9464',
    }
    const one = { DATA_DIR: join(folder, 'data'), PORT: '0', DASHBOARD_HOST: '127.0.0.77', OPS_HOST: '127.0.0.77' }
    const { ports, end } = await whenReady(launchProcess('serve', { ...one, ...links }))
    await end('SIGTERM')
    expect(ports).toMatchObject({ dashboardPort: 3001, opsPort: 9464 })
  })

  // https://github.com/docker/cli/issues/3630
  it.each([
    ['"3000"', 'must have no quotes around it: docker run --env-file and kubectl keep them'],
    ["'3000'", 'must have no quotes around it: docker run --env-file and kubectl keep them'],
    ['3000\r', 'must not end with a carriage return: save the file with the line ends of Unix'],
  ])('says what a runtime left in its settings: %j', async (value, fault) => {
    const settings = { PORT: value, LOG_LEVEL: value.replace('3000', 'info'), HOST: value.replace('3000', '127.0.0.1') }
    const refused = launchProcess('serve', settings)
    expect(await refused.ended).toMatchObject({ code: 1 })
    for (const name of Object.keys(settings)) expect(refused.errors()).toContain(`${name}: ${fault}`)
  })

  it('takes no secret for its address when that is in quotes', async () => {
    const settings = { DATABASE_URL: '"postgres://app:a-password@127.0.0.1/app"', WATCHWORD_SECRET: 'x'.repeat(32) }
    const refused = launchProcess('serve', settings)
    expect(await refused.ended).toMatchObject({ code: 1 })
    expect(refused.errors()).toContain('DATABASE_URL: must have no quotes around it')
    expect(refused.errors()).not.toContain('a-password')
  })
})
