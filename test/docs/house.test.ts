/** The questions of newcomers, which the page of the house answers with a file and a name in it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pageOf, sectionOf } from '../support/docs.ts'

const root = join(import.meta.dirname, '../..')
const rows = sectionOf('docs/house.md', 'Where is …?')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('`'))

it('answers twelve questions, each in at most two files', () => {
  expect(rows).toHaveLength(12)
  for (const row of rows) expect([1, 2], row).toContain(placesIn(row).length)
})

it.each(rows.flatMap(placesIn))('has %s, and in it %s', (file, name) => {
  expect(existsSync(join(root, file)), file).toBe(true)
  expect(readFileSync(join(root, file), 'utf8')).toMatch(new RegExp(`\\b${name}\\b`))
})

it('is drawn on less than 200 lines', () => {
  expect(pageOf('docs/house.md').split('\n').length).toBeLessThan(200)
})

function placesIn(row: string): [file: string, name: string][] {
  return Array.from(row.matchAll(/`(src\/[^`]+)`: `(\w+)`/g), ([, file, name]) => [file!, name!])
}
