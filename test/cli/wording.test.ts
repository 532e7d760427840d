/** What an operator does with the words of codes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jsonOf, type Result, refusalOf, run } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createDatabase()
  folder = await mkdtemp(join(tmpdir(), 'watchword-wording-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await database.drop()
})

const cli = (...args: string[]): Promise<Result> => run({ DATABASE_URL: database.settings.url }, ['wording', ...args])

async function apply(text: string, ...options: string[]): Promise<Result> {
  const file = join(folder, `${crypto.randomUUID()}.yaml`)
  await writeFile(file, text)
  return cli('apply', file, ...options)
}

const file = `
default: de
domain: acme.com
en: "{{code}} is your {{brand}} code."
de: "Hallo! {{code}} ist dein {{brand}}-Code."
ru: "{{code}} — код {{brand}}."
`

it('a file of words is applied, listed with the SMS that each takes, and shown as it is sent', async () => {
  expect(await apply(file)).toMatchObject({ stdout: 'Applied en, de, ru.\n', exitCode: 0 })
  expect(jsonOf(await cli('list', '--json'))).toEqual({
    default: 'de',
    domain: 'acme.com',
    texts: [
      { language: 'de', text: 'Hallo! {{code}} ist dein {{brand}}-Code.', encoding: 'gsm7', segments: 1 },
      { language: 'en', text: '{{code}} is your {{brand}} code.', encoding: 'gsm7', segments: 1 },
      { language: 'ru', text: '{{code}} — код {{brand}}.', encoding: 'ucs2', segments: 1 },
    ],
  })
  const { stdout } = await cli('list')
  expect(stdout).toContain('default: de, domain: acme.com')
  expect(stdout).toMatch(/ru +\{\{code\}\} — код \{\{brand\}\}\. +1 +UCS-2/)
  expect((await cli('show')).stdout).toBe('Hallo! 482913 ist dein Acme-Code.\n@acme.com #482913\n')
  expect((await cli('show', 'fr')).stdout).toContain('482913 est votre code Acme.')
  expect(jsonOf(await cli('show', 'en', '--json'))).toEqual({ text: '482913 is your Acme code.\n@acme.com #482913' })
})

it('an empty list brings back the texts that ship', async () => {
  await apply(file)
  expect((await apply('{}')).stdout).toBe('Applied no language: the texts that ship are sent.\n')
  expect((await cli('show')).stdout).toBe('Your Acme code is 482913\n')
})

it('a file with faults is refused with a line for each of them, and changes nothing', async () => {
  await apply(file)
  const wrong = 'de: "Hallo"\ndefault: []\nfr: "{{code}} acme.com"\nit: 7\ndomain: https://acme.com'
  expect(
    refusalOf(await apply(wrong))
      .replaceAll(/\S+\.yaml:/g, '')
      .split('\n'),
  ).toEqual([
    '1: de: must have {{code}} once, and has it not at all',
    '2: default: is no language as BCP 47 writes it, like de or pt-BR',
    '3: fr: must have no link: people learn to trust links in such messages',
    '4: it: must be a text',
    '5: domain: must be a host like acme.com, and nothing else',
  ])
  expect(refusalOf(await apply('- de'))).toContain('must be a text for each language')
  expect(refusalOf(await apply(file, '--account', 'nobody'))).toContain('nobody')
  expect((await cli('show')).stdout).toContain('Hallo! 482913')
})
