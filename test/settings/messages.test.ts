/** What is told of any wrong setting: our own words, and examples that would be taken. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { secretSettings } from '../../src/settings/config.ts'
import { foreignWords } from '../support/foreignWords.ts'
import { documentedSettings, settingFaults } from '../support/settings.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchword-settings-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const wrongs = [
  ...[
    ' ',
    'x',
    '-1',
    '0.5',
    '1e9',
    '99999999999',
    'true',
    'null',
    '[]',
    '{}',
    '"3000"',
    '3000 # x',
    '3000\r',
    '\ufffd',
  ],
  ...[
    'http://',
    'ftp://a.example',
    'https://a b',
    'https://u:p@a.example/x?y#z',
    'postgres://',
    'postgres://a/b@c#d',
    'a=b',
    'XX',
  ],
  ...['+1', '10.0.0.0/99', '::g', 'a@', ',', 'x'.repeat(5000), '\u0000', '^[a-z]+$'],
]

it('is in our own words, whatever its value is', () => {
  const told = documentedSettings.flatMap((name) =>
    wrongs.flatMap((value) =>
      settingFaults({ [name]: value, OUTBOUND_PROXY: name === 'OUTBOUND_PROXY' ? value : 'env' }),
    ),
  )
  expect(new Set(told).size).toBeGreaterThan(100)
  expect([...new Set(told)].flatMap(foreignWords)).toEqual([])
})

it('is in our own words for a file of a secret too, whatever is at its path', () => {
  const contents = ['', '\n', 'two\nlines', '\0', '\ufeff', Buffer.from([0xff, 0x00, 0xfc]), 'x'.repeat(70_000)]
  const paths = contents.map((content, index) => {
    const path = join(folder, `secret-${index}`)
    writeFileSync(path, content)
    return path
  })
  const others = [
    folder,
    join(folder, 'none'),
    join(folder, 'secret-0', 'x'),
    'x'.repeat(5000),
    'a\0b',
    `${folder} # x`,
    '/dev/null',
  ]
  const told = secretSettings.flatMap((name) =>
    [...paths, ...others].flatMap((path) => settingFaults({ [`${name}_FILE`]: path })),
  )
  expect(new Set(told).size).toBeGreaterThan(10)
  expect([...new Set(told)].flatMap(foreignWords)).toEqual([])
})

it('has no example that is refused itself', () => {
  const examples = documentedSettings.flatMap((name) =>
    [...new Set(wrongs.flatMap((value) => settingFaults({ [name]: value })))]
      .filter((fault) => fault.startsWith(`${name}: `))
      .flatMap((fault) => Array.from(fault.matchAll(/\blike ([^\s,;]+)/g), ([, example]) => [name, example!] as const))
      .filter(([, example]) => example !== 'the'),
  )
  expect(examples.length).toBeGreaterThan(5)
  for (const [name, example] of examples)
    expect(
      settingFaults({ [name]: example }).filter(
        (fault) => fault.startsWith(`${name}: `) && !fault.includes('must be set with'),
      ),
      `${name}=${example}`,
    ).toEqual([])
})
