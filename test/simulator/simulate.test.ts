/** `npm run simulate`, as an operator meets it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { foreignWords } from '../support/foreignWords.ts'
import { freePort } from '../support/port.ts'
import { startProvider } from '../support/provider.ts'
import { ask, codeMessage } from '../support/simulated.ts'

const root = join(import.meta.dirname, '../..')
const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function launch(...options: string[]) {
  const args = ['--import', './src/loading.js', 'src/main.ts', 'simulate', ...options]
  const child = spawn(process.execPath, args, { cwd: root, env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  return child
}

async function ended(...options: string[]) {
  const child = launch(...options)
  const [output, errors, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { output, errors, exitCode }
}

/** @returns what it prints until there is `words` in it */
async function printed(child: ReturnType<typeof launch>, words: string): Promise<string> {
  let output = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += chunk
    if (output.includes(words)) return output
  }
  throw new Error(`ended without "${words}": ${output}`)
}

describe('npm run simulate', () => {
  it('says in words why an address has no answer', async () => {
    const child = launch('--port', '0', '--whatsapp-webhook', `http://127.0.0.1:${await freePort()}/wa`)
    const output = await printed(child, 'did not pass')
    expect(output).toContain("did not pass WhatsApp's handshake: no answer: nothing listens there.")
    expect(foreignWords(output)).toEqual([])
  })

  it('listens, greets, shakes hands, brings codes to phones, reports to the service, and ends with 0', async () => {
    const receiver = await startProvider(({ path }) => ({
      status: 200,
      body: new URLSearchParams(path.split('?')[1]).get('hub.challenge') ?? '',
    }))
    const child = launch('--port', '0', '--whatsapp-webhook', `${receiver.url}/wa`, '--report-after-ms', '0')
    const output = await printed(child, "knows WhatsApp's handshake")
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)![0]
    const headers = { Authorization: 'Bearer simulated-whatsapp-token', 'User-Agent': 'watchword/0.1.0' }
    await ask(`${url}/v23.0/106540352242922/messages`, 'POST', codeMessage('+14155552671'), headers)
    await ask(`${url}/_simulator/settled`, 'GET')
    expect(receiver.asked.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual(['GET /wa', 'POST /wa'])
    const [phone] = (await ask(`${url}/_simulator/phones`, 'GET')).json
    expect(phone).toMatchObject({ phone: '+14155552671', messages: 1 })
    expect((await ask(url, 'GET')).text).toContain('+1 415 555 2671')
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([0, null])
    await receiver.close()
  })

  it('says that the service is not there, and that it may come later', async () => {
    const child = launch('--port', '0', '--whatsapp-webhook', 'http://127.0.0.1:1/wa')
    expect(await printed(child, 'starts later')).toContain('127.0.0.1:1/wa did not pass WhatsApp')
  })

  it('tells what it takes', async () => {
    const { output, exitCode } = await ended('--help')
    expect(exitCode).toBe(0)
    for (const option of ['--port', '9700', '--app-secret', '--telegram-webhook', '--chaos']) {
      expect(output).toContain(option)
    }
  })

  it.each([
    ['--port', 'x'],
    ['--port', '70000'],
    ['--chaos', '2'],
    ['--whatsapp-webhook', 'ftp://x'],
    ['--none', ''],
  ])('says what is wrong, with 2: %s %s', async (...options) => {
    const { errors, exitCode } = await ended(...options)
    expect(exitCode).toBe(2)
    expect(errors).toContain(options[0]!.startsWith('--whatsapp') ? 'no address of a webhook' : options[0])
  })

  it('says that its port is taken, with 1', async () => {
    const taken = await startProvider({ status: 200 })
    const { errors, exitCode } = await ended('--port', new URL(taken.url).port)
    expect([exitCode, errors]).toEqual([1, expect.stringMatching(/^The port is taken\..*\n$/)])
    await taken.close()
  })
})
