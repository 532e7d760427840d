/** What the dashboard says to people who fill in a form wrongly: no regular expression, and nothing in the words of a library. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../../src/http/dashboard/pages/index.ts'
import { foreignWords } from '../../support/foreignWords.ts'
import { type Furnished, furnish } from '../../support/furnished.ts'
import { type Fields, signIn, type Visitor } from '../../support/visitor.ts'

let furnished: Furnished
let owner: Visitor
beforeAll(async () => {
  furnished = await furnish('Ada')
  owner = await signIn(furnished.server, 'owner')
})
afterAll(() => furnished?.close())

const pages = routes.filter(({ method, role }) => method === 'GET' && role !== 'anyone')
const wrongs = ['', 'x'.repeat(5000), 'No such value!', '-1', '1e999', '{{', 'a: [b']

interface Form {
  action: string
  fields: Fields
}

/** The forms of a page that change something, with what stands in their fields. */
function parseForms(page: string): Form[] {
  const all = Array.from(page.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs), ([, head = '', body = '']) => ({
    head,
    body,
  }))
  return all
    .filter(({ head }) => attribute(head, 'method') === 'post')
    .map(({ head, body }) => ({ action: attribute(head, 'action') ?? '', fields: parseFields(body) }))
}

function parseFields(form: string): Fields {
  const inputs = Array.from(form.matchAll(/<(?:input|button)\b([^>]*)/g), ([, tag = '']) => [
    tag,
    attribute(tag, 'value'),
  ])
  const areas = Array.from(form.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs), ([, tag = '', text]) => [tag, text])
  const choices = Array.from(form.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs), ([, tag = '', options = '']) => [
    tag,
    attribute(/<option\b[^>]* selected[^>]*>/.exec(options)?.[0] ?? options, 'value'),
  ])
  const named = [...inputs, ...areas, ...choices].map(([tag = '', value = '']) => [attribute(tag, 'name') ?? '', value])
  return Object.fromEntries(named.filter(([name]) => name))
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
}

/** What a page shows, without what was written into its fields. */
function shownOf(page: string): string {
  return page.replaceAll(/<(script|style|textarea|pre|code)\b.*?<\/\1>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' ')
}

it('says each fault of each field of each form in its own words', async () => {
  const forms = new Map<string, Form & { page: string }>()
  for (const { path } of pages) {
    const page = furnished.pathOf(path)
    for (const form of parseForms((await owner.get(page)).text)) {
      const action = new URL(form.action, `http://here${page}`)
      const place = action.pathname
      if (place.endsWith('/sign-out') || place.endsWith('/remove')) continue
      forms.set(`${place} ${Object.keys(form.fields)}`, { ...form, action: place, page })
    }
  }
  expect(forms.size).toBeGreaterThan(20)
  const found = new Set<string>()
  let refusals = 0
  for (const { action, fields } of forms.values()) {
    for (const name of Object.keys(fields)) {
      for (const wrong of wrongs) {
        const who = await signIn(furnished.server, 'owner')
        const { status, text } = await who.post(action, { ...fields, [name]: wrong })
        expect([action, name, wrong.slice(0, 9), status < 500]).toEqual([action, name, wrong.slice(0, 9), true])
        if (status < 400) continue
        refusals += 1
        for (const words of foreignWords(shownOf(text))) found.add(`${action} ${name}: ${words.slice(0, 300)}`)
      }
    }
  }
  expect(refusals).toBeGreaterThan(100)
  expect([...found]).toEqual([])
}, 120_000)
