/** Environments as container runtimes make them of what operators write. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandLine } from '../support/cli.ts'
import { launchProcess, ownPlace, whenReady } from '../support/process.ts'

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

  it('says which setting was written in Latin-1, and shows nothing of it', async () => {
    const latin = { DATABASE_URL: 'postgres://app:qqq\\374@127.0.0.1/app', PGPASSWORD: 'qqq\\374', HOST: 'h\\374te' }
    const written = Object.entries(latin).map(([name, value]) => `${name}="$(printf '${value}')"`)
    const { command, folder } = ownPlace()
    const script = `${written.join(' ')} exec "$@"`
    const refused = launchProcess('serve', {}, { command: ['sh', '-c', script, 'sh', ...command], folder })
    expect(await refused.ended).toMatchObject({ code: 1 })
    const fault = 'has U+FFFD in place of bytes that are not UTF-8: '
    for (const name of Object.keys(latin)) expect(refused.errors()).toContain(`${name}: ${fault}`)
    expect(refused.errors()).not.toContain('qqq')
  })

  it('takes no secret for its address when that is in quotes', async () => {
    const settings = { DATABASE_URL: '"postgres://app:a-password@127.0.0.1/app"', WATCHWORD_SECRET: 'x'.repeat(32) }
    const refused = launchProcess('serve', settings)
    expect(await refused.ended).toMatchObject({ code: 1 })
    expect(refused.errors()).toContain('DATABASE_URL: must have no quotes around it')
    expect(refused.errors()).not.toContain('a-password')
  })
})

describe('a command', () => {
  it.each([
    ['--name', '"$latin"', 'Argument 4, after --name, is not UTF-8'],
    ['', '"--name=$latin"', 'The value of --name is not UTF-8'],
  ])('refuses an argument in Latin-1, and shows nothing of it: %s %s', async (before, argument, fault) => {
    const words = [...commandLine(), 'keys', 'create', ...(before === '' ? [] : [before])]
    const script = `latin="$(printf 'qqq\\374')"; exec "$@" ${argument}`
    const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'none') }
    const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', ...words], { env, encoding: 'utf8' })
    expect([status, stderr]).toEqual([
      1,
      `${fault}: use a terminal in UTF-8 (LANG=C.UTF-8), or a script that is saved as UTF-8.\n`,
    ])
  })
})
