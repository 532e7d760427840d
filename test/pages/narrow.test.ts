/** Every page of the dashboard on phones, tablets and desks: everything on it can be read, however long its names are. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/http/dashboard/pages/index.ts'
import { enter, hasBrowser, openWindow, unlessBrowser, type Window } from '../support/browser.ts'
import { type Furnished, furnish, longName } from '../support/furnished.ts'
import { cutOff } from '../support/goodPage.ts'
import { signIn } from '../support/visitor.ts'

const shown = routes.filter(({ method }) => method === 'GET')
const widths = [320, 360, 390, 768, 1280]

describe.skipIf(!hasBrowser)(`in a browser${unlessBrowser}`, () => {
  let furnished: Furnished
  let stranger: Window
  let owner: Window
  beforeAll(async () => {
    furnished = await furnish(longName)
    const { dashboardUrl } = furnished.server
    await lengthen(furnished)
    stranger = await openWindow({ baseURL: dashboardUrl })
    owner = await openWindow({ baseURL: dashboardUrl })
    await enter(owner, dashboardUrl, (await signIn(furnished.server, 'owner', { name: longName })).cookie)
  })
  afterAll(async () => {
    await Promise.all([stranger, owner].map((window) => window?.close()))
    await furnished?.close()
  })

  it.each(shown)('$path has no broken word and nothing that is cut off, from 320 pixels on', async ({ path, role }) => {
    const { page } = role === 'anyone' ? stranger : owner
    await page.goto(furnished.pathOf(path))
    for (const details of await page.locator('details').all())
      await details.evaluate((one) => one.setAttribute('open', ''))
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 })
      expect([width, ...(await cutOff(page))]).toEqual([width])
    }
  })
})

/** What nobody names: addresses of callers, and the URL of an endpoint. */
async function lengthen({ server: { query } }: Furnished): Promise<void> {
  const address = '2001:db8:85a3:8d3::/64'
  await query(sql`update audit set address = ${address}, user_id = 'usr_1', name = ${longName}`)
  await query(sql`update api_key set last_used_from = ${address}, last_used_at = created_at`)
  await query(sql`update endpoint set url = 'https://hooks.' || ${'very-long-'.repeat(5)} || 'name.example.com/in/'
    || ${'0123456789abcdef'.repeat(8)} where id = (select max(id) from endpoint)`)
}
