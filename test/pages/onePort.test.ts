/** The dashboard under a path, as people use it in a browser: on the one port of a platform, and behind a proxy. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { linkOf } from '../../src/domain/people/invitation.ts'
import { hasBrowser, openWindow, unlessBrowser } from '../support/browser.ts'
import { hasNginx, startNginx, unlessNginx } from '../support/nginx.ts'
import { startOnOnePort } from '../support/onePort.ts'
import { freePort } from '../support/port.ts'
import { startServer, type TestServer } from '../support/server.ts'

const password = 'correct horse battery staple'

/** From the invitation to the end of a session. @param url of the dashboard, without a slash at the end */
async function signInAndOut(server: TestServer, url: string): Promise<void> {
  const { page, asked, complaints, close } = await openWindow()
  onTestFinished(close)
  const { token } = await server.app.invitations.make({ accountId: 'acct_default', role: 'owner', email: null })
  const email = `${server.runtime.newId()}@example.com`.toLowerCase()
  await page.goto(linkOf(url, token))
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.locator('main button').click()
  await page.waitForURL(`${url}/`)

  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await page.getByRole('link', { name: 'Create a key' }).first().click()
  await page.getByLabel('Name').fill('shop')
  await page.getByRole('button', { name: 'Create the key' }).click()
  await page.getByText('I have copied it').click()
  await page.waitForURL(`${url}/keys`)
  await page.getByText('shop').first().waitFor()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${url}/sign-in`)
  expect(await page.context().cookies(`${url}/`)).not.toContainEqual(
    expect.objectContaining({ name: 'watchword_session' }),
  )
  await page.goto(`${url}/keys`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.locator('main button').click()
  await page.waitForURL(`${url}/keys`)
  // Requests for other paths of the host have none of its cookies.
  expect(await page.context().cookies(new URL('/', url).href)).toEqual([])
  expect(asked.filter((address) => !address.startsWith(`${url}/`))).toEqual([])
  expect(complaints).toEqual([])
}

describe.skipIf(!hasBrowser)(`in a browser${unlessBrowser}`, () => {
  it('people sign in, make a key and sign out, on the one port of a platform', async () => {
    const server = await startOnOnePort()
    onTestFinished(() => server.close())
    await signInAndOut(server, `${server.directUrl}/dashboard`)
  })

  describe.skipIf(!hasNginx)(`behind nginx${unlessNginx}`, () => {
    let [port, url] = [0, '']
    beforeAll(async () => {
      port = await freePort()
      url = `http://127.0.0.1:${port}`
    })

    it('people do the same where the proxy keeps the path', async () => {
      const dashboardUrl = `${url}/team/watchword`
      const server = await startServer({ config: { dashboardPort: 0, dashboardUrl } })
      onTestFinished(() => server.close())
      const nginx = await startNginx(port, `location /team/watchword/ { proxy_pass ${server.dashboardUrl}; }`)
      onTestFinished(nginx.close)
      await signInAndOut(server, dashboardUrl)
    })

    it('people do the same where the proxy takes the path of the public address off', async () => {
      const server = await startOnOnePort({ PUBLIC_URL: `${url}/watchword` })
      onTestFinished(() => server.close())
      const nginx = await startNginx(port, `location /watchword/ { proxy_pass ${server.directUrl}/; }`)
      onTestFinished(nginx.close)
      expect((await fetch(`${url}/watchword/readyz`)).status).toBe(200)
      await signInAndOut(server, `${url}/watchword/dashboard`)
    })
  })
})
