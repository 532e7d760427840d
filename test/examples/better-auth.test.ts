/** `examples/better-auth/`: people sign in by phone with better-auth, in a browser; Watchword sends and checks the codes. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openWindow, unlessBrowser, type Window } from '../support/browser.ts'
import { compile, makeTypes, openStage, type Stage, serve } from './stage.ts'

let stage: Stage
let site: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  stage = await openStage()
  expect(await makeTypes('better-auth', stage.service.url)).toBe('')
  site = await serve('better-auth', 'server.ts', {
    WATCHWORD_URL: stage.service.url,
    WATCHWORD_API_KEY: stage.liveKey,
    BETTER_AUTH_SECRET: randomUUID(),
  })
})
afterAll(async () => {
  await site?.end()
  await stage?.close()
})

it('the example of better-auth compiles, with the types of the running service', async () => {
  expect(await compile('better-auth')).toBe('')
})

describe('better-auth with the codes of Watchword', () => {
  it('tells the page that a code was refused, though it sends in the background', async () => {
    expect(await post('send-otp', { phoneNumber: '+14155552672' })).toMatchObject({ status: 200 })
    const again = await post('send-otp', { phoneNumber: '+14155552672' })
    expect(again).toMatchObject({
      status: 429,
      code: 'resend_cooldown',
      message: expect.stringMatching(/Wait \d+ seconds/),
    })
  })

  it('reads a phone and a code as people write them, and a phone is one user', async () => {
    const spellings = ['\u202a+1 (415) 555-2675\u202c', 'tel:+1-415-555-2675', '＋１４１５５５５２６７５']
    expect(await post('send-otp', { phoneNumber: spellings[0] })).toMatchObject({ status: 200 })
    const code = await stage.code('+14155552675')
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`
    expect(await post('verify', { phoneNumber: spellings[1], code: typed })).toMatchObject({
      user: { phoneNumber: '+14155552675' },
    })
    expect(await post('send-otp', { phoneNumber: spellings[2] })).toMatchObject({ code: 'resend_cooldown' })
  })

  it('says what is missing of a phone without its country', async () => {
    expect(await post('send-otp', { phoneNumber: '(415) 555-2672' })).toMatchObject({
      status: 400,
      message: expect.stringContaining('with the code of its country'),
    })
  })

  it('says the same of a wrong code as of a phone for which none is pending', async () => {
    const code = await stage.code('+14155552672')
    const wrong = await post('verify', { phoneNumber: '+14155552672', code: code === '111111' ? '222222' : '111111' })
    const none = await post('verify', { phoneNumber: '+14155552674', code: '111111' })
    expect(wrong).toMatchObject({ status: 400, code: 'INVALID_OTP' })
    expect(none).toEqual(wrong)
  })
})

describe.skipIf(!hasBrowser)(`somebody in Chromium who comes to better-auth${unlessBrowser}`, () => {
  let window: Window
  beforeAll(async () => {
    window = await openWindow()
    await window.page.goto(site.url)
  })
  afterAll(() => window?.close())

  const told = (role: 'status' | 'alert') => () => window.page.getByRole(role).textContent()
  const fill = async (field: string, text: string, button: string) => {
    await window.page.getByLabel(field).fill(text)
    await window.page.getByRole('button', { name: button }).click()
  }

  it('is told what is wrong with a phone, and signs in with the code that the right one got', async () => {
    await fill('Your phone', '+141555', 'Send me a code')
    await expect.poll(told('alert')).toContain('with the code of its country')
    await fill('Your phone', '+14155552671', 'Send me a code')
    const code = await stage.code('+14155552671')
    await fill('The code that we sent you', `${code.slice(0, 3)}-${code.slice(3)}`, 'Sign in')
    await expect.poll(told('status')).toBe('You are signed in with +14155552671.')
    await window.page.reload()
    await expect.poll(told('status')).toBe('You are signed in with +14155552671.')
  })

  it('signs out, and cannot use the code again', async () => {
    await window.page.getByRole('button', { name: 'Sign out' }).click()
    await window.page.getByLabel('Your phone').waitFor()
    const code = await stage.code('+14155552671')
    expect(await post('verify', { phoneNumber: '+14155552671', code })).toMatchObject({ code: 'INVALID_OTP' })
  })
})

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'Content-Type': 'application/json', Origin: site.url }
  const url = `${site.url}/api/auth/phone-number/${path}`
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, ...((await answer.json()) as object) }
}
