/** The reference as people see and use it: in a real Chromium, where one is installed. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopes } from '../../src/contract/document.ts'
import { defaultAccount } from '../../src/domain/access/account.ts'
import { browserMs, hasBrowser, openWindow, unlessBrowser, type Window } from '../support/browser.ts'
import { accessFaults, looks, tooWide } from '../support/goodPage.ts'
import { startServer, type TestServer } from '../support/server.ts'

const sandboxKey = 'ww_test_TheSandboxKeyOfWatchwordIsKnownToEverybody109l8ce'

describe.skipIf(!hasBrowser)(`the reference in a browser${unlessBrowser}`, { timeout: browserMs }, () => {
  let server: TestServer
  let sandbox: TestServer
  const windows: Window[] = []
  beforeAll(async () => {
    server = await startServer()
    sandbox = await startServer({ config: { sandboxKey }, beside: server })
    const { id: accountId } = await server.app.accounts.require(defaultAccount)
    const about = { accountId, name: 'sandbox', mode: 'test' as const, scopes: [...scopes], expiresAt: null }
    await server.app.apiKeys.register(sandboxKey, about)
  }, browserMs)
  afterAll(async () => {
    for (const window of windows) await window.close()
    await sandbox?.close()
    await server?.close()
  })

  const open = async (url: string, options: Parameters<typeof openWindow>[0] = {}) => {
    const window = await openWindow(options)
    windows.push(window)
    await window.page.goto(url)
    await window.page.locator('search').waitFor()
    return window
  }
  /** Nothing was asked of others, and the browser has nothing to say against the page. */
  const isQuiet = ({ asked, complaints }: Window, url: string) => {
    expect(new Set(asked.map((address) => new URL(address).origin))).toEqual(new Set([url]))
    expect(complaints).toEqual([])
  }
  const unfold = (page: Page) =>
    page.evaluate(`for (const part of document.querySelectorAll('details')) {
      part.removeAttribute('name')
      part.open = true
    }`)

  it.each(looks)(
    'can be read by everybody to the end, $colorScheme and $width wide',
    async ({ colorScheme, width, height }) => {
      for (const path of ['/docs', '/docs/errors']) {
        const window = await open(sandbox.url + path, { colorScheme, viewport: { width, height } })
        const { page } = window
        await unfold(page)
        expect(await accessFaults(page, colorScheme)).toEqual([])
        expect(await tooWide(page)).toBeLessThanOrEqual(0)
        // What is code has to be seen whole too, and is not to be scrolled for.
        const cut = await page.evaluate(`[...document.querySelectorAll('main *')].filter((part) =>
        part.getBoundingClientRect().right > innerWidth || (part.matches('pre') && part.scrollWidth > part.clientWidth)
      ).map((part) => part.outerHTML.slice(0, 200))`)
        expect(cut).toEqual([])
        isQuiet(window, sandbox.url)
      }
    },
    // The whole reference is judged, which grows with each operation.
    300_000,
  )

  it('is dark for who wants it dark', async () => {
    const ground = async (colorScheme: 'light' | 'dark') => {
      const { page } = await open(`${server.url}/docs`, { colorScheme })
      return page.evaluate('getComputedStyle(document.body).backgroundColor')
    }
    expect(await ground('dark')).not.toBe(await ground('light'))
  })

  it('asks no other host for anything, and nothing in it is refused by its policy', async () => {
    for (const path of ['/docs', '/docs/errors']) {
      const window = await open(server.url + path)
      await window.page.locator('#search').fill('invalid')
      await window.page.locator('#found a').first().waitFor()
      isQuiet(window, server.url)
    }
  })

  it('could not ask another host if it wanted to', async () => {
    const { page } = await open(`${server.url}/docs`)
    // As text: this is the page's own language, with names that a server does not know.
    const refused = await page.evaluate(`new Promise((resolve) => {
      addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective))
      fetch('${server.opsUrl}').catch(() => {})
    })`)
    expect(refused).toBe('connect-src')
  })

  it.each([
    ['an operation by what it does', 'template mesage', '/docs#sendNotification'],
    ['an operation by a field that it takes', 'brand_name', '/docs#sendVerification'],
    ['an event by a part of its type', 'message.fail', '/docs#message.failed'],
    ['an error by its code', 'resend_cool', '/docs/errors#resend_cooldown'],
  ])('finds %s, from both of its pages and without a mouse', async (_what, words, place) => {
    for (const path of ['/docs', '/docs/errors']) {
      const { page } = await open(server.url + path)
      await page.keyboard.press('/')
      await page.keyboard.type(words)
      const first = page.locator('#found a').first()
      await expect
        .poll(() => first.evaluate((link) => (link as never as { href: string }).href))
        .toBe(server.url + place)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL(server.url + place)
    }
  })

  it('says that it found nothing', async () => {
    const { page } = await open(`${server.url}/docs`)
    await page.locator('#search').fill('fax machine')
    await page.getByText('Nothing here is about “fax machine”.').waitFor()
  })

  it('shows all samples in the language that one of them was asked for in, and remembers it', async () => {
    const { page } = await open(`${server.url}/docs`)
    const shown = () =>
      page
        .locator('.sample:visible')
        .evaluateAll((parts) => [
          ...new Set(parts.map((part) => (part as never as { dataset: { language: string } }).dataset.language)),
        ])
    expect(await shown()).toEqual(['curl'])
    await page.locator('#checkVerification').getByText('Python', { exact: true }).first().click()
    expect(await shown()).toEqual(['Python'])
    await page.reload()
    await expect.poll(shown).toEqual(['Python'])
  })

  it('copies a request as it stands', async () => {
    const { page } = await open(`${server.url}/docs`, { permissions: ['clipboard-read', 'clipboard-write'] })
    const sample = page.locator('#sendVerification .sample:visible').first()
    await sample.getByRole('button', { name: 'Copy' }).click()
    await sample.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await sample.locator('code').innerText())
  })

  it('has its menu at hand on a phone, and closes it behind who has chosen', async () => {
    const { page } = await open(`${server.url}/docs`, { viewport: { width: 390, height: 844 } })
    const menu = page.locator('#menu')
    expect(await menu.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await menu.getByText('message.failed').click()
    await expect.poll(() => menu.isVisible()).toBe(false)
    expect(page.url()).toBe(`${server.url}/docs#message.failed`)
  })

  it('sends a code from the page of a sandbox, and checks it there', async () => {
    const window = await open(`${sandbox.url}/docs`)
    const [send, check] = ['#sendVerification', '#checkVerification'].map((id) =>
      window.page.locator(`${id} .try`).first(),
    )
    for (const [trial, said] of [
      [send!, '"status": "sent"'],
      [check!, '"result": "verified"'],
    ] as const) {
      await trial.locator('summary').click()
      await trial.getByRole('button', { name: 'Send it' }).click()
      await expect.poll(() => trial.locator('.outcome').innerText()).toContain(said)
    }
    expect(await send!.locator('.outcome').innerText()).toMatch(/^200 in \d+ ms[\s\S]*X-Trace-Id: [0-9a-f]{32}/)
    isQuiet(window, sandbox.url)
  })

  it('offers no place to put a key into, where there is no sandbox', async () => {
    const { page } = await open(`${server.url}/docs`)
    await unfold(page)
    expect(await page.locator('form, textarea, input:not([type=search], [type=radio])').count()).toBe(0)
    // The words of the contract may say "send it"; no control does.
    const controls = page.locator('button, summary, label, [role=button]')
    expect(await controls.filter({ hasText: /try it|send it|authorize/i }).count()).toBe(0)
  })

  it('has no control that does nothing, where its script does not run', async () => {
    const { page } = await openWindow({ javaScriptEnabled: false })
    await page.goto(`${sandbox.url}/docs`)
    expect(await page.locator('search:visible, .copy:visible, .try:visible').count()).toBe(0)
    expect(await page.locator('.sample:visible').count()).toBeGreaterThan(0)
    // Stories are for reading, and lead to their operations.
    const steps = page.locator('#story-optOut .sequence > li:visible')
    expect(await steps.count()).toBe(6)
    expect(await steps.nth(2).innerText()).toContain('Watchword → your program: 403, code opted_out.')
    await steps.nth(1).getByRole('link', { name: 'addOptOut' }).click()
    expect(new URL(page.url()).hash).toBe('#addOptOut')
    await page.context().close()
  })
})
