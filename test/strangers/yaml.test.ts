/** YAML as people write it who do not know its corners: each is understood as it was meant, or refused in one sentence with its line. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const secret = 'the-secret-of-this-inlet'
/** Files with nothing wrong in them, with two lines of one entry. */
const doors: Readonly<Record<string, string>> = {
  'templates apply': '- slug: hi\n  text: Hello\n',
  'wording apply': 'default: de\nde: "{{code}} ist Ihr Code."\n',
  'channels apply': '- id: sandbox\n  kind: sandbox\n',
  'inlets check': `- id: own\n  kind: plain\n  mode: test\n  secret: ${secret}\n`,
  'protection check': '- id: c\n  by: country\n  allow: [DE]\n  do: record\n',
}

/** What is made of such a file, and what is said of it. */
const traps: readonly [name: string, change: (good: string) => string, told: RegExp][] = [
  ['a line indented with a tab', (good) => good.replace('\n', '\n\t'), /a line is indented with a tab: use spaces/],
  [
    'a line indented as a page in the web has it',
    (good) => good.replace('\n', '\n \u00a0'),
    /a line is indented with blanks that are no spaces: use spaces/,
  ],
  ['a name twice', (good) => good + good.split('\n')[1], /is there twice/],
  ['a second document', (good) => `${good}---\n${good}`, /there is more than one document: leave out the line ---/],
  [
    'an older YAML',
    (good) => `%YAML 1.1\n---\n${good}`,
    /a line %YAML names another version than 1\.2: leave the line/,
  ],
  ['nothing but comments', (good) => good.replace(/^/gm, '# '), /:1: the file contains only comments$/],
  ['nothing', () => '', /:1: the file is empty$/],
  [
    'ten megabytes',
    (good) => good + `# ${'x'.repeat(1000)}\n`.repeat(10_000),
    /:1: the file is longer than (8 MB|64 KB)$/,
  ],
]

describe.each(Object.entries(doors))('%s', (words, good) => {
  const apply = (name: string, content: string) => site.apply(words.split(' '), name, content)

  it.each(traps)('refuses %s in one sentence', async (_name, change, told) => {
    const { exitCode, stderr } = await apply('trap.yaml', change(good))
    expect([exitCode, stderr.trimEnd()]).toEqual([1, expect.stringMatching(told)])
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).toMatch(/trap\.yaml:\d+: |\(line \d+, column \d+\)|%YAML/)
  })

  it('refuses a folder in place of a file', async () => {
    mkdirSync(join(site.folder, 'folder.yaml'), { recursive: true })
    const { exitCode, stderr } = await site.cli(...words.split(' '), join(site.folder, 'folder.yaml'))
    expect([exitCode, stderr.trimEnd()]).toEqual([1, expect.stringMatching(/Cannot read .*: it is a folder\.$/)])
  })

  it('reads the beginning and the end that YAML has for documents', async () => {
    expect(await apply('good.yaml', `# ours\n---\n${good}...\n`)).toMatchObject({ exitCode: 0, stderr: '' })
  })
})

it('a pipe without a writer is refused', async () => {
  const pipe = join(site.folder, 'pipe.yaml')
  execFileSync('mkfifo', [pipe])
  const { exitCode, stderr } = await site.cli('templates', 'apply', pipe)
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('it is a pipe, and no program writes into it')])
})

describe('is understood as it was meant', () => {
  it.each<[what: string, words: string, text: string, said: string]>([
    ['Norwegian is no "false"', 'wording apply', 'no: "{{code}} er koden din."\n', 'Applied no.'],
    ['nor is Norway', 'channels apply', '- { id: sandbox, kind: sandbox, countries: [NO, no] }\n', 'Applied: sandbox'],
    [
      'what is said once and used twice',
      'templates apply',
      '- &one { slug: one, text: Hello }\n- { <<: *one, slug: two }\n',
      'Applied one, two.',
    ],
    ...['.5', '0.50', '5e-1', '"0.5"'].map((number): [string, string, string, string] => [
      `half of all, as ${number}`,
      'protection check',
      `- { id: a, by: country, count: unverified, window: 1h, over: { constant: 5 }, when: { conversion_under: ${number} }, do: record }\n`,
      'is valid',
    ]),
    [
      'a phone without quotes',
      'protection check',
      '- { id: a, by: country, allow: [NO], do: record, except: { phones: [+4930123456, 004930123456] } }\n',
      'is valid',
    ],
  ])('%s', async (_what, words, text, said) => {
    const { exitCode, stdout, stderr } = await site.apply(words.split(' '), 'meant.yaml', text)
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: expect.stringContaining(said), stderr: '' })
  })
})

