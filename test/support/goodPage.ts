/** What every page that people see must be, whoever serves it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { HtmlValidate } from 'html-validate'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** One function, as text: it runs in the page. */
const findCutOff = readFileSync(new URL('cutOff.js', import.meta.url), 'utf8').replace('export ', '')
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // Written as templates are: these are about taste.
    'no-trailing-whitespace': 'off',
    'attribute-boolean-style': 'off',
    'void-style': 'off',
    'long-title': 'off',
    'no-implicit-button-type': 'off',
    // An event is called by its type, which has a dot.
    'valid-id': ['error', { relaxed: true }],
    'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit'] }],
  },
})

/** Light and dark, wide and narrow. */
export const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 390].map((width) => ({ colorScheme, width, height: 844 })),
)

/** What is wrong with a page's HTML, a line each. */
export async function htmlFaults(text: string): Promise<string[]> {
  const { results } = await validator.validateString(text)
  const faults = results.flatMap(({ messages }) => messages)
  return faults.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`)
}

/** What dark colours can change of what is found in light ones. */
const ofColours = ['color-contrast', 'link-in-text-block']

/**
 * Why somebody could not read or use the page that is shown, a line each.
 *
 * @param colorScheme with `dark`, what does not depend on colours is not looked for: a page is shown in light, too
 */
export async function accessFaults(page: Page, colorScheme: 'light' | 'dark' = 'light'): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(
    (options) => (globalThis as never as { axe: { run: (options: object) => Promise<Found> } }).axe.run(options),
    colorScheme === 'dark' ? { runOnly: ofColours } : {},
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

interface Found {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
}

/** Pixels by which the page that is shown is wider than its window. */
export async function tooWide(page: Page): Promise<number> {
  return await page.evaluate('document.documentElement.scrollWidth - innerWidth')
}

/** Characters that a word of ours has at most: longer ones are names and addresses of others, which may break anywhere. */
const wordMax = 20

/**
 * What cannot be read whole on the page that is shown, a line each: text beyond the window or beyond what it is in, words
 * that are broken into letters, and whatever has to be scrolled sideways.
 */
export async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(`(${findCutOff})(${wordMax})`)
}
