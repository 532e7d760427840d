/** An owner connects a channel in the browser, and sees a test code arrive. */
import { afterAll, describe, expect, it } from 'vitest'
import { enter, hasBrowser, openWindow, unlessBrowser, type Window } from '../support/browser.ts'
import { accessFaults, tooWide } from '../support/goodPage.ts'
import { newPhone } from '../support/server.ts'
import { createSimulation } from '../support/simulation.ts'
import { signIn } from '../support/visitor.ts'

const token = 'simulated-telegram-token'

describe.skipIf(!hasBrowser)(`in a browser${unlessBrowser}`, () => {
  const simulation = createSimulation({ server: { config: { dashboardPort: 0 } } })
  const windows: Window[] = []
  afterAll(() => Promise.all(windows.map(({ close }) => close())))
  let accounts = 0

  const open = async (options: Parameters<typeof openWindow>[0] = {}) => {
    const { server } = simulation
    accounts += 1
    const { id: accountId, name: account } = await server.app.accounts.create(`in a browser ${accounts}`)
    const owner = await signIn(server, 'owner', { account })
    const window = await openWindow({ baseURL: server.dashboardUrl, ...options })
    windows.push(window)
    await enter(window, server.dashboardUrl, owner.cookie)
    return { ...window, accountId }
  }

  it.each([
    ['with the script', { javaScriptEnabled: true, viewport: { width: 1280, height: 900 } }],
    ['without a script, on a narrow phone', { javaScriptEnabled: false, viewport: { width: 320, height: 640 } }],
  ])(
    'an owner adds a channel, corrects a fault, changes and orders it, and a test code arrives: %s',
    async (_how, options) => {
      const { page, complaints, accountId } = await open(options)
      const { server, simulator } = simulation
      simulator.pointAt({ telegram: `${server.directUrl}/providers/${accountId}/tg` })
      await page.goto('/channels')
      await page.getByRole('link', { name: 'Add a channel' }).click()
      await page.getByRole('link', { name: 'Telegram' }).click()
      await page.getByLabel('Name').fill('TG')
      await page.getByLabel('Access token').fill(token)
      await page.getByLabel('Address of the API').fill(simulator.url)
      await page.getByRole('button', { name: 'Add the channel' }).click()
      // Beside its field, and said with it to who cannot see it.
      const name = page.getByLabel('Name')
      expect(await name.getAttribute('aria-invalid')).toBe('true')
      expect(
        await page.locator(`#${(await name.getAttribute('aria-describedby'))?.split(' ')[0]}`).innerText(),
      ).toContain('lower-case letters')
      const hasScript = options.javaScriptEnabled
      if (hasScript) expect(await accessFaults(page)).toEqual([])
      expect(await tooWide(page)).toBeLessThanOrEqual(0)
      await name.fill('tg')
      await page.getByLabel('Access token').fill(token)
      await page.getByRole('button', { name: 'Add the channel' }).click()
      await page.getByText('Added tg').waitFor()

      const card = page.locator('.channels > li', { has: page.locator('code', { hasText: /^tg$/ }) })
      await card.getByRole('link', { name: 'Change' }).click()
      expect(await page.getByLabel('Access token').inputValue()).toBe('')
      await page.getByLabel('Sender').fill('acme_codes')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved tg').waitFor()
      await card.getByRole('button', { name: 'Move down' }).click()
      await page.getByText('Moved tg down').waitFor()
      await page.getByRole('button', { name: 'Check now' }).click()
      await page.getByText('token taken').waitFor()

      const phone = newPhone()
      await card.getByRole('link', { name: 'Send a test code' }).click()
      await page.getByLabel('Your phone').fill(phone)
      await page.getByRole('button', { name: 'Send the code' }).click()
      await page.getByText('A code is on its way through tg').waitFor()
      await simulation.run()
      if (!hasScript) await page.reload()
      await page.getByText('taken by tg').waitFor()
      await page.locator('.facts .status.delivered').first().waitFor()
      expect((await server.app.connections.list(accountId)).map(({ id }) => id)).toEqual(['sandbox', 'tg'])
      // The browser names the answer to the form with the fault.
      expect(complaints.filter((one) => !one.includes('status of 400'))).toEqual([])
    },
  )

  it('asks before it removes a channel', async () => {
    const { page, accountId } = await open()
    await page.goto('/channels')
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByText('Remove sandbox').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Removed sandbox').waitFor()
    expect(await simulation.server.app.connections.list(accountId)).toEqual([])
  })
})
