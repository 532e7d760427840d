/** What an operator does with rules against SMS pumping. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProgress } from '../../src/cli/protection/progress.ts'
import { jsonOf, refusalOf, run } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { insertCodes } from '../support/sentCodes.ts'

let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-protection-'))
  database = await createDatabase()
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const protection = (...args: string[]) => run({}, ['protection', ...args], folder)

describe('protection show', () => {
  it('prints a list that check finds good, and that stops nothing', async () => {
    const { stdout } = await protection('show', '--yaml')
    await writeFile(join(folder, 'shown.yaml'), stdout)
    expect(jsonOf(await protection('check', 'shown.yaml', '--json'))).toEqual({
      ...{ file: 'shown.yaml', rules: 11, record: 11, challenge: 0, block: 0, budgets: 0 },
    })
  })

  it('says in a line what each rule finds', async () => {
    const { stdout } = await protection('show')
    expect(stdout).toContain(
      'unverified after 2m in 1h > max(30, 0.4 × verified, 0.2 × verified on the best of 14 days / 6)',
    )
    expect(stdout).toContain('numbers within 20 of each other in 10m > 3')
    expect(jsonOf<unknown[]>(await protection('show', '--json'))).toHaveLength(11)
  })
})

describe('protection apply', () => {
  const apply = (...args: string[]) => run({ DATABASE_URL: database.settings.url }, ['protection', ...args], folder)

  it('takes the budgets of a file, which show prints again', async () => {
    const text = `budgets:
  - id: all
    messages: 5000
    money: 12.50 EUR
  - id: dach
    countries: [ DE, AT ]
    messages: 100
rules: []
`
    await writeFile(join(folder, 'budgets.yaml'), text)
    expect((await apply('check', 'budgets.yaml')).stdout).toContain('budgets.yaml is valid. Its rules: 0 record, ')
    expect((await apply('apply', 'budgets.yaml')).stdout).toContain('0 block. Budgets: 2.')
    expect((await apply('show', '--yaml')).stdout).toBe(text)
    const { stdout } = await apply('show')
    expect(stdout).toMatch(/Budgets, for a day \(UTC\)\nid +countries +messages +money *\nall +all +5000 +12\.50 EUR/i)
    await writeFile(join(folder, 'none.yaml'), 'rules: []\n')
    await apply('apply', 'none.yaml')
    expect((await apply('show')).stdout).not.toContain('Budgets')
    await rm(join(folder, 'none.yaml'))
  })

  it('names the budgets that a file takes away, and says when a list has no rules', async () => {
    const rule = '{ id: mine, by: country, allow: [DE], do: record }'
    const budgets = '\n  - { id: all, messages: 9 }\n  - { id: dach, countries: [DE], messages: 5 }'
    await writeFile(join(folder, 'both.yaml'), `rules: [${rule}]\nbudgets:${budgets}\n`)
    await writeFile(join(folder, 'bare.yaml'), `- ${rule}\n`)
    await writeFile(join(folder, 'empty.yaml'), 'rules: []\nbudgets:\n  - { id: all, messages: 9 }\n')
    const said = async (file: string) => (await apply('apply', file)).stdout
    const applied = 'Applied 1 record, 0 challenge, 0 block.'
    expect(await said('both.yaml')).toBe(`${applied} Budgets: 2.\n`)
    expect(await said('bare.yaml')).toBe(`${applied} Budgets removed: all, dach.\n`)
    expect(await said('bare.yaml')).toBe(`${applied}\n`)
    await said('both.yaml')
    expect(await said('empty.yaml')).toBe(
      `${applied.replace('1', '0')} Budgets: 1. Budgets removed: dach. The list has no rules: no send is checked.\n`,
    )
    expect(jsonOf(await apply('apply', 'bare.yaml', '--json'))).toEqual({
      ...{ account: 'default', rules: 1, budgets: 0, raised: [], removed_budgets: ['all'] },
    })
    await apply('reset')
  })
})

describe('protection reset', () => {
  const ofDatabase = (...args: string[]) =>
    run({ DATABASE_URL: database.settings.url }, ['protection', ...args], folder)

  it('gives an account the standard list again', async () => {
    await writeFile(
      join(folder, 'own.yaml'),
      '- { id: all, by: user, count: sends, window: 1h, over: { constant: 3 }, do: block }\n',
    )
    expect(refusalOf(await ofDatabase('apply', 'own.yaml'))).toContain(
      'refuse sends from now on: all. That needs a reason. Say why with --reason.',
    )
    await ofDatabase('apply', 'own.yaml', '--reason', 'pumped')
    expect((await ofDatabase('show')).stdout).toContain('The rules of the account')
    expect((await ofDatabase('reset')).stdout).toBe('default has the standard list again, which only records.\n')
    expect((await ofDatabase('show')).stdout).toContain('The standard list')
    expect(jsonOf(await ofDatabase('reset', '--json'))).toEqual({ account: 'default', reset: false })
  })
})

describe('protection check', () => {
  it('names everything that is wrong with file and line', async () => {
    await writeFile(join(folder, 'bad.yaml'), '- id: a\n  by: moon\n  allow: all\n  do: explode\n')
    expect(refusalOf(await protection('check', 'bad.yaml'))).toMatch(
      /^bad\.yaml:2: entry 1, by: must be one of country, .*\nbad\.yaml:4: entry 1, do: must be record, challenge or block$/,
    )
    expect(refusalOf(await protection('check', 'none.yaml'))).toBe(
      'Cannot read none.yaml: there is no such file or folder.',
    )
    await writeFile(join(folder, 'big.yaml'), '#'.repeat(1_000_000))
    expect(refusalOf(await protection('check', 'big.yaml'))).toBe('big.yaml:1: the file is longer than 64 KB')
  })
})

describe('protection replay', () => {
  const replay = (...args: string[]) =>
    run({ DATABASE_URL: database.settings.url }, ['protection', 'replay', ...args], folder)

  beforeAll(async () => {
    await writeFile(join(folder, 'standard.yaml'), (await protection('show', '--yaml')).stdout)
    const at = Date.now() - 3 * 86_400_000
    const price = { amount: '0.08', currency: 'EUR' }
    const codes = Array.from({ length: 12 }, (_, index) => ({
      ...{ at: at + index * 1000, phone: `+49151123450${String(index).padStart(2, '0')}`, country: 'DE', price },
    }))
    await insertCodes(database.sql, 'acct_default', [...codes, { at: at - 20 * 86_400_000, phone: '+4915112345099' }])
  })

  it('tells of each rule what it found, and of the list what it would have stopped', async () => {
    const { exitCode, stdout, stderr } = await replay('standard.yaml', '--block', '--since', '14d')
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Live codes that default sent from .*Z to .*Z: 12\.$/m)
    expect(stdout).toContain('Stopped by these rules: 9 (75.00 %). Verified later, of those: 0.')
    expect(stdout).toContain('No code of that time has signals: rules by ip, user find nothing.')
    expect(stdout).toMatch(/^sequence +block +9 +0 +0\.72 EUR \(9\) +.*:00:00\.000Z +.*:00:00\.000Z \(9\)$/m)
    expect(stdout).toMatch(/^req_\w+ +\+4915•+03 +.*Z +no$/m)
    expect(stdout).not.toContain('151123')
  })

  it('stops nothing by the standard list, and prints one value for programs', async () => {
    const json = jsonOf(await replay('standard.yaml', '--json'))
    expect(json).toMatchObject({ account: 'default', codes: 12, stopped: 0, stopped_verified: 0, signals_since: null })
    expect(json.rules).toContainEqual(
      expect.objectContaining({ rule: 'sequence', do: 'record', found: 9, verified: 0 }),
    )
  })

  it('says that it reads live codes alone when there are none, and in its help how far back', async () => {
    const { stdout } = await replay('standard.yaml', '--since', '1h')
    expect(stdout).toMatch(/^Live codes that default sent from .*: 0\. Codes of test keys are not among them\.$/m)
    expect((await replay('--help')).stdout).toContain('(default: 14d)')
  })

  it('refuses a bad file and an account that is not there', async () => {
    expect(refusalOf(await replay('bad.yaml'))).toMatch(/^bad\.yaml:2: /)
    expect(refusalOf(await replay('standard.yaml', '--account', 'nobody'))).toContain('nobody')
  })

  it.each([
    [true, '\r\u001b[KRead 1,000 of about 5,000 messages.\r\u001b[KRead 2,000 of about 5,000 messages.\r\u001b[K'],
    [false, 'Read 2,000 of about 5,000 messages.\n'],
  ])('says how far it is, on one line of a terminal (%s)', (isTTY, written) => {
    let [text, ms] = ['', 0]
    const progress = createProgress({ isTTY, write: (more) => (text += more) }, () => ms)
    for (const [done, at] of [
      [1000, 300],
      [2000, 10_300],
      [2001, 10_301],
    ] as const) {
      ms = at
      progress.tell(done, 5000)
    }
    progress.end()
    expect(text).toBe(written)
  })
})
