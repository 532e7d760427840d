/** What an API designer sees of `npm run dev`, in a copy of the checkout. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Checkout, copyCheckout } from '../support/checkout.ts'
import { createClient, readAnswer } from '../support/client.ts'
import { freePort } from '../support/port.ts'

const scenariosFile = 'scripts/conformance/scenarios.ts'
const getMessage = 'src/http/api/operations/getMessage.ts'

// Several changes in one test, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let checkout: Checkout
let contract: string
let dev: ChildProcess
let output = ''
/** How much of the output the tests have seen. */
let seen = 0
/** Where the service was when it was last ready. */
let service: { url: string; key: string }
beforeAll(async () => {
  checkout = await copyCheckout()
  contract = await checkout.read('openapi.yaml')
  // Ports that every service has to get from the one before it.
  const [port, opsPort] = await Promise.all([freePort(), freePort()])
  const env = { ...checkout.env, PORT: `${port}`, OPS_PORT: `${opsPort}`, TWILIO_VERIFY: 'on' }
  dev = spawn(process.execPath, ['scripts/dev.ts'], { cwd: checkout.folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [dev.stdout, dev.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  await ready()
})
afterAll(async () => {
  // Asked to, it ends its PostgreSQL too.
  if (dev?.exitCode === null && dev.kill('SIGTERM')) await once(dev, 'exit')
  await checkout?.remove()
})

/** @returns what was printed up to that text, which no test has seen yet */
async function printed(text: RegExp): Promise<string> {
  await vi.waitFor(() => expect(output.slice(seen)).toMatch(text), { timeout: 240_000, interval: 20 })
  const fresh = output.slice(seen)
  const [found] = text.exec(fresh)!
  const end = fresh.indexOf(found) + found.length
  seen += end
  return fresh.slice(0, end)
}

async function ready(): Promise<string> {
  const text = await printed(/Ready in .*\n/)
  const [, url = '', key = ''] = /Ready in \S+ s: (http:\S+), .* key (\S+)/.exec(text) ?? []
  service = { url, key }
  return text
}

const client = () => createClient(service.url, service.key)
/** Whether the service that was there before is still there. */
const stillServed = async () => (await client().get('/v1/messages/req_1')).status === 400

describe('npm run dev', () => {
  let id: string

  it('runs the service, and says where it is and which key it takes', async () => {
    id = await client().send('+14155550110')
  })

  it('serves a new operation at once, from its examples, and says where it has no handler yet', async () => {
    const check = /^ {2}\/v1\/verify\/check:\n.*?(?=^ {2}\/v1)/ms.exec(contract)![0]
    const added = check.replace('/check:', '/recheck:').replace('checkVerification', 'recheckVerification')
    await checkout.write('openapi.yaml', contract.replace(check, check + added))
    const line =
      contract
        .replace(check, check + added)
        .split('\n')
        .indexOf('      operationId: recheckVerification') + 1
    expect(await ready()).toContain(`openapi.yaml:${line} recheckVerification has no handler`)

    const post = async (prefer?: string) => {
      const response = await fetch(`${service.url}/v1/verify/recheck`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${service.key}`,
          'Content-Type': 'application/json',
          ...(prefer && { Prefer: prefer }),
        },
        body: JSON.stringify({ request_id: id, code: '000000' }),
      })
      expect(response.headers.get('x-mock')).toBe('true')
      return readAnswer<{ code?: string }>(response)
    }
    expect(await post()).toMatchObject({ status: 200, data: { verified: true } })
    expect(await post('code=200, example=expired')).toMatchObject({ status: 200, data: { reason: 'expired' } })
    expect(await post('code=404, example=verification_not_found')).toMatchObject({
      status: 404,
      data: { code: 'verification_not_found' },
    })
  })

  it('loses nothing that was sent before', async () => {
    await expect.poll(() => client().status(id), { interval: 50 }).toBe('read')
  })

  it('names the line of the contract that breaks a rule, and keeps the last good service', async () => {
    const broken = contract.replace('      summary: Check a code\n', '')
    const line = broken.split('\n').indexOf('  /v1/verify/check:') + 2
    await checkout.write('openapi.yaml', broken)
    expect(await printed(/cannot run.*\n.*\n/)).toContain(`openapi.yaml:${line}:`)
    expect(await stillServed()).toBe(true)
  })

  it('names the line that is no YAML', async () => {
    await checkout.write('openapi.yaml', `${contract}   none: : of this\n`)
    expect(await printed(/cannot run.*\n.*\n/)).toContain(`openapi.yaml:${contract.split('\n').length}:`)
    expect(await stillServed()).toBe(true)
  })

  it('names a handler that fits the contract no more, and where the contract has its operation', async () => {
    // The field `cancelled` of a notification gets another name, in its schema and in its examples.
    const [, schema] = /^ {4}CancelledNotification:\n(.*?)^ {4}\w+:/ms.exec(contract)!
    await checkout.write(
      'openapi.yaml',
      contract
        .replace(schema!, schema!.replaceAll('cancelled', 'taken_back'))
        .replaceAll(/cancelled(: \w+\n {22}status: )/g, 'taken_back$1'),
    )
    const told = await printed(/cannot run.*\n( {2}.*\n)+/)
    expect(told).toMatch(
      /src\/http\/api\/operations\/cancelNotification\.ts:\d+:\d+ .*\n(.*\n)* +the contract has this operation at openapi\.yaml:\d+/,
    )
    expect(await stillServed()).toBe(true)
    await checkout.write('openapi.yaml', contract)
    await ready()
  })

  it('names what a wrong reference meant, and says one fault once', async () => {
    const right = '#/components/schemas/CheckVerificationRequest'
    const wrong = right.replace('Request', 'Reqest')
    await checkout.write('openapi.yaml', contract.replace(right, wrong))
    const told = await printed(/cannot run.*\n( {2}.*\n)+/)
    expect(told.split('\n').filter((line) => line.startsWith('  '))).toEqual([
      expect.stringMatching(new RegExp(`openapi\\.yaml:\\d+:\\d+ ${wrong} is not there; did you mean ${right}\\?`)),
    ])
    await checkout.write('openapi.yaml', contract)
    await ready()
  })

  it('asks whether an operation that went is the one that came, in one line', async () => {
    await checkout.write('openapi.yaml', contract.replaceAll('operationId: getMessage', 'operationId: readMessage'))
    const told = await printed(/cannot run.*\n( {2}.*\n)+/)
    expect(told.split('\n').filter((line) => line.startsWith('  '))).toEqual([
      expect.stringMatching(
        /getMessage\.ts .*does not have any more; readMessage came with openapi\.yaml:\d+: renamed\?/,
      ),
    ])
    await checkout.write('openapi.yaml', contract)
    await ready()
  })

  it('says which documented answer has no scenario, and is content when it has', async () => {
    const example = '                delivered:\n                  summary: On the phone\n'
    await checkout.write('openapi.yaml', contract.replace(example, example.replace('delivered', 'arrived')))
    await ready()
    const told = await printed(/but this is wrong.*\n( {2}.*\n)+/)
    expect(told).toContain('has no scenario for getMessage 200 arrived, which the contract documents')
    expect(told).toContain('has getMessage 200 delivered, which the contract does not document')
    const scenarios = await checkout.read(scenariosFile)
    await checkout.write(scenariosFile, scenarios.replace(' delivered: ', ' arrived: '))
    await printed(/Every answer that the contract documents has a scenario/)
    await checkout.write(scenariosFile, scenarios)
    await checkout.write('openapi.yaml', contract)
    await ready()
  })

  it('does the same for twilio-verify.yaml: rules, handlers and scenarios, and serves it as it is now', async () => {
    const own = await checkout.read('twilio-verify.yaml')
    const write = (before: string, after: string) => checkout.write('twilio-verify.yaml', own.replaceAll(before, after))
    await write('      summary: Check a code\n', '')
    const line = own.split('\n').indexOf('  /v2/Services/{ServiceSid}/VerificationCheck:') + 2
    expect(await printed(/cannot run.*\n.*\n/)).toContain(`twilio-verify.yaml:${line}:`)
    await write('sna_attempts_error_codes', 'sna_errors')
    expect(await printed(/cannot run.*\n( {2}.*\n)+/)).toMatch(
      /src\/http\/twilio\/operations\/createVerificationCheck\.ts:\d+:\d+ .*\n(.*\n)* +the contract has this operation at twilio-verify\.yaml:\d+/,
    )
    expect(await stillServed()).toBe(true)
    await write(
      '                canceled:\n                  summary',
      '                ended:\n                  summary',
    )
    await ready()
    expect(await printed(/but this is wrong.*\n( {2}.*\n)+/)).toContain(
      'test/contract/twilioScenarios.ts has no scenario for updateVerification 200 ended, which the contract documents',
    )
    await write('Send Basic authentication', 'Sign in by Basic authentication')
    await ready()
    const unsigned = await fetch(`${service.url}/v2/Services/VA1/VerificationCheck`, { method: 'POST' })
    expect(await unsigned.json()).toMatchObject({ message: expect.stringMatching(/^Sign in by Basic/) })
    await checkout.write('twilio-verify.yaml', own)
    await ready()
  })

  it('is ready before all types are looked at, and tells of wrong ones while the service runs', async () => {
    const code = await checkout.read('src/kit/terminal.ts')
    await checkout.write('src/kit/terminal.ts', code.replace('jsonLine(value: object)', 'jsonLine(value: { mark: 1 })'))
    await ready()
    expect(await printed(/but this is wrong.*\n( {2}.*\n)+/)).toMatch(/src\/cli\/listen\.ts:\d+:\d+ Argument of type/)
    expect(await stillServed()).toBe(true)
    await checkout.write('src/kit/terminal.ts', code)
    await ready()
  })

  it('goes on complaining of the contract whatever else is saved, until that is fixed', async () => {
    await checkout.write('openapi.yaml', contract.replace('      summary: Check a code\n', ''))
    await printed(/cannot run.*\n.*\n/)
    await checkout.write(getMessage, `${await checkout.read(getMessage)}\n`)
    expect(await printed(/cannot run.*\n.*\n/)).toContain('openapi.yaml:')
    await checkout.write('openapi.yaml', contract)
    await ready()
  })

  it('sees a file that was missing when it is there', async () => {
    const code = await checkout.read(getMessage)
    await checkout.write(getMessage, `import './later.ts'\n${code}`)
    expect(await printed(/cannot run.*\n( {2}.*\n)+/)).toContain('later.ts')
    await checkout.write('src/http/api/operations/later.ts', 'export {}\n')
    await ready()
    await checkout.write(getMessage, code)
    await ready()
  })

  it('says why a service does not start, and keeps the last good one', async () => {
    const code = await checkout.read(getMessage)
    await checkout.write(getMessage, `${code}\nthrow new Error('not today')\n`)
    expect(await printed(/cannot run.*\n( {2}.*\n)+/)).toContain('not today')
    expect(await stillServed()).toBe(true)
    await checkout.write(getMessage, code)
    await ready()
    expect(await stillServed()).toBe(true)
  })

  it('ends when it is told to, and its service with it', async () => {
    const ended = once(dev, 'exit')
    dev.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    await expect(fetch(service.url)).rejects.toThrow()
  })
})
