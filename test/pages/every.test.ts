/** Every page of the dashboard, as each role sees it, in light and dark, wide and narrow. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { HtmlValidate } from 'html-validate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Role, roles } from '../../src/domain/actor.ts'
import { routes } from '../../src/http/dashboard/pages/index.ts'
import { enter, hasBrowser, openWindow, unlessBrowser, type Window } from '../support/browser.ts'
import { type Furnished, furnish } from '../support/furnished.ts'
import { signIn, visitorWith } from '../support/visitor.ts'

const shown = routes.filter(({ method }) => method === 'GET')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // Written as templates are: these are about taste.
    'no-trailing-whitespace': 'off',
    'attribute-boolean-style': 'off',
    'void-style': 'off',
    'long-title': 'off',
    'no-implicit-button-type': 'off',
    'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit'] }],
  },
})

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
      const { results } = await validator.validateString(text)
      const faults = results.flatMap(({ messages }) => messages)
      expect(faults.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`)).toEqual([])
      expect(text).not.toContain('<img src=x')
      // In tags alone, and not in what they quote: a text may say what it likes.
      const tags = text.replaceAll(/"[^"]*"/g, '""').match(/<[a-z][^>]*>/g) ?? []
      expect(tags.filter((tag) => / (style|on\w+)=/.test(tag))).toEqual([])
    }
  })
})

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 390].map((width) => ({ colorScheme, width, height: 844 })),
)

describe.skipIf(!hasBrowser)(`in a browser${unlessBrowser}`, () => {
  const look = async ({ page, complaints, asked }: Window, path: string) => {
    await page.goto(furnished.pathOf(path))
    await page.evaluate(axe)
    const { violations } = await page.evaluate(() =>
      (globalThis as never as { axe: { run: () => Promise<Found> } }).axe.run(),
    )
    const faults = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
    expect(faults).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
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
      for (const { path } of shown.filter(({ role }) => role === 'anyone')) await look(window, path)
      await enter(window, dashboardUrl, owner.cookie)
      for (const { path } of shown.filter(({ role }) => role !== 'anyone')) await look(window, path)
      await window.close()
    },
  )
})

interface Found {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
}
