/** The operator's commands while a service has the embedded database. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { jsonOf, refusalOf, run } from '../support/cli.ts'
import { createClient } from '../support/client.ts'
import { type EventReceiver, startEventReceiver } from '../support/eventReceiver.ts'
import { launchProcess, type Process, type Running, whenReady } from '../support/process.ts'

// Each command is a process, and so is each service.
vi.setConfig({ testTimeout: 120_000 })

let folder: string
let dataDir: string
let service: Running
let receiver: EventReceiver
const launched: Process[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ww-beside-'))
  dataDir = join(folder, 'data')
  receiver = await startEventReceiver()
  service = await start()
})
afterAll(async () => {
  for (const { child } of launched) child.kill('SIGKILL')
  await Promise.all(launched.map(({ ended }) => ended))
  await receiver?.close()
  await rm(folder, { recursive: true, force: true })
})

function launch(): Process {
  const process = launchProcess('serve', { DATA_DIR: dataDir, PUBLIC_URL: 'https://codes.acme.example' })
  launched.push(process)
  return process
}

const start = () => whenReady(launch())
const cli = (...args: string[]) => run({ DATA_DIR: dataDir }, args)
const statusWith = async (key: string) =>
  (await createClient(service.url, key).get(`/v1/messages/req_${'0'.repeat(26)}`)).status

it('a key that is made is good at once, and one that is revoked no longer', async () => {
  const made = jsonOf<{ id: string; key: string }>(
    await cli('keys', 'create', '--name', 'shop', '--mode', 'test', '--expires', '3d', '--json'),
  )
  expect(await statusWith(made.key)).toBe(404)
  expect(await cli('keys', 'revoke', made.id)).toEqual({ exitCode: 0, stdout: `Revoked ${made.id}.\n`, stderr: '' })
  expect(await statusWith(made.key)).toBe(401)
  expect(refusalOf(await cli('keys', 'revoke', made.id))).toBe(`The key ${made.id} was revoked before.`)
})

it('files are those of the folder in which a command is run, with the values of its environment', async () => {
  const elsewhere = join(folder, 'elsewhere')
  await mkdir(elsewhere)
  await writeFile(join(elsewhere, 'templates.yaml'), '- slug: shipped\n  text: Order {{order}} is on its way.\n')
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it is written in a file
  await writeFile(join(elsewhere, 'channels.yaml'), '- id: tg\n  kind: telegram\n  access_token: ${TOKEN}\n')
  const there = (...args: string[]) => run({ DATA_DIR: dataDir, TOKEN: 'AAH_token' }, args, elsewhere)
  expect((await there('templates', 'apply', 'templates.yaml')).stdout).toBe('Applied shipped.\n')
  expect((await there('channels', 'apply', 'channels.yaml')).stdout).toContain('Applied: tg.')
  expect((await cli('channels', 'list')).stdout).toMatch(/^tg +telegram .* up$/m)
  expect(refusalOf(await cli('templates', 'apply', 'templates.yaml'))).toBe(
    'Cannot read templates.yaml: there is no such file or folder.',
  )
  await writeFile(join(elsewhere, 'templates.yaml'), '- slug: shipped\n  text: Order {{order}}\n  pigeon: {}\n')
  expect(refusalOf(await there('templates', 'apply', 'templates.yaml'))).toBe(
    'templates.yaml:3: entry 1, pigeon: is not known: a template has no such field',
  )
})

it('addresses are those of the service, unless the command is given a PUBLIC_URL of its own', async () => {
  const file = join(folder, 'inlets.yaml')
  await writeFile(file, '- id: login\n  kind: plain\n  mode: test\n  secret: 0123456789abcdef0123456789abcdef\n')
  expect((await cli('inlets', 'apply', file)).stdout).toContain('https://codes.acme.example/inlets/')
  const own = { DATA_DIR: dataDir, PUBLIC_URL: 'https://otp.acme.com' }
  expect((await run(own, ['inlets', 'list'])).stdout).toContain('https://otp.acme.com/inlets/')
})

it('links to sign in lead to the dashboard of the service, whatever the settings of the command', async () => {
  const invited = jsonOf<{ link: string }>(await cli('users', 'invite', '--json'))
  expect(invited.link).toMatch(new RegExp(`^${service.dashboardUrl}/`))
})

it('rules are tried on the codes that the service has sent', async () => {
  const key = (await readFile(join(dataDir, 'live-key'), 'utf8')).trim()
  await createClient(service.url, key).send('+4915112345678')
  const rules = join(folder, 'protection.yaml')
  await writeFile(rules, '- { id: countries, by: country, allow: [FR], do: block }\n')
  const replayed = jsonOf(await cli('protection', 'replay', rules, '--json'))
  expect(replayed).toMatchObject({ codes: 1, stopped: 1, rules: [{ rule: 'countries', found: 1, verified: 0 }] })
})

it('who applies rules that would refuse sends is told which option gives the reason', async () => {
  const rules = join(folder, 'refusing.yaml')
  await writeFile(rules, '- { id: countries, by: country, allow: [FR], do: block }\n')
  expect(refusalOf(await cli('protection', 'apply', rules))).toMatch(
    /: countries\. That needs a reason\. Say why with --reason\.$/,
  )
})

it('an endpoint that is added is told at once of what happens', async () => {
  const { id } = jsonOf<{ id: string }>(await cli('endpoints', 'add', receiver.url, '--mode', 'test', '--json'))
  const key = (await readFile(join(dataDir, 'test-key'), 'utf8')).trim()
  const message = await createClient(service.url, key).send('+14155550100')
  await vi.waitFor(() => expect(receiver.events().map(({ type }) => type)).toContain('message.delivered'), 20_000)
  expect((await cli('messages', 'show', message)).stdout).toMatch(/^status +delivered$/m)
  await vi.waitFor(async () => {
    expect((await cli('endpoints', 'deliveries', id)).stdout).toMatch(/ message\.delivered +204 +\d+ +delivered$/m)
  }, 20_000)
})

it('the database is at the version of the service, and nobody is asked to stop it', async () => {
  expect(await cli('migrate')).toEqual({ exitCode: 0, stdout: 'The database is at this version.\n', stderr: '' })
})

it('the service writes a backup of what it has; what needs the database alone is refused', async () => {
  const file = join(folder, 'running.gz')
  const { rows } = jsonOf<{ rows: number }>(await cli('backup', '--to', file, '--json'))
  expect(rows).toBeGreaterThan(10)
  await expect.poll(service.output).toContain('"command":"backup"')
  expect(refusalOf(await cli('backup', '--to', file))).toBe(`${file} is there already: give another name.`)
  const stopIt = `A service runs on ${dataDir}: stop it first, or what it writes in the meantime would be lost.`
  expect(refusalOf(await cli('move', '--to', 'postgres://127.0.0.1:9/nobody'))).toBe(stopIt)
  expect(refusalOf(await cli('restore', '--from', file))).toBe(stopIt)
})

it('commands use the database of a killed service, and the next service takes over', async () => {
  await service.end('SIGKILL')
  expect(await readdir(dataDir)).toContain('commands.sock')
  jsonOf(await cli('accounts', 'create', 'alone', '--json'))

  const next = launch()
  // From here on it has the database, and does not listen yet: a command waits for it.
  await vi.waitFor(async () => expect(await readFile(join(dataDir, 'lock.pid'), 'utf8')).toBe(`${next.child.pid}\n`), {
    timeout: 20_000,
    interval: 5,
  })
  const names = jsonOf<{ name: string }[]>(await cli('accounts', 'list', '--json')).map(({ name }) => name)
  expect(names).toEqual(['alone', 'default'])
  service = await whenReady(next)
  await expect.poll(next.output).toContain('"command":"accounts.list"')
})

it('a service that has stopped leaves no socket', async () => {
  expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(await readdir(dataDir)).not.toContain('commands.sock')
})
