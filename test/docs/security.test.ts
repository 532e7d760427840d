/** What `docs/security.md` says of each requirement is so: there is a test, or a reason. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pageOf, sectionOf } from '../support/docs.ts'

const root = join(import.meta.dirname, '../..')
const reasons = ['does not apply', 'not met', "the caller's"]

/** The rows of a table of requirements. */
function parseRows(section: string) {
  const rows = sectionOf('docs/security.md', section).matchAll(/^\| (\S+) \| (.+) \| (.+) \| (.+) \|$/gm)
  return Array.from(rows, ([, number, , how, proof]) => ({ number: number!, how: how!, proof: proof! })).slice(1)
}

const count = (prefix: string, last: number) => Array.from({ length: last }, (_, index) => `${prefix}${index + 1}`)

describe.each([
  ['One-time codes: OWASP ASVS 5.0', [...count('6.5.', 8), ...count('6.6.', 4)]],
  [
    'Configuration: OWASP ASVS 5.0',
    [...count('13.1.', 4), ...count('13.2.', 6), ...count('13.3.', 4), ...count('13.4.', 7)],
  ],
  ['The API: OWASP API Security Top 10, 2023', count('API', 10)],
  ['The other chapters: OWASP ASVS 5.0', count('V', 17)],
])('%s', (section, numbers) => {
  const rows = parseRows(section)

  it('leaves out no requirement', () => {
    expect([...new Set(rows.map(({ number }) => number))]).toEqual(numbers)
  })

  it('has a test behind each, or says why there is none, and says how it is met', () => {
    for (const { number, how, proof } of rows) {
      expect(how, number).toMatch(/\S/)
      if (reasons.includes(proof)) continue
      const [, file = '', title = ''] = /^`(.+?)`: (.+)$/.exec(proof) ?? []
      expect(title, `${number}: ${proof}`).toMatch(/\S/)
      expect(readFileSync(join(root, file), 'utf8'), `${number}: ${file}`).toContain(title)
    }
  })
})

it('the page names the bound, the items, what is done in one go and the test of each shared thing', () => {
  const section = sectionOf('docs/security.md', 'What everybody shares')
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| shared'))
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows) {
    const [, what = '', bound, items, atOnce, proof = ''] = row.split(/ ?\| /)
    for (const said of [bound, items, atOnce]) expect(said, what).toMatch(/\S/)
    const [, file = '', title = ''] = /^`(.+?)`: (.+?) \|$/.exec(proof) ?? []
    expect(title, row).toMatch(/\S/)
    expect(readFileSync(join(root, file), 'utf8'), row).toContain(title)
  }
})

it('each shared thing is driven to its limit by a test in which another account sends', () => {
  const section = sectionOf('docs/security.md', 'What everybody shares')
  const shared = Array.from(section.matchAll(/^\| ([^|]+) \| .+ \|$/gm), ([, what = '']) => what).slice(1)
  const folder = join(root, 'test/app/shared')
  const driven = readdirSync(folder)
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/^ *row\(\s*'([^']+)',/gm)])
  expect(driven.map(([, what]) => what).toSorted()).toEqual(shared.filter((what) => !what.startsWith('--')).toSorted())
})

it('the page names the items of all long work, what is done of it in one go, and the test', () => {
  const section = sectionOf('docs/security.md', 'Long work')
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| work'))
  expect(rows.length).toBeGreaterThan(5)
  for (const row of rows) {
    const [, what = '', items, atOnce, proof = ''] = row.split(/ ?\| /)
    expect([items, atOnce], what).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)])
    const [, file = '', title = ''] = /^`(.+?)`: (.+?) \|$/.exec(proof) ?? []
    expect(title, row).toMatch(/\S/)
    expect(readFileSync(join(root, file), 'utf8'), row).toContain(title)
  }
})

it('the page names each system that the service connects to, with its bounds', () => {
  const rows = Array.from(
    sectionOf('docs/security.md', 'What the service connects to').matchAll(/^\| (.+) \| (.+) \| (.+) \| (.+) \|$/gm),
    ([, system = '', ...bounds]) => ({ system, bounds }),
  )
  for (const { system, bounds } of rows) for (const bound of bounds) expect(bound, system).toMatch(/\S/)
  const systems = rows.map(({ system }) => system).join()
  for (const name of ['PostgreSQL', 'providers', 'endpoints', 'identity provider', 'traces', 'DNS']) {
    expect(systems).toContain(name)
  }
})

it('the reasons that stand for a test are those that the page explains', () => {
  for (const reason of reasons) expect(pageOf('docs/security.md')).toContain(`*${reason}*`)
})
