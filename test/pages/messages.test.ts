/** Messages and the sandbox phone in a browser: what changes by itself, and what works without a script. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enter, hasBrowser, openWindow, unlessBrowser, type Window } from '../support/browser.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { signIn } from '../support/visitor.ts'

describe.skipIf(!hasBrowser)(`in a browser${unlessBrowser}`, () => {
  let server: TestServer
  const windows: Window[] = []
  beforeAll(async () => {
    server = await startServer({ config: { dashboardPort: 0 } })
  })
  afterAll(async () => {
    await Promise.all(windows.map(({ close }) => close()))
    await server.close()
  })

  const open = async (options: Parameters<typeof openWindow>[0] = {}) => {
    const window = await openWindow({ baseURL: server.dashboardUrl, ...options })
    windows.push(window)
    await enter(window, server.dashboardUrl, (await signIn(server, 'owner')).cookie)
    return window
  }

  it('the page of a message tells what becomes of it while somebody looks', async () => {
    const { page, complaints } = await open()
    const id = await server.test.send(newPhone())
    await page.goto(`/messages/${id}`)
    expect(await page.locator('.stop').count()).toBe(1)
    await server.work()
    await page.getByText('taken by sandbox').waitFor()
    await page.locator('.facts .status.delivered').waitFor()
    await server.test.check(id, '000000')
    await page.locator('.timeline .status.delivered', { hasText: 'verified' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('a text appears on the sandbox phone when it arrives, at the bottom of its screen', async () => {
    const phone = newPhone()
    const { page, complaints } = await open()
    await page.goto('/sandbox')
    await page.getByText('Nothing has arrived yet').or(page.locator('.device')).first().waitFor()
    for (let sent = 0; sent < 12; sent++) {
      await server.test.send(phone)
      await server.work()
      await server.advance(60)
    }
    await page.locator('.arrival').nth(11).waitFor()
    const [latest, screen] = [
      await page.locator('.arrival').first().boundingBox(),
      await page.locator('.thread').boundingBox(),
    ]
    if (!latest || !screen) throw new Error('the phone is not there')
    expect(latest.y + latest.height).toBeLessThanOrEqual(screen.y + screen.height)
    expect(latest.y).toBeGreaterThan(screen.y)
    expect(complaints).toEqual([])
  })

  it('a search works without a script, and a row leads to its message wherever it is pressed', async () => {
    const { page } = await open({ javaScriptEnabled: false })
    const phone = newPhone()
    const id = await server.live.send(phone)
    await server.live.send(newPhone())
    await page.goto('/messages')
    await page.getByLabel('Phone or message id').fill(`${phone.slice(0, 5)} ${phone.slice(5)}`)
    await page.getByLabel('Status').selectOption('sent')
    await page.getByRole('button', { name: 'Search' }).click()
    expect(await page.locator('tbody tr').count()).toBe(1)
    for (const cell of await page.locator('tbody td').all()) {
      const place = await cell.boundingBox()
      if (!place) throw new Error('the row is not there')
      await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2)
      await page.waitForURL(`**/messages/${id}`)
      await page.goBack()
    }
    const hovered = page.locator('tbody time')
    await hovered.hover()
    expect(await hovered.getAttribute('title')).toMatch(/^21 Nov 2026, \d\d:\d\d:\d\d UTC$/)
  })

  it('a phone is forgotten when that was confirmed, and not before', async () => {
    const { page } = await open()
    const id = await server.test.send(newPhone())
    await page.goto(`/messages/${id}`)
    await page.getByRole('button', { name: 'Forget this phone' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await server.test.status(id)).toBe('sent')
    await page.getByRole('button', { name: 'Forget this phone' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget this phone' }).click()
    await page.getByText('1 message erased').waitFor()
    expect((await server.test.get(`/v1/messages/${id}`)).status).toBe(404)
  })
})
