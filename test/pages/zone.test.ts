/** Times in a browser: in the zone of the reader with UTC on hover, and in UTC without a script. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enter, hasBrowser, openWindow, unlessBrowser, type Window } from '../support/browser.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { signIn } from '../support/visitor.ts'

describe.skipIf(!hasBrowser)(`in a browser${unlessBrowser}`, () => {
  let server: TestServer
  const windows: Window[] = []
  let id: string
  beforeAll(async () => {
    server = await startServer({ config: { dashboardPort: 0 } })
    const made = server.runtime.now()
    // 20:40 of one day and 00:10 of the next, half an hour beside UTC.
    await server.advance((Date.parse('2026-11-21T15:10:00Z') - made.getTime()) / 1000)
    await server.test.send('+14155550100')
    await server.work()
    await server.advance(3.5 * 3600)
    id = await server.test.send('+14155550100')
    await server.live.send(newPhone())
    await server.work()
    await server.app.countingLoop.runOnce()
  })
  afterAll(async () => {
    await Promise.all(windows.map(({ close }) => close()))
    await server.close()
  })

  const open = async (options: Parameters<typeof openWindow>[0] = {}) => {
    const window = await openWindow({ baseURL: server.dashboardUrl, timezoneId: 'Asia/Kolkata', ...options })
    windows.push(window)
    await enter(window, server.dashboardUrl, (await signIn(server, 'owner')).cookie)
    return window.page
  }

  it('times are in the zone of the reader, and on hover in UTC too', async () => {
    const page = await open()
    await page.goto(`/messages/${id}`)
    const time = page.locator('.timeline time').first()
    expect(await time.textContent()).toBe('00:10:00')
    expect(await time.getAttribute('title')).toBe('22 Nov 2026, 00:10:00 GMT+5:30\n21 Nov 2026, 18:40:00 UTC')
  })

  it('times say that they are in UTC where there is no script', async () => {
    const page = await open({ javaScriptEnabled: false })
    await page.goto(`/messages/${id}`)
    expect(await page.locator('.timeline time').first().textContent()).toBe('18:40:00 UTC')
    await page.goto('/?mode=live')
    await page.getByText('Hours are in UTC.').waitFor()
    await page.goto('/messages')
    await page.getByText('More filters').click()
    await page.getByLabel('From (UTC)').waitFor()
  })

  it('the hours of a chart are those of the reader, in its axis, its titles and its table', async () => {
    const page = await open()
    await page.goto('/?mode=live')
    await page.getByText('Hours are in your time zone.').waitFor()
    expect(await page.locator('.axis-x time').last().textContent()).toMatch(/:30$/)
    expect(await page.locator('.bar title').last().textContent()).toMatch(/^21 Nov, 23:30: /)
    expect(await page.locator('.numbers th time').last().textContent()).toBe('21 Nov, 23:30')
    await page.goto('/?mode=live&span=7d')
    await page.getByText('Days are days of UTC.').waitFor()
  })

  it('a search is written in the zone of the reader, and asks in UTC', async () => {
    const page = await open()
    await page.goto('/messages')
    await page.getByText('More filters').click()
    await page.getByLabel('From (your time)').fill('2026-11-22T00:00')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL('**/messages?**')
    expect(new URL(page.url()).searchParams.get('from')).toBe('2026-11-21T18:30')
    expect(await page.getByLabel('From (your time)').inputValue()).toBe('2026-11-22T00:00')
    expect(await page.locator('tbody tr').count()).toBe(2)
    await page.goto('/messages?from=2026-11-21T19:00')
    await page.getByText('made from 22 Nov 2026, 00:30 on').waitFor()
  })

  it('the days of the sandbox phone are those of the reader', async () => {
    const page = await open()
    await page.goto('/sandbox?phone=%2B14155550100')
    await expect
      .poll(() => page.locator('.thread .day:visible').allTextContents())
      .toEqual(['22 Nov 2026', '21 Nov 2026'])
  })
})
