/** Lists with several mistakes, as they are made on a long day: all are told at once, each with its line and in plain words. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
  await writeFile(
    join(site.folder, 'acme.yaml'),
    'title: Acme\nsettings: {}\nrequest: { url: ftp://acme.com, metod: POST }\n',
  )
})
afterAll(() => site?.close())

const list = (...lines: string[]) => `${lines.join('\n')}\n`

it.each<[words: string, text: string, told: (string | RegExp)[]]>([
  [
    'templates apply',
    list(
      '- slug: Order Shipped',
      '  text: ""',
      '- slug: hi',
      '  text: 5',
      '  whatsapp: { name: "" }',
      '- slug: hi',
      '  text: "Hello {{NAME}}"',
      '- hello',
      '- { text: Hi, colour: red }',
    ),
    [
      /^1: entry 1, slug: is no slug: 1 to \d+ lower-case letters, digits, - and _$/,
      '2: entry 1, text: it has no text',
      '4: entry 2, text: must be a text, in quotes if it is a number',
      /^5: entry 2, whatsapp.name: must be the name of a WhatsApp template/,
      '5: entry 2, whatsapp.language: is missing',
      '6: entry 3, slug: is there twice',
      /^7: entry 3, text: "\{\{NAME\}\}" is no variable/,
      '8: entry 4: must be a mapping with slug and text',
      '9: entry 5, slug: is missing',
      '9: entry 5, colour: is not known: a template has no such field',
    ],
  ],
  [
    'wording apply',
    list('default: en, US', 'de: Hallo', 'fr: [1]', 'german: "{{code}}"'),
    [
      '1: default: is no language as BCP 47 writes it, like de or pt-BR',
      '2: de: must have {{code}} once, and has it not at all',
      '3: fr: must be a text',
      '4: german: is no language as BCP 47 writes it, like de or pt-BR',
    ],
  ],
  [
    'channels apply',
    list(
      '- id: tg',
      '  kind: telegram',
      '- id: Tg 2',
      '  kind: whatsup',
      '- id: tg',
      '  kind: sms',
      '  provider: ./gone.yaml',
      '- { id: acme, kind: sms, provider: ./acme.yaml }',
      '- { id: own, kind: http, url: "http://127.0.0.1:1", secret: short }',
    ),
    [
      /^\.\/acme\.yaml:3: request\.url: must /,
      /^1: entry 1, access_token: is missing$/,
      /^3: entry 2, id: must be 1 to 32 lower-case letters/,
      /^4: entry 2, kind: must be one of /,
      '5: entry 3, id: is there twice',
      /^7: entry 3, provider: Cannot read \S+gone\.yaml: there is no such file or folder$/,
      /^9: entry 5, /,
    ],
  ],
  [
    'inlets apply',
    list(
      '- id: one',
      '  kind: supabase',
      '  mode: prod',
      '  secret: 7',
      '- id: one',
      '  kind: plain',
      '  mode: live',
      '  secret: short',
      '- { id: two, kind: plain, mode: prod, secret: short, brand_name: Acme™, settings: { fone: /a } }',
    ),
    [
      '3: entry 1, mode: must be live or test',
      '4: entry 1, secret: must be a text, or a list of two while it is replaced',
      '5: entry 2, id: is there twice',
      '8: entry 2, secret: must have 16 to 500 characters',
      '9: entry 3, mode: must be live or test',
      /^9: entry 3, brand_name: must be 1 to 30 letters, digits, spaces/,
      '9: entry 3, secret: must have 16 to 500 characters',
      '9: entry 3, settings.fone: is not known to plain',
    ],
  ],
  [
    'protection apply',
    list(
      'rules:',
      '  - id: a',
      '    by: moon',
      '    do: record',
      '  - id: a',
      '    by: country',
      '    allow: [DE]',
      '    do: stop',
      'budgets:',
      '  - { id: b, messages: 0 }',
    ),
    [
      /^3: rules, entry 1, by: must be one of country, /,
      '5: rules, entry 2, id: is there twice',
      '8: rules, entry 2, do: must be record, challenge or block',
      '10: budgets, entry 1, messages: must be at least 1',
    ],
  ],
])('%s names every mistake with its line', async (words, text, told) => {
  const { exitCode, stderr } = await site.apply(words.split(' '), 'list.yaml', text)
  const faults = stderr
    .trim()
    .replace(/^watchword: /, '')
    .replaceAll(`${join(site.folder, 'list.yaml')}:`, '')
    .split('\n')
  for (const one of told) {
    const isSaid = (fault: string) => (typeof one === 'string' ? fault === one : one.test(fault))
    expect(faults, String(one)).toContainEqual(expect.toSatisfy(isSaid))
  }
  expect(exitCode).toBe(1)
})
