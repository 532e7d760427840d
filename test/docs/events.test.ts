/** The receivers of `docs/events.md`, run as they stand there. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { listEventExamples } from '../../src/contract/event.ts'
import { createEventCheck } from '../../src/contract/eventCheck.ts'
import { blocksOf, pageOf, sectionOf } from '../support/docs.ts'
import { installed } from '../support/installed.ts'
import { freePort } from '../support/port.ts'

const root = join(import.meta.dirname, '../..')
const section = sectionOf('docs/events.md', 'Receiving')
const python = installed('python3')

const id = 'evt_01KAJ0R6W8Z3T5V7X9Y1B2C4D6'
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const body = JSON.stringify(listEventExamples('message.failed')[0])

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-receivers-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  // What openapi-typescript makes of the contract, as it does for a client team.
  await cp(join(root, 'generated/types.ts'), join(folder, 'watchword.ts'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const [plain, express] = blocksOf('ts', section)

describe.each([
  ['TypeScript', plain, 'receiver.ts', process.execPath],
  ['TypeScript, in Express', express, 'express.ts', process.execPath],
  [
    python ? 'Python' : 'Python (skipped: no python3 on the PATH)',
    blocksOf('python', section)[0],
    'receiver.py',
    python,
  ],
])('the receiver in %s', (_name, text, file, program) => {
  const receiver = createReceiver()
  beforeAll(async () => {
    await writeFile(join(folder, file), `${text}\n`)
    if (program) await receiver.start(program, file)
  })
  afterAll(() => receiver.stop())

  it.skipIf(!program)('takes an event that is signed, and shows what it says', async () => {
    expect(await receiver.send()).toBe(204)
    await expect.poll(receiver.output).toMatch(new RegExp(`${id} message\\.failed .*not_on_channel`, 's'))
  })

  it.skipIf(!program)('takes one that has a second signature, while a secret is rotated', async () => {
    const other = signature({ key: `whsec_${Buffer.alloc(32, 8).toString('base64')}` })
    expect(await receiver.send({ 'webhook-signature': `${other} ${signature()}` })).toBe(204)
  })

  it.skipIf(!program).each([
    ['with one byte changed', {}, body.replace('not_on_channel', 'Not_on_channel')],
    ['with the id of another', { 'webhook-id': id.replace('D6', 'D7') }, body],
    ['with the time of another', { 'webhook-timestamp': `${seconds() + 1}`, 'webhook-signature': signature() }, body],
    ['that is older than five minutes', at(seconds() - 301), body],
    ['that is ahead of its time', at(seconds() + 400), body],
    ['with the signature of another secret', { 'webhook-signature': signature({ key: 'whsec_AAAA' }) }, body],
    ['with a signature that is no base64', { 'webhook-signature': 'v1,é' }, body],
    ['with a time that is no number', { 'webhook-timestamp': '²' }, body],
    ['without a signature', { 'webhook-signature': '' }, body],
  ])('refuses an event %s', async (_what, headers, sent) => {
    expect(await receiver.send(headers, sent)).toBe(401)
  })
})

describe('the receivers in TypeScript', () => {
  it('compile under strict settings, with the types of the contract', () => {
    expect([...blocksOf('ts', section), ...blocksOf('python', section)]).toHaveLength(3)
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
    const program = ts.createProgram({
      rootNames: ['receiver.ts', 'express.ts'].map((file) => join(folder, file)),
      options,
    })
    const faults = ts.getPreEmitDiagnostics(program)
    expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
  })
})

describe('the request that the page shows', () => {
  it('is an event of the contract, signed with the secret below it', async () => {
    const [request] = blocksOf('', sectionOf('docs/events.md', 'What is sent'))
    const [head, shown] = request!.split('\n\n')
    const headers = Object.fromEntries(
      head!
        .split('\n')
        .slice(1)
        .map((line) => line.split(': '))
        .map(([name, value]) => [name!.toLowerCase(), value!]),
    )
    expect((await createEventCheck())(shown!, headers)).toEqual([])
    const [, key] = /`(whsec_.+?)`/.exec(pageOf('docs/events.md'))!
    const moment = Number(headers['webhook-timestamp'])
    expect(headers['webhook-signature']).toBe(signature({ key: key!, moment, sent: shown! }))
  })
})

function seconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** By hand, and not by the library that the receiver has. */
function signature({ key = secret, moment = seconds(), sent = body } = {}): string {
  const hmac = createHmac('sha256', Buffer.from(key.replace('whsec_', ''), 'base64'))
  return `v1,${hmac.update(`${id}.${moment}.${sent}`).digest('base64')}`
}

/** Signed at that moment. */
function at(moment: number): Record<string, string> {
  return { 'webhook-timestamp': `${moment}`, 'webhook-signature': signature({ moment }) }
}

function createReceiver() {
  let child: ChildProcess | undefined
  let url = ''
  let output = ''

  /** @returns the status of its answer */
  async function send(headers: Record<string, string> = {}, sent = body): Promise<number> {
    const signed = { 'webhook-id': id, ...at(seconds()), 'content-type': 'application/json', ...headers }
    return (await fetch(url, { method: 'POST', headers: signed, body: sent })).status
  }

  return {
    send,
    output: () => output,
    start: async (program: string, file: string): Promise<void> => {
      const port = await freePort()
      url = `http://127.0.0.1:${port}/watchword`
      const { PATH, HOME } = process.env
      const env = { PATH, HOME, PORT: `${port}`, WATCHWORD_WEBHOOK_SECRET: secret }
      child = spawn(program, [file], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          output += text
        })
      }
      await vi.waitFor(() => send(), { timeout: 60_000, interval: 50 })
    },
    stop: () => child?.kill('SIGKILL'),
  }
}
