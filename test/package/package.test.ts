/** What is true of the package alone: what is in it, and how it goes without settings, on its embedded database. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { createClient } from '../support/client.ts'
import { launchProcess, type Running, whenReady } from '../support/process.ts'
import { whatsappEntry } from '../support/simulation.ts'

const run = promisify(execFile)
const { folder: installedIn, command } = inject('installed')!
// The Node that runs this test comes first, as the operator's own would.
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
const settings = { PATH: env.PATH }

let folder: string
let service: Running
const start = () => whenReady(launchProcess('serve', settings, { command: [command], folder }))
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-operator-'))
  service = await start()
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const watchword = (...words: string[]) => run(command, words, { cwd: folder, env })

describe('the package', () => {
  it('is less than 60 MB when it is installed, and needs nothing else', async () => {
    expect(await readdir(join(installedIn, 'node_modules'))).toEqual(['.bin', '.package-lock.json', 'watchword'])
    const files = await readdir(join(installedIn, 'node_modules'), { recursive: true, withFileTypes: true })
    const sizes = files.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name)))
    const bytes = (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
    expect(bytes / 2 ** 20).toBeLessThan(60)
  })

  it('has no history of its source', async () => {
    const entries = await readdir(join(installedIn, 'node_modules'), { recursive: true, withFileTypes: true })
    expect(entries.map(({ name }) => name).filter((name) => /^\.(git|hg|svn)$/.test(name))).toEqual([])
  })

  it('has the contract, the pages for people, and the licences of what is in it', async () => {
    const there = await readdir(join(installedIn, 'node_modules/watchword'))
    expect(there).toEqual(expect.arrayContaining(['openapi.yaml', 'README.md', 'CHANGELOG.md', 'LICENSE', 'docs']))
    const licences = await readFile(join(installedIn, 'node_modules/watchword/THIRD-PARTY-LICENSES.txt'), 'utf8')
    for (const name of ['express', 'pg', '@electric-sql/pglite'])
      expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'))
  })

  it('sends a code and checks it, with the key that it made', async () => {
    const client = createClient(service.url, await readFile(join(folder, '.data/test-key'), 'utf8'))
    const request_id = await client.send('+14155550100')
    expect(await client.check(request_id, '000000')).toMatchObject({ verified: true })
    const phone = `${service.opsUrl}/sandbox/messages?phone=%2B14155550100`
    await expect.poll(async () => (await fetch(phone)).json()).toMatchObject([{ text: 'Your code is 000000' }])
  })

  it('sends a code through a provider, and takes its report', async () => {
    const simulator = await createSimulator({ reportAfterMs: 0 })
    simulator.pointAt({ whatsapp: `${service.url}/providers/acct_default/wa-eu` })
    await writeFile(join(folder, 'channels.yaml'), JSON.stringify([whatsappEntry(simulator)]))
    await watchword('channels', 'apply', 'channels.yaml')
    const client = createClient(service.url, await readFile(join(folder, '.data/live-key'), 'utf8'))
    const phone = '+14155550102'
    const request_id = await client.send(phone)
    await expect.poll(() => client.status(request_id)).toBe('delivered')
    const code = /\d{6}/.exec(simulator.phone(phone).messages[0]!.text)![0]
    expect(await client.check(request_id, code)).toMatchObject({ verified: true })
    await simulator.close()
  })

  it.each(['/openapi.json', '/openapi.yaml', '/openapi.3.1.json', '/openapi.md', '/llms.txt'])(
    'serves %s',
    async (path) => {
      expect((await fetch(service.url + path)).status).toBe(200)
    },
  )

  it('serves the reference with all that it loads', async () => {
    for (const path of ['', '/errors', '/style.css', '/script.js', '/minisearch.js', '/search.json', '/icon.svg']) {
      expect([path, (await fetch(`${service.url}/docs${path}`)).status]).toEqual([path, 200])
    }
  })

  it('has the dashboard with its pictures and styles', async () => {
    const { dashboardPort } = JSON.parse(
      service
        .output()
        .split('\n')
        .find((line) => line.includes('"ready"'))!,
    ) as {
      dashboardPort: number
    }
    const page = await (await fetch(`http://127.0.0.1:${dashboardPort}/sign-in`)).text()
    const parts = Array.from(page.matchAll(/(?:href|src)="(\/assets\/[^"]*)"/g), ([, path]) => path)
    expect(parts.length).toBeGreaterThan(1)
    for (const path of parts) expect((await fetch(`http://127.0.0.1:${dashboardPort}${path}`)).status).toBe(200)
  })

  it('has the commands of an operator, beside the running service, and says how they are called', async () => {
    const { stdout } = await watchword('keys', 'list', '--json')
    expect(JSON.parse(stdout)).toMatchObject([{ mode: 'test' }, { mode: 'live' }])
    const help = (await watchword('--help')).stdout
    for (const word of ['watchword serve', 'watchword worker', 'watchword sandbox', 'watchword simulate', 'migrate'])
      expect(help).toContain(word)
    expect(help).not.toContain('npm run')
    expect((await watchword('simulate', '--help')).stdout).toContain('--whatsapp-webhook')
  })

  it('ends when it is told to, and goes on where it was', async () => {
    const key = await readFile(join(folder, '.data/test-key'), 'utf8')
    const request_id = await createClient(service.url, key).send('+14155550101')
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
    service = await start()
    expect(await createClient(service.url, key).check(request_id, '000000')).toMatchObject({ verified: true })
  })

  it('refuses an older Node in one line', async () => {
    const text = await readFile(join(installedIn, 'node_modules/watchword/bin/watchword.js'), 'utf8')
    const old = text.replaceAll('process.versions.node', "'22.4.0'").replace(/^#!.*\n/, '')
    await writeFile(join(folder, 'old.mjs'), old)
    const failed = await run(process.execPath, ['old.mjs'], { cwd: folder }).catch((error: { stderr: string }) => error)
    expect(failed.stderr).toBe('Watchword needs Node 24.7 or newer, and this is 22.4.0.\n')
  })
})
