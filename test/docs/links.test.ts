/** Every link within the README, the pages beside it, `docs/` and the pages of examples leads to a file that is there, and to a heading that is there. */
import { existsSync, globSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pageOf } from '../support/docs.ts'

const root = join(import.meta.dirname, '../..')
const pages = [
  ...globSync('*.md', { cwd: root }),
  ...globSync('{docs,docs/auth,docs/designers,docs/releases,examples/*}/*.md', { cwd: root }),
]
const indexes = ['docs/auth/README.md', 'docs/designers.md']

describe.each(pages)('%s', (path) => {
  it('has no link and no anchor that leads nowhere', () => {
    expect(brokenLinks(path, pageOf(path))).toEqual([])
  })
})

it('README, changelog and the two indexes lead to every page, README in under 220 lines', () => {
  const reached = ['README.md', 'CHANGELOG.md', ...indexes].flatMap((page) =>
    findLinks(pageOf(page)).map((link) => from(page, link)),
  )
  expect(pages.filter((page) => page !== 'README.md' && !reached.includes(page))).toEqual([])
  expect(pageOf('README.md').split('\n').length).toBeLessThan(220)
})

it.each([
  ['a page that is not there', '[x](docs/none.md)'],
  ['a page beside the wrong folder', '[x](../README.md)'],
  ['a heading that the page does not have', '[x](docs/operators.md#none)'],
  ['a heading that this page does not have', 'a [`x`](#none)'],
  ['a heading of what is not a page', '[x](openapi.yaml#paths)'],
  ['a path of the machine', '[x](/README.md)'],
  ['a definition below', '[x]: docs/none.md'],
  ['an element', '<a href="docs/none.md">x</a>'],
])('names a broken link: to %s', (_, text) => {
  expect(brokenLinks('README.md', text)).toHaveLength(1)
})

it.each([
  ['a page', '[x](docs/operators.md)'],
  ['a heading', '[x](docs/operators.md#keys-templates-accounts)'],
  ['a heading of this page', '[x](#here-it-is-2nd-try)\n\n## Here it `is`: 2nd try'],
  ['a heading that comes twice', '[x](#again-1)\n\n## Again\n\n## Again'],
  ['a file', '[x](openapi.yaml "the contract")'],
  ['another host', '[x](https://example.com/none.md)'],
  ['nothing, in code', '`[x](none.md)`\n\n```\n[x](none.md)\n```'],
])('lets a good link pass: to %s', (_, text) => {
  expect(brokenLinks('README.md', text)).toEqual([])
})

/** @param page from the root of the checkout. @returns the path of what a link in it leads to, from there too */
function from(page: string, link: string): string {
  return posix.join(posix.dirname(page), link.split('#')[0]!)
}

/** @param path of the page from the root of the checkout */
function brokenLinks(path: string, text: string): string[] {
  return findLinks(text).filter((link) => {
    if (/^(https?|mailto):/.test(link)) return false
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : posix.join(posix.dirname(path), file)
    if (file.startsWith('/') || target.startsWith('..') || !existsSync(join(root, target))) return true
    if (anchor === undefined) return false
    return !target.endsWith('.md') || !findAnchors(target === path ? text : pageOf(target)).includes(anchor)
  })
}

function findLinks(text: string): string[] {
  const prose = withoutCode(text).replaceAll(/`[^`\n]*`/g, '')
  const links = prose.matchAll(/\]\(\s*([^)\s]+)[^)]*\)|^\[[^\]]+\]:\s*(\S+)|(?:href|src)="([^"]*)"/gm)
  return Array.from(links, ([, inline, defined, element]) => inline ?? defined ?? element!)
}

/** As GitHub makes them of headings. */
function findAnchors(text: string): string[] {
  const seen = new Map<string, number>()
  return Array.from(withoutCode(text).matchAll(/^#{1,6} (.+)$/gm), ([, heading]) => {
    const anchor = heading!
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '')
}
