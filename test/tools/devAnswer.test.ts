/** What `npm run dev` makes of a service that answers late, or has gone. */
import { fork } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendOrder } from '../../scripts/dev/answer.ts'

const order = { do: 'listen' } as const
const answer = { is: 'listening', url: 'http://127.0.0.1:1', opsPort: 2, key: 'k' }

let folder: string
let script: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-dev-'))
  script = join(folder, 'service.js')
  await writeFile(
    script,
    `process.send('up')
     process.on('message', () => { if (process.argv[2] === 'answers') process.send(${JSON.stringify(answer)}) })`,
  )
})
afterAll(() => rm(folder, { recursive: true }))

async function start(how: string) {
  const child = fork(script, [how])
  await new Promise((resolve) => child.once('message', resolve))
  return child
}

/** As a machine that sleeps: nothing of this process runs, and all its timers are late. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

it('keeps a healthy service when the machine slept for longer than the service has time to answer', async () => {
  const child = await start('answers')
  const answered = sendOrder(child, order, 'listening', 300)
  sleep(600)
  expect(await answered).toEqual(answer)
  child.kill('SIGKILL')
})

it('ends a service that does not answer in time, and says so', async () => {
  const child = await start('is silent')
  await expect(sendOrder(child, order, 'listening', 300)).rejects.toThrow('The service was not listening within 0.3 s.')
  expect(child.signalCode).toBe('SIGKILL')
})

it('bears that a service has gone before it knows, and says how it ended', async () => {
  const child = await start('answers')
  child.kill('SIGKILL')
  sleep(300)
  expect(child.connected).toBe(true)
  await expect(sendOrder(child, order, 'listening')).rejects.toThrow('The service ended without a word (SIGKILL).')
})
