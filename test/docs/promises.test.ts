/** What `docs/promises.md` promises has a test behind every line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pageOf } from '../support/docs.ts'

const root = join(import.meta.dirname, '../..')

describe('what it promises', () => {
  const page = pageOf('docs/promises.md')
  const rows = Array.from(page.matchAll(/^\| (.+) \| `(.+?)`: (.+?)(?: \(.*\))? \|$/gm))

  it('has a test behind every line', () => {
    expect(rows.length).toBeGreaterThan(25)
    expect(rows.length).toBe(page.split('\n').filter((line) => /^\| (?!promise \| test \|)/.test(line)).length)
    for (const [, , file = '', title = ''] of rows) {
      expect(readFileSync(join(root, file), 'utf8'), file).toContain(title)
    }
  })
})
