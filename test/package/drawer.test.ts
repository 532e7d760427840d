/** The page of a SIM in a drawer, followed with the package by someone who has nothing yet, with the app SMS Gate played. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { createClient } from '../support/client.ts'
import { allBlocksOf, sectionOf } from '../support/docs.ts'
import { ownCa } from '../support/ownCa.ts'
import { freePort } from '../support/port.ts'
import { launchProcess, type Running, whenReady } from '../support/process.ts'
import { type SmsGate, startSmsGate } from '../support/smsGate.ts'
import { startTlsFront, type TlsFront } from '../support/tlsFront.ts'

const { command } = inject('installed')!
const phone = '+14155552671'
const blocks = allBlocksOf(sectionOf('docs/sim.md', 'SMS Gate'))
const commands = blocks.filter(({ language }) => language === 'bash').map(({ text }) => text)

let folder: string
let app: SmsGate
let front: TlsFront
let service: Running
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-drawer-'))
  app = await startSmsGate(ownCa)
  const port = await freePort()
  front = await startTlsFront(port)
  const settings = { PORT: `${port}`, PUBLIC_URL: `https://localhost:${front.port}` }
  service = await whenReady(launchProcess('serve', settings, { command: [command], folder }))
  const [list] = blocks.filter(({ language }) => language === 'yaml')
  await writeFile(join(folder, 'channels.yaml'), list!.text.replace('http://192.168.1.20:8080', app.url))
})
afterAll(async () => {
  await service?.end('SIGKILL')
  front?.close()
  await app?.close()
  await rm(folder, { recursive: true, force: true })
})

/** A block of the page with what its reader fills in, behind the exports of the first one. @returns what it prints */
function paste(words: string, code = ''): Promise<string> {
  const [exports = '', ...others] = commands
  const block = others.find((one) => one.includes(words))
  const filled = `set -e\n${exports}\nrequest_id=$(grep -so 'req_[0-9A-Z]*' .data/sent.json || true)\n${block}`
    .replaceAll(/npm run (?:--silent )?cli --/g, command)
    .replaceAll('http://127.0.0.1:3000', service.url)
    .replaceAll('http://192.168.1.20:8080', app.url)
    .replaceAll('https://otp.acme.com', `https://localhost:${front.port}`)
    .replace('<password of the app>', app.password)
    .replace('<signing key of the app>', app.signingKey)
    .replace(/<your number, like [+\d]+>/, phone)
    .replace('<the code>', code)
  expect(filled).not.toMatch(/<[a-z]|192\.168/)
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', filled], { cwd: folder, env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${filled}\n${stdout}${stderr}`)) : resolve(stdout),
    )
  })
}

/** @throws until there is one */
function firstMessage(): { id: string; text: string; code?: string } {
  const [message] = app.phone(phone).messages
  if (!message) throw new Error('nothing is on the phone')
  return message
}

it('leads from nothing to a code on the phone, its report, and a right check', { timeout: 120_000 }, async () => {
  const applied = await paste('channels apply')
  expect(applied).toContain('Applied: drawer. New or changed: drawer. Removed: sandbox.')
  expect(applied).toMatch(/^drawer \(sms\)\n( {2}good .*\n)+$/m)

  await paste('channels pair')
  const address = expect.stringMatching(/^https:\/\/localhost:\d+\/providers\/acct_default\/drawer\/[\w-]{22}$/)
  const names = ['sent', 'delivered', 'failed', 'received'].map((event) => `sms:${event}`)
  expect(app.webhooks()).toEqual(Object.fromEntries(names.map((event) => [event, address])))

  expect(await paste('/v1/verify/send')).toContain('"success":true')
  const { text, code = '' } = await vi.waitFor(firstMessage, { timeout: 60_000, interval: 50 })
  expect(text).toBe(`Your Acme code is ${code}`)
  await expect.poll(() => paste('messages show'), { timeout: 60_000 }).toMatch(/ delivered +drawer /)
  expect(await paste('/v1/verify/check', code)).toContain('"verified":true')
})

it('has the phone hand on what people answer, so that STOP opts them out', async () => {
  expect(await app.reply(firstMessage().id, 'STOP')).toEqual({ answered: 200 })
  const live = createClient(service.url, await readFile(join(folder, '.data/live-key'), 'utf8'))
  expect((await live.post('/v1/opt-outs/find', { phone })).data).toMatchObject({ opted_out: true, source: 'reply' })
})
