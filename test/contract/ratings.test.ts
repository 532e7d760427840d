/** How much each kind of change of a contract matters: the same changes as they are told to the person who makes them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compare } from '../../scripts/contract/compare.ts'
import { contract } from '../../src/contract/document.ts'
import { type Draft, prepare } from './ratings/draft.ts'
import { majors } from './ratings/majors.ts'
import { minors } from './ratings/minors.ts'
import { patches } from './ratings/patches.ts'

let folder: string
let [major, minor, patch]: Compared[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-ratings-'))
  major = await compareAfter(majors)
  minor = await compareAfter(minors)
  patch = await compareAfter(patches)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What is said of the changes when all are made at once. */
async function compareAfter(changes: readonly (readonly [string, (draft: Draft) => void, ...unknown[]])[]) {
  const draft: Draft = structuredClone(contract)
  prepare(draft)
  const paths = [join(folder, 'before.json'), join(folder, 'now.json')] as const
  await writeFile(paths[0], JSON.stringify(draft, null, 2))
  for (const [, change] of changes) change(draft)
  await writeFile(paths[1], JSON.stringify(draft, null, 2))
  const { text, ...counts } = await compare(
    { name: 'version 1', version: '1.0.0', open: (look) => look(paths[0]) },
    paths[1],
  )
  // Each place with its heading in front.
  const places = text.split(/^(?=\S)/m).flatMap((section) => {
    const [heading = '', ...members] = section.split(/^ {2}(?=\S (?:major|minor|patch) )/m)
    return members.map((member) => ({ rating: /^\S (\w+) /.exec(member)?.[1], words: heading + member }))
  })
  return {
    text,
    counts,
    told: (words: string) => places.filter((place) => place.words.includes(words)).map(({ rating }) => rating),
  }
}

type Compared = Awaited<ReturnType<typeof compareAfter>>

describe('a change is breaking when', () => {
  it.each(majors)('%s', (_what, _change, words) => {
    expect(major!.told(words), major!.text).toContain('major')
  })
})

describe('a change needs a new minor version, and no major one, when', () => {
  it.each(minors)('%s', (_what, _change, words) => {
    expect(minor!.told(words), minor!.text).toContain('minor')
  })
  it('none of them breaks a client', () => {
    expect(minor!.counts.major, minor!.text).toBe(0)
  })
})

describe('a change is one of words alone, or none, when', () => {
  it.each(patches)('%s', (_what, _change, words) => {
    if (words !== undefined) expect(patch!.told(words), patch!.text).toEqual(['patch'])
  })
  it('none of them asks for more than a patch, or is told twice', () => {
    const told = patches.filter(([, , words]) => words !== undefined).length
    expect(patch!.counts, patch!.text).toEqual({ breaks: '', major: 0, minor: 0, patch: told })
  })
})

it('names each change by its path, and no member of a list by its index', () => {
  const texts = [major, minor, patch].map((compared) => compared!.text)
  expect(texts.join('\n')).not.toMatch(/^ {2}\S \w+ +\w+ +(?:\S*\/)?\d{1,2}(?:\/| |$)/m)
})