it.each<[words: string, text: string, line: number]>([
  ['templates apply', '- slug: order\n  text: Order #1 is ready\n', 2],
  ['templates apply', '- slug: order\n  text: Order # 1 is ready\n', 2],
  ['templates apply', '- slug: order\n  text:\n    Order #1\n', 3],
  ['templates apply', '- { slug: order, text: Order  \t# 1\n  }\n', 1],
  ['templates apply', '- slug: hi\n  default_locale: en\n  text: Hi\n  locales:\n    de:\n      text: Nr. # 1\n', 6],
  ['wording apply', 'default: en\nen: "{{code}}"\nde: Ihr Code {{code}} #1\n', 3],
  ['wording apply', 'default: en\nen: "{{code}}"\nde: Ihr Code {{code}} # 1\n', 3],
])('%s tells that a comment has cut a text: %j', async (words, text, line) => {
  const { exitCode, stderr } = await site.apply(words.split(' '), 'cut.yaml', text)
  expect([exitCode, stderr]).toEqual([
    0,
    `Warning: ${join(site.folder, 'cut.yaml')}:${line}: everything behind # is a comment: put the text in quotes.\n`,
  ])
})

it('channels apply tells that a comment without a blank has cut a value', async () => {
  const text = '- id: sandbox\n  kind: sandbox #1\n'
  const { exitCode, stderr } = await site.apply(['channels', 'apply'], 'cut.yaml', text)
  expect([exitCode, stderr]).toEqual([
    0,
    `Warning: ${join(site.folder, 'cut.yaml')}:2: everything behind # is a comment: put the text in quotes, or a blank behind #.\n`,
  ])
})

it.each<[words: string, text: string]>([
  ['templates apply', '- slug: order # of the shop\n  text: "Order #1" # ours\n- { slug: other, text: a#1 }\n'],
  ['templates apply', '- slug: order\n  text: Hello\n  # of the shop\n  category: utility # the usual one\n# end\n'],
  ['wording apply', 'default: en # English\nen: "{{code}}" # ours\nde: Ihr Code {{code}}\n# end\n'],
])('%s has nothing to tell of comments that cut no text: %j', async (words, text) => {
  expect(await site.apply(words.split(' '), 'meant.yaml', text)).toMatchObject({ exitCode: 0, stderr: '' })
})

describe('is refused where it became something else', () => {
  it.each<[what: string, words: string, text: string, told: RegExp]>([
    [
      'a slug in digits',
      'templates apply',
      '- slug: 0123\n  text: Hello\n',
      /:1: entry 1, slug: must be a text, in quotes/,
    ],
    [
      'a phone without quotes',
      'channels apply',
      '- { id: tw, kind: sms, provider: twilio, account_sid: x, auth_token: x, from: +14155550100 }\n',
      /:1: entry 1, from: must be a text, in quotes if it is a number$/m,
    ],
    [
      'a phone without its plus',
      'protection check',
      '- { id: a, by: country, allow: [NO], do: record, except: { phones: [4930123456] } }\n',
      /:1: entry 1, except\.phones, entry 1: must be a number like \+4930123456, .* it does not begin with \+/,
    ],
    [
      'a number with underscores',
      'protection check',
      'rules: []\nbudgets:\n  - id: a\n    messages: 1_000\n',
      /:4: budgets, entry 1, messages: must be a whole number$/,
    ],
    [
      'a name without a blank behind its colon',
      'templates apply',
      '- slug:hi\n',
      /:1: entry 1: must be a mapping with slug/,
    ],
    ['a secret of digits', 'inlets check', `- { id: a, kind: plain, mode: test, secret: 0123456789012345 }\n`, /^$/],
  ])('%s', async (_what, words, text, told) => {
    const { exitCode, stderr } = await site.apply(words.split(' '), 'other.yaml', text)
    expect([exitCode, stderr.trimEnd()]).toEqual([told.source === '^$' ? 0 : 1, expect.stringMatching(told)])
  })
})
