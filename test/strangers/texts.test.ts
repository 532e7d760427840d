/** Texts as people paste them: with characters that cannot be seen, and make a text cost twice as many SMS. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const long = 'Your parcel waits at the counter of the post office in the main street, and is kept there for ten days.'
const half = 'sent as UCS-2 with it, 2 SMS, and as GSM-7 without, 1 SMS'

describe.each<[string, string, string | undefined]>([
  ['a narrow space', `Open 9\u202fto 5.\n${long}`, `U+202F NARROW NO-BREAK SPACE (line 1, character 7): ${half}`],
  ['a space behind the first line', `Hello\n${long}\u00a0!`, `U+00A0 NO-BREAK SPACE (line 2, character 104): ${half}`],
  ['a curly apostrophe', `It’s here. ${long}`, `U+2019 RIGHT SINGLE QUOTATION MARK (line 1, character 3): ${half}`],
  ['a mark of direction', `${long}\u200e`, `U+200E LEFT-TO-RIGHT MARK (line 1, character 104): ${half}`],
  [
    'one that is within Cyrillic',
    'Заказ\u200b готов',
    'U+200B ZERO WIDTH SPACE (line 1, character 6), which cannot be seen',
  ],
  ['no such character', long, undefined],
  ['letters of a language', 'Siparişiniz yola çıktı – iyi günler', undefined],
])('a text with %s', (_what, text, words) => {
  const wanted = words === undefined ? '' : expect.stringContaining(`parcel has ${words}`)

  it('is told so where it is applied and listed', async () => {
    const applied = await site.apply(
      ['templates', 'apply'],
      'templates.yaml',
      JSON.stringify([{ slug: 'parcel', text }]),
    )
    expect(applied).toMatchObject({ exitCode: 0, stdout: 'Applied parcel.\n', stderr: wanted })
    expect(await site.cli('templates', 'list')).toMatchObject({ stderr: wanted })
  })

  it('is told so in the dashboard, in the list and beside the text', async () => {
    const owner = await site.owner()
    for (const page of ['/templates', '/templates/parcel']) {
      const { text: shown } = await owner.get(page)
      if (words === undefined) expect(shown).not.toMatch(/U\+[0-9A-F]{4}/)
      else expect(shown).toContain(words)
    }
  })
})

it('templates are listed with the characters and SMS that they take at least', async () => {
  const text = 'Hello {{name}}'
  await site.apply(['templates', 'apply'], 'templates.yaml', JSON.stringify([{ slug: 'hi', text }]))
  const { stdout } = await site.cli('templates', 'list', '--json')
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({ slug: 'hi', text, characters: 6, encoding: 'gsm7', segments: 1 }),
  )
  expect((await site.cli('templates', 'list')).stdout).toMatch(/hi +Hello \{\{name\}\} +6 +1 +GSM-7/)
})

it('the words of codes are told so too', async () => {
  const wording = JSON.stringify({ en: '{{code}}\u202fis your {{brand}} code.' })
  const applied = await site.apply(['wording', 'apply'], 'wording.yaml', wording)
  expect(applied.stderr).toContain('en has U+202F NARROW NO-BREAK SPACE (line 1, character 9)')
  expect((await site.cli('wording', 'list')).stderr).toContain('U+202F')
})

it('a brand has a plain apostrophe for a curly one, and no character that is overlooked', async () => {
  expect(await site.cli('accounts', 'brand', 'Bob’s')).toMatchObject({
    stdout: expect.stringContaining("brand Bob's,"),
  })
  expect(await site.cli('accounts', 'brand', 'Acme\u202fEU')).toMatchObject({ exitCode: 1 })
})
