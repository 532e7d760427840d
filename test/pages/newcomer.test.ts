/** Who has nothing but a link comes all the way: in a browser, with a program of their own beside it. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkOf } from '../../src/domain/people/invitation.ts'
import { hasBrowser, openWindow, unlessBrowser, type Window } from '../support/browser.ts'
import { type EventReceiver, startEventReceiver } from '../support/eventReceiver.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const password = 'correct horse battery staple'

describe.skipIf(!hasBrowser)(`in a browser${unlessBrowser}`, () => {
  let server: TestServer
  let receiver: EventReceiver
  const windows: Window[] = []
  beforeAll(async () => {
    server = await startServer({ config: { dashboardPort: 0 } })
    receiver = await startEventReceiver()
  })
  afterAll(async () => {
    await Promise.all(windows.map(({ close }) => close()))
    await receiver?.close()
    await server?.close()
  })

  /** A window, and the invitation to an account that was made a moment ago. */
  const invite = async (account: string, options: Parameters<typeof openWindow>[0] = {}) => {
    const window = await openWindow({ baseURL: server.dashboardUrl, ...options })
    windows.push(window)
    const { id: accountId } = await server.app.accounts.create(account)
    const { token } = await server.app.invitations.make({ accountId, role: 'owner', email: null })
    return { ...window, token, ...stepsIn(window) }
  }

  /** A code, on the sandbox phone, on its own page and in the list. @returns its id */
  const sendAndSee = async (page: Page, key: string, command: string) => {
    await page.getByRole('link', { name: 'Sandbox phone' }).click()
    await page.getByText('Nothing has arrived yet').waitFor()
    const sent = await runCurl(command)
    expect(sent).toMatchObject({ success: true, data: { status: 'sent' } })
    const id = sent.data.request_id ?? ''
    await server.work()
    await page.locator('.arrival', { hasText: '000000' }).waitFor()
    await page.locator('.arrival').getByRole('link', { name: 'Details' }).click()
    await page.waitForURL(`**/messages/${id}`)
    await page.getByText('taken by sandbox').waitFor()
    await page.locator('.facts .status.delivered').first().waitFor()
    // The page tells by itself what comes of it.
    await server.as(key).check(id, '000000')
    await page.locator('.timeline .status.delivered', { hasText: 'verified' }).waitFor()
    await page.getByRole('link', { name: 'Messages', exact: true }).first().click()
    await page.locator(`tbody a[href="/messages/${id}"]`).first().waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('3 of 6 done').waitFor()
    return id
  }

  /** An endpoint that is told of the next code, and the delivery with its answer. */
  const addWebhookAndSee = async (page: Page, key: string) => {
    await page.getByRole('link', { name: 'Add a webhook' }).click()
    await page.getByLabel('URL').fill(receiver.url)
    await page.getByRole('button', { name: 'Add the endpoint' }).click()
    const secret = await page.getByLabel('The secret').innerText()
    // Other processes hear of an endpoint within five seconds; so does this one.
    await server.advance(5)
    const told = await server.as(key).send(newPhone())
    await server.work()
    await expect
      .poll(() => receiver.events())
      .toContainEqual(
        expect.objectContaining({ type: 'message.delivered', data: expect.objectContaining({ request_id: told }) }),
      )
    expect(receiver.faults(secret)).toEqual([])
    await page.getByRole('link', { name: 'Go to the endpoint' }).click()
    await page.getByRole('link', { name: 'message.delivered' }).click()
    await page.locator('.facts .status.delivered').waitFor()
    await page.locator('.stops').getByText('204').waitFor()
    await page.getByRole('link', { name: told }).waitFor()
  }

  it('a newcomer gets from the invitation to a delivered code, a told webhook and a revoked key', async () => {
    const { page, complaints, asked, token, join, makeKey } = await invite('Acme')
    await page.goto(linkOf(server.dashboardUrl, token))
    await page.getByText('to the account Acme, as an owner').waitFor()
    // It is in no address that a server or the history keeps.
    expect([page.url(), ...asked.map((url) => url.split('#', 1)[0])].filter((url) => url?.includes(token))).toEqual([])
    await join('ada@example.com')
    await page.getByText('0 of 6 done').waitFor()

    await page.locator('.steps').getByRole('link', { name: 'Create a key' }).click()
    const { key, command } = await makeKey('shop')
    await page.getByRole('link', { name: 'I have copied it' }).click()
    await page.getByRole('cell', { name: 'shop' }).waitFor()
    expect(await page.content()).not.toContain(key)

    const id = await sendAndSee(page, key, command)
    await addWebhookAndSee(page, key)

    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByText('Revoke shop: ').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoked shop.').waitFor()
    expect((await runCurl(command)).data).toMatchObject({ code: 'revoked_api_key' })
    expect((await server.as(key).get(`/v1/messages/${id}`)).status).toBe(401)
    expect(complaints).toEqual([])
  })

  it('a person without scripts joins, signs in, makes a key, finds a message and revokes the key', async () => {
    const { page, token, join, makeKey } = await invite('Plain', { javaScriptEnabled: false })
    const email = 'grace@example.com'
    await page.goto(linkOf(server.dashboardUrl, token))
    await page.getByLabel('Code of the link').fill(token)
    await page.getByRole('button', { name: 'Go on' }).click()
    await join(email)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.goto('/keys/new')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/keys/new')

    const { key } = await makeKey('plain')
    const phone = newPhone()
    const id = await server.as(key).send(phone)
    await server.as(key).send(newPhone())
    await page.getByRole('link', { name: 'Messages', exact: true }).click()
    await page.getByLabel('Phone or message id').fill(phone)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL('**/messages?**')
    expect(await page.locator('tbody tr').count()).toBe(1)
    await page.locator('tbody a').first().click()
    await page.waitForURL(`**/messages/${id}`)

    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoke plain: ').waitFor()
    await page.getByRole('button', { name: 'Yes, go on' }).click()
    await page.getByText('Revoked plain.').waitFor()
    expect((await server.as(key).get(`/v1/messages/${id}`)).status).toBe(401)
  })
})

/** What is done in the same way with and without scripts. */
function stepsIn({ page }: Window) {
  return {
    join: async (email: string) => {
      await page.getByLabel('Your name').fill('Ada Lovelace')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Join' }).click()
      await page.getByRole('heading', { name: 'First steps' }).waitFor()
    },
    makeKey: async (name: string) => {
      await page.getByLabel('Name').fill(name)
      await page.getByRole('button', { name: 'Create the key' }).click()
      const key = await page.getByLabel('The key').innerText()
      const command = await page.getByLabel('The command').innerText()
      expect(command).toContain(key)
      return { key, command }
    },
  }
}

/** Asks what the command asks. */
async function runCurl(command: string) {
  const [, url = ''] = /curl (\S+)/.exec(command) ?? []
  const headers = Array.from(command.matchAll(/-H '([^']+)'/g), ([, header = '']) => header.split(': ', 2))
  const [, body = ''] = /-d '([^']+)'/.exec(command) ?? []
  const answer = await fetch(url, { method: 'POST', headers: headers as [string, string][], body })
  return (await answer.json()) as { success: boolean; data: { request_id?: string; code?: string } }
}
