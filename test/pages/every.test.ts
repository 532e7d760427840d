/** Every page of the dashboard, as each role sees it, in light and dark, wide and narrow. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Role, roles } from '../../src/domain/access/actor.ts'
import { routes } from '../../src/http/dashboard/pages/index.ts'
import { enter, hasBrowser, openWindow, unlessBrowser, type Window } from '../support/browser.ts'
import { type Furnished, furnish } from '../support/furnished.ts'
import { accessFaults, htmlFaults, looks, tooWide } from '../support/goodPage.ts'
import { signIn, visitorWith } from '../support/visitor.ts'

const shown = routes.filter(({ method }) => method === 'GET')
let furnished: Furnished
beforeAll(async () => {
  furnished = await furnish()
})
afterAll(() => furnished?.close())

/** What a role sees there: the page itself, or a refusal that is a page too. */
async function seen(role: Role | 'anyone', path: string) {
  const { server } = furnished
  const visitor = role === 'anyone' ? visitorWith(server, '') : await signIn(server, role)
  return visitor.get(path)
}

describe.each(shown)('$path', ({ path, role }) => {
  it('is good HTML that holds no text of others as HTML, for each role', async () => {
    const place = furnished.pathOf(path)
    for (const visitor of role === 'anyone' ? (['anyone'] as const) : roles) {
      const { status, text } = await seen(visitor, place)
      const mayEnter = visitor === 'anyone' || role === 'anyone' || roles.indexOf(visitor) >= roles.indexOf(role)
      expect([visitor, status]).toEqual([visitor, mayEnter ? 200 : 403])
      expect(await htmlFaults(text)).toEqual([])
      expect(text).not.toContain('<img src=x')
      // In tags alone, and not in what they quote: a text may say what it likes.
      const tags = text.replaceAll(/"[^"]*"/g, '""').match(/<[a-z][^>]*>/g) ?? []
      expect(tags.filter((tag) => / (style|on\w+)=/.test(tag))).toEqual([])
    }
  })
})

describe.skipIf(!hasBrowser)(`in a browser${unlessBrowser}`, () => {
  const look = async ({ page, complaints, asked }: Window, path: string, colorScheme: 'light' | 'dark') => {
    await page.goto(furnished.pathOf(path))
    expect(await accessFaults(page, colorScheme)).toEqual([])
    expect(await tooWide(page)).toBeLessThanOrEqual(0)
    expect(complaints).toEqual([])
    expect(asked.filter((url) => !url.startsWith(`${furnished.server.dashboardUrl}/`))).toEqual([])
  }

  it.each(looks)(
    'all can be read and used by everybody, $colorScheme and $width wide',
    async ({ colorScheme, ...viewport }) => {
      const { dashboardUrl } = furnished.server
      const window = await openWindow({
        baseURL: dashboardUrl,
        colorScheme,
        viewport: { width: viewport.width, height: viewport.height },
      })
      const owner = await signIn(furnished.server, 'owner')
      for (const { path } of shown.filter(({ role }) => role === 'anyone')) await look(window, path, colorScheme)
      await enter(window, dashboardUrl, owner.cookie)
      for (const { path } of shown.filter(({ role }) => role !== 'anyone')) await look(window, path, colorScheme)
      await window.close()
    },
  )
})
