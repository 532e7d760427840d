/** What is left out is named one by one: a title that is gone would leave out nothing, and hide that. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { leftOut } from './leftOut.ts'

const root = join(import.meta.dirname, '../..')
const texts = globSync('test/{flows,inlets}/*.test.ts', { cwd: root }).map((file) =>
  readFileSync(join(root, file), 'utf8'),
)

it('what the package leaves out is each the title of a test of one file', () => {
  const filesWith = (title: string) => texts.filter((text) => text.includes(`'${title}'`)).length
  expect(Object.keys(leftOut).filter((title) => filesWith(title) !== 1)).toEqual([])
})
