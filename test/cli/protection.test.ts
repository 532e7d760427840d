/** What an operator does with rules against made-up numbers. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonOf, refusalOf, run } from '../support/cli.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-protection-'))
})
afterAll(() => rm(folder, { recursive: true }))

const protection = (...args: string[]) => run({}, ['protection', ...args], folder)

describe('protection show', () => {
  it('prints a list that check finds good, and that stops nothing', async () => {
    const { stdout } = await protection('show', '--yaml')
    await writeFile(join(folder, 'shown.yaml'), stdout)
    expect(jsonOf(await protection('check', 'shown.yaml', '--json'))).toEqual({
      ...{ file: 'shown.yaml', rules: 11, record: 11, challenge: 0, block: 0 },
    })
  })

  it('says in a line what each rule finds', async () => {
    const { stdout } = await protection('show')
    expect(stdout).toContain('unverified in 1h > max(3, 0.2 × verified, 0.2 × verified on the best of 14 days / 6)')
    expect(stdout).toContain('numbers within 20 of each other in 10m > 3')
    expect(jsonOf<unknown[]>(await protection('show', '--json'))).toHaveLength(11)
  })
})

describe('protection check', () => {
  it('names everything that is wrong with file and line', async () => {
    await writeFile(join(folder, 'bad.yaml'), '- id: a\n  by: moon\n  allow: all\n  do: explode\n')
    expect(refusalOf(await protection('check', 'bad.yaml'))).toMatch(
      /^bad\.yaml:2: 0\.by: must be one of country, .*; bad\.yaml:4: 0\.do: must be record, challenge or block$/,
    )
    expect(refusalOf(await protection('check', 'none.yaml'))).toBe('Cannot read none.yaml: ENOENT.')
    await writeFile(join(folder, 'big.yaml'), '#'.repeat(1_000_000))
    expect(refusalOf(await protection('check', 'big.yaml'))).toBe('big.yaml:1: the file is longer than 64 KB')
  })
})
