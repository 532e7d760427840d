/** The page for a code that `docs/frontend.md` shows, in a browser whose WebOTP gets a code. */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserMs, executablePath, hasBrowser, unlessBrowser } from '../support/browser.ts'

const [, page = ''] = /```html\n(.*?)```/s.exec(readFileSync('docs/frontend.md', 'utf8')) ?? []

declare const window: { give: (code: string) => void; waits: () => boolean; isCalledOff: () => boolean }

describe.skipIf(!hasBrowser)(`the page for a code in Chromium${unlessBrowser}`, () => {
  let server: Server
  let browser: Browser
  let posted: string[]
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      if (request.method === 'POST') posted.push(await text(request))
      response.setHeader('Content-Type', 'text/html').end(request.method === 'POST' ? 'Thank you' : page)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // The pages that it loads can then stand in for the part of the browser that reads messages.
    const args = ['--no-sandbox', '--enable-blink-features=MojoJS,MojoJSTest']
    browser = await chromium.launch({ executablePath: executablePath!, args, timeout: browserMs })
  })
  afterAll(async () => {
    await browser.close()
    server.close()
  })

  async function open(): Promise<Page> {
    posted = []
    const opened = await browser.newPage()
    await opened.addInitScript(readMessages)
    await opened.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
    await opened.waitForFunction(() => window.waits())
    return opened
  }

  it('fills in the code that the browser got, and sends the form', async () => {
    const opened = await open()
    await opened.evaluate(() => window.give('048291'))
    await opened.getByText('Thank you').waitFor()
    expect(posted).toEqual(['code=048291'])
    await opened.close()
  })

  it('stops waiting for a message when the code was typed, and says nothing of that', async () => {
    const opened = await open()
    const complaints: unknown[] = []
    opened.on('pageerror', (error) => complaints.push(error))
    // A page that sends its form by a script stays where it is.
    await opened.evaluate("addEventListener('submit', (event) => event.preventDefault())")
    await opened.getByLabel('The code that we sent you').fill('123456')
    await opened.getByRole('button').click()
    await opened.waitForFunction(() => window.isCalledOff())
    expect(await opened.getByLabel('The code that we sent you').inputValue()).toBe('123456')
    expect([posted, complaints]).toEqual([[], []])
    await opened.close()
  })

  it('is a form like any other where there is no WebOTP', async () => {
    posted = []
    const opened = await browser.newPage()
    const complaints: unknown[] = []
    opened.on('pageerror', (error) => complaints.push(error))
    await opened.addInitScript('delete window.OTPCredential')
    await opened.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
    await opened.getByLabel('The code that we sent you').fill('123456')
    await opened.getByRole('button').click()
    await opened.getByText('Thank you').waitFor()
    expect([posted, complaints]).toEqual([['code=123456'], []])
    await opened.close()
  })
})

/**
 * Runs in the page before it: answers what WebOTP asks of the browser, in the bytes of Chromium's own interface
 * (`blink.mojom.WebOTPService.Receive() => (SmsStatus status, string? one_time_code)`).
 */
const readMessages = `
  let pending
  let messages = 0
  const interceptor = new MojoInterfaceInterceptor('blink.mojom.WebOTPService')
  interceptor.oninterfacerequest = ({ handle }) => {
    handle.watch({ readable: true }, () => {
      const { result, buffer } = handle.readMessage()
      if (result !== Mojo.RESULT_OK) return
      messages += 1
      pending ??= { handle, asked: new DataView(buffer) }
    })
  }
  interceptor.start()
  window.waits = () => pending !== undefined
  // The second of its two messages is Abort().
  window.isCalledOff = () => messages === 2
  window.give = (code) => {
    const { handle, asked } = pending
    const bytes = new TextEncoder().encode(code)
    const answer = new DataView(new ArrayBuffer(64 + Math.ceil(bytes.length / 8) * 8))
    const uint32 = (at, value) => answer.setUint32(at, value, true)
    // The header: its size, its version, the message, that it is an answer, and to which question.
    for (const [at, value] of [[0, 32], [4, 1], [12, asked.getUint32(12, true)], [16, 2]]) uint32(at, value)
    answer.setBigUint64(24, asked.getBigUint64(24, true), true)
    // Its size, the status 0 for success, where the text begins, and the text with its sizes.
    for (const [at, value] of [[32, 24], [40, 0], [48, 8], [56, 8 + bytes.length], [60, bytes.length]]) uint32(at, value)
    new Uint8Array(answer.buffer).set(bytes, 64)
    handle.writeMessage(answer.buffer, [])
  }
`
