/** The endpoint that everybody has: a receiver at the terminal. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, it } from 'vitest'
import { newSecret } from '../../src/outbound/signature.ts'
import { moment, refusalOf, run } from '../support/cli.ts'

const root = join(import.meta.dirname, '../..')
const secret = newSecret()
const body =
  '{"type":"message.read","timestamp":"2026-11-21T09:00:00.000Z","data":{"request_id":"req_1","error":{"code":"x"}}}'

let listening: ChildProcess | undefined
afterEach(async () => {
  if (listening?.exitCode === null && listening.kill()) await once(listening, 'close')
})

/** Starts it with nothing in its environment, so without a database too. @returns its URL, and its lines to read */
async function listen(...args: string[]) {
  const command = ['--import', './src/loading.js', 'src/cli.ts', 'endpoints', 'listen', '--port', '0', ...args]
  const child = spawn(process.execPath, command, { cwd: root, env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
  listening = child
  const [out, err] = [readLines(child.stdout), readLines(child.stderr)]
  const greeting = args.includes('--json') ? err : out
  const told: string[] = []
  while (!told.join().includes('endpoints add')) told.push(await greeting())
  const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(told.join())![0]
  return { child, url, told: told.join('\n'), next: out }
}

/** @returns the next line, when it is there */
function readLines(input: NodeJS.ReadableStream): () => Promise<string> {
  const lines = createInterface({ input })[Symbol.asyncIterator]()
  return async () => String((await lines.next()).value)
}

function post(url: string, id: string, sent = body) {
  const at = new Date()
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
  return fetch(url, { method: 'POST', headers, body: sent })
}

it('prints each event that comes in as a line of JSON, verified or not, and ends when told to', async () => {
  const { child, url, told, next } = await listen('--json', '--secret', secret)
  expect(told).toContain(`npm run cli -- endpoints add ${url}`)
  expect((await post(url, 'evt_1')).status).toBe(204)
  const event = JSON.parse(body)
  const good = { at: moment, id: 'evt_1', verified: true, reason: null, repeat: false, event }
  expect(JSON.parse(await next())).toEqual(good)
  await post(url, 'evt_1')
  expect(JSON.parse(await next())).toEqual({ ...good, repeat: true })
  expect((await post(url, 'evt_2', 'no event')).status).toBe(401)
  expect(JSON.parse(await next())).toEqual({
    ...{ at: moment, id: 'evt_2', verified: false, reason: 'its signature does not match the secret', repeat: false },
    body: 'no event',
  })
  child.kill('SIGINT')
  expect(await once(child, 'close')).toEqual([0, null])
})

it('prints for people what comes, and gives their terminal no orders', async () => {
  const { url, next } = await listen('--secret', secret)
  expect(await next()).toBe('')
  await post(url, 'evt_1')
  expect(await next()).toMatch(/^\S+Z {2}message\.read {2}evt_1 {2}verified$/)
  expect([await next(), await next()]).toEqual(['  request_id: req_1', '  error: {"code":"x"}'])
  await post(url, 'evt_1', '\u001b[2J')
  expect(await next()).toMatch(
    /^\S+Z {2}no event {2}evt_1 {2}NOT VERIFIED: its signature does not match the secret {2}\(it came before\)$/,
  )
  expect(await next()).toBe('  \\u001b[2J')
})

it('says, without a secret, how to get one', async () => {
  const { url, told, next } = await listen()
  expect(await next()).toContain('start this again with --secret')
  expect(told).toContain(`Listening on ${url}`)
})

it('does not start with a secret that is none, which is not repeated, or on a port that is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const [wrong, taken] = await Promise.all([
    run({}, ['endpoints', 'listen', '--secret', 'opensesame']),
    run({}, ['endpoints', 'listen', '--port', `${port}`]),
  ])
  other.close()
  expect(refusalOf(wrong)).toBe('A secret must begin with whsec_.')
  expect(refusalOf(taken)).toBe(`Port ${port} cannot be used (EADDRINUSE): choose another one with --port.`)
})
