/** `examples/login/`: a page on which people sign in with their phone, in a browser. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { browserMs, hasBrowser, openWindow, unlessBrowser, type Window } from '../support/browser.ts'
import { blocksOf, sectionOf } from '../support/docs.ts'
import { freePort } from '../support/port.ts'
import { compile, makeTypes, openStage, type Stage, serve } from './stage.ts'

let stage: Stage
let login: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  stage = await openStage()
  const port = `${await freePort()}`
  const { secret } = await stage.cli<{ secret: string }>(
    'endpoints',
    'add',
    `http://127.0.0.1:${port}/watchword`,
    '--json',
  )
  expect(await makeTypes('login', stage.service.url)).toBe('')
  login = await serve('login', 'server.ts', {
    PORT: port,
    WATCHWORD_URL: stage.service.url,
    WATCHWORD_API_KEY: stage.liveKey,
    WATCHWORD_WEBHOOK_SECRET: secret,
    SESSION_SECRET: randomUUID(),
  })
})
afterAll(async () => {
  await login?.end()
  await stage?.close()
})

it('the page to sign in compiles with the types of the service, and has the client of the guide', async () => {
  expect(await compile('login')).toBe('')
  const [client] = blocksOf('ts', sectionOf('docs/clients.md', 'A client that does not give up'))
  expect(readFileSync(join(import.meta.dirname, '../../examples/login/client.ts'), 'utf8')).toBe(`${client}\n`)
})

describe('the server of the example', () => {
  it('lets nobody in without a code that it asked for', async () => {
    const answer = await post('/session', { code: '000000' })
    expect([answer.status, await answer.json()]).toEqual([400, { told: 'Ask for a code first.' }])
    expect(await (await fetch(`${login.url}/session`)).json()).toEqual({})
  })

  it('believes no event that is not signed', async () => {
    const event = { type: 'message.delivered', timestamp: new Date().toISOString(), data: { request_id: 'req_1' } }
    expect((await post('/watchword', event)).status).toBe(401)
  })

  it.each([undefined, {}, { phone: 7 }, { phone: { not: 'text' } }])(
    'tells what a phone looks like to %j',
    async (body) => {
      const answer = await post('/code', body)
      expect(answer.status).toBe(400)
      expect(((await answer.json()) as { told: string }).told).toContain('with the code of its country')
    },
  )
})

describe.skipIf(!hasBrowser)(`somebody in Chromium${unlessBrowser}`, () => {
  let window: Window
  beforeAll(async () => {
    window = await openWindow()
    await window.page.goto(login.url)
  })
  afterAll(() => window?.close())

  const phoneField = () => window.page.getByLabel('Your phone')
  const codeField = () => window.page.getByLabel('The code that we sent you')
  const told = (role: 'status' | 'alert') => () => window.page.getByRole(role).textContent()

  const sessionId = async () => (await window.page.context().cookies())[0]?.value

  async function askFor(phone: string): Promise<void> {
    await phoneField().fill(phone)
    await window.page.getByRole('button', { name: 'Send me a code' }).click()
  }
  async function type(code: string): Promise<void> {
    await codeField().fill(code)
    await window.page.getByRole('button', { name: 'Sign in' }).click()
  }

  it('is told that a phone cannot exist, and in how many seconds a second code may be sent', async () => {
    await askFor('+1 415 55')
    await expect.poll(told('alert')).toContain('This phone cannot get a code.')
    await askFor('+1 (415) 555-2671')
    await codeField().waitFor()
    await askFor('+1 (415) 555-2671')
    await expect.poll(told('alert')).toMatch(/A code is on its way\. You can ask for another one in \d+ seconds\./)
  })

  it('sees that the code has arrived, because the server was told by an event', async () => {
    await expect.poll(told('status'), { timeout: browserMs }).toBe('Your code has arrived.')
  })

  it('has one field for the code, which phones can fill in', async () => {
    expect(await codeField().getAttribute('autocomplete')).toBe('one-time-code')
    expect(await codeField().getAttribute('inputmode')).toBe('numeric')
  })

  it('is told how often a wrong code can be followed by another, and signs in with the right one', async () => {
    const code = await stage.code('+14155552671')
    await type(code === '111111' ? '222222' : '111111')
    await expect.poll(told('alert')).toBe('This is not the code. You can try 4 times more.')
    const before = await sessionId()
    await type(inArabicDigits(code))
    await expect.poll(told('status')).toBe('You are signed in with +14155552671.')
    // Somebody who had planted the id before is not signed in with it.
    expect(await sessionId()).not.toBe(before)
    await window.page.reload()
    await expect.poll(told('status')).toBe('You are signed in with +14155552671.')
    await window.page.getByRole('button', { name: 'Sign out' }).click()
    await phoneField().waitFor()
  })

  it('is told when a code could not be delivered', async () => {
    await askFor('+14155550120')
    await expect.poll(told('status'), { timeout: browserMs }).toContain('could not be delivered')
  })

  it('is told in plain words when Watchword is away, and the log has the reason', async () => {
    await stage.service.end('SIGTERM')
    await askFor('+14155552673')
    await expect.poll(told('alert'), { timeout: browserMs }).toBe('Something went wrong on our side. Please try again.')
    await vi.waitFor(() => expect(login.output()).toContain('fetch failed'))
  })
})

it('one address can ask the server of the example for twenty codes in ten minutes, not for more', async () => {
  const answers = await Promise.all(Array.from({ length: 21 }, () => post('/code', { phone: 'nobody' })))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(await refused[0]!.json()).toEqual({ told: 'Too many codes were asked for. Try again in ten minutes.' })
})

const inArabicDigits = (code: string) =>
  code.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(0x0660 + Number(digit)))

function post(path: string, body: unknown): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return fetch(`${login.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) ?? null })
}
