/** The reference as people see it: in a real Chromium, where one is installed. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract, operationFacts } from '../../src/contract/document.ts'
import { eventTypes } from '../../src/contract/event.ts'
import { browserMs, hasBrowser, openWindow, unlessBrowser, type Window } from '../support/browser.ts'
import { startServer, type TestServer } from '../support/server.ts'

describe.skipIf(!hasBrowser)(`the reference in a browser${unlessBrowser}`, { timeout: browserMs }, () => {
  let server: TestServer
  let window: Window
  let page: Page
  beforeAll(async () => {
    server = await startServer()
    window = await openWindow()
    page = window.page
    await page.goto(`${server.url}/docs`)
    await page.locator('.opblock').first().waitFor()
  }, browserMs)
  afterAll(async () => {
    await window?.close()
    await server?.close()
  })

  it('shows every operation and every event with its summary', async () => {
    const shown = await page.locator('.opblock-summary').allInnerTexts()
    const summaries = Object.values({ ...contract.paths, ...contract['x-webhooks'] }).flatMap((item) =>
      Object.values(item).map(({ summary }) => summary),
    )
    expect(shown).toHaveLength(operationFacts.length + eventTypes.length)
    for (const summary of summaries) expect(shown.join('\n')).toContain(summary)
  })

  it('shows the headers, the body and an example of an event', async () => {
    const event = page.locator('.webhooks .opblock', { hasText: 'message.failed' })
    await event.locator('.opblock-summary-control').first().click()
    for (const words of ['webhook-signature', '"code": "not_on_channel"', 'The endpoint is disabled at once']) {
      await expect.poll(() => event.innerText()).toContain(words)
    }
  })

  it('shows the answers of an operation, its examples by name, and the scope that it needs', async () => {
    const operation = page.locator('#operations-Verification-sendVerification')
    await operation.locator('.opblock-summary-control').first().click()
    const { responses } = contract.paths['/v1/verify/send'].post
    await expect
      .poll(() => operation.locator('.response-col_status').allInnerTexts())
      .toEqual(expect.arrayContaining(Object.keys(responses)))
    const text = await operation.innerText()
    for (const words of ['The last code to this phone was sent too recently', 'x-required-scope', 'verify:write']) {
      expect(text).toContain(words)
    }
  })

  it('offers no place to put a key into', async () => {
    expect(await page.getByText(/authorize|try it out/i).count()).toBe(0)
  })

  it('asks no other host for anything, and nothing in it is refused by its policy', () => {
    expect(new Set(window.asked.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin))).toEqual(
      new Set([server.url]),
    )
    expect(window.complaints).toEqual([])
  })

  it('could not ask another host if it wanted to', async () => {
    // As text: this is the page's own language, with names that a server does not know.
    const refused = await page.evaluate(`new Promise((resolve) => {
      addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective))
      fetch('${server.opsUrl}').catch(() => {})
    })`)
    expect(refused).toBe('connect-src')
  })
})
