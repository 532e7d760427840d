/** What the script of the pages keeps from going wrong, in a browser. */
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

  const open = async (account = 'default') => {
    const window = await openWindow({ baseURL: server.dashboardUrl })
    windows.push(window)
    await enter(window, server.dashboardUrl, (await signIn(server, 'owner', { account })).cookie)
    return window
  }

  it('a form that is clicked twice is sent once, and again by who comes back to it', async () => {
    const { page, complaints } = await open()
    let posts = 0
    const { promise: clicked, resolve: wasClicked } = Promise.withResolvers<void>()
    await page.route('**/keys', async (route) => {
      if (route.request().method() === 'POST') posts += 1
      await clicked
      await route.continue()
    })
    await page.goto('/keys/new')
    await page.getByLabel('Name').fill('twice')
    const button = page.getByRole('button', { name: 'Create the key' })
    await button.scrollIntoViewIfNeeded()
    const { x, y } = (await button.boundingBox())!
    // By the mouse: what asks for the button waits until the page is there that it leads to.
    await page.mouse.click(x + 5, y + 5)
    await expect.poll(() => posts).toBe(1)
    await page.mouse.click(x + 5, y + 5)
    wasClicked()
    await page.getByText('Copy it now').waitFor()
    expect(posts).toBe(1)
    await page.goBack()
    await page.getByLabel('Name').fill('again')
    await button.click()
    await page.getByText('Copy it now').waitFor()
    const names = (await server.app.apiKeys.list()).map(({ name }) => name)
    expect(names.filter((name) => name === 'twice' || name === 'again').toSorted()).toEqual(['again', 'twice'])
    expect(complaints).toEqual([])
  })

  it('the first steps leave the page that somebody looks at when they are over', async () => {
    await server.app.accounts.create('flowing')
    const { page, complaints } = await open('flowing')
    await page.goto('/')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await server.as(await server.key({ account: 'flowing', mode: 'live' })).send(newPhone())
    await server.app.countingLoop.runOnce()
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })
})
