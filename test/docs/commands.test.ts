/** The commands that pages tell their readers to run: each is run by a test, or it is named with the reason why not; and each exists. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { createShell } from '../../src/cli/shell.ts'
import { secretSettings } from '../../src/settings/config.ts'
import { commandsOf, pageOf } from '../support/docs.ts'
import { notPasted, recordOf } from './notPasted.ts'
import { pages as pasted } from './pastedPages.ts'

const root = join(import.meta.dirname, '../..')
const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'examples/*/README.md'], { cwd: root })
const isPasted = (page: string) => pasted.some((one) => one.page === page)

/** What stands in a line of text as code. */
function findInline(page: string): string[] {
  const prose = pageOf(page).replaceAll(/^ *```.*?^ *```$/gms, '')
  return Array.from(prose.matchAll(/`([^`]+)`/g), ([, code]) => code!.replaceAll(/\s+/g, ' '))
}

/** What a shell is given: the blocks, and what a sentence or a table has of the programs of others. */
function givenBy(page: string): string[] {
  return [...commandsOf(page), ...findInline(page).filter((line) => /^(npx|docker|kubectl|psql|curl) \S/.test(line))]
}

const everyLine = pages.flatMap((page) => [...commandsOf(page), ...findInline(page)].map((line) => ({ page, line })))

describe('a command of a page', () => {
  it('is pasted by a test, is run by another one, or is named with the reason why none runs it', () => {
    const unknown = pages.flatMap((page) => {
      const pastedHere = isPasted(page) ? commandsOf(page) : []
      const others = givenBy(page).filter((line) => !pastedHere.includes(line))
      return others.flatMap((line) => (recordOf(page, line) ? [] : `${page}: ${line}`))
    })
    expect(unknown).toEqual([])
  })

  it('has no record of what no page has, nor of a test that is not there', () => {
    const used = new Set(pages.flatMap((page) => givenBy(page).map((line) => recordOf(page, line))))
    expect(notPasted.filter((record) => !used.has(record))).toEqual([])
    expect(notPasted.filter(({ by, not }) => (by === undefined) === (not === undefined))).toEqual([])
    expect(notPasted.flatMap(({ by }) => (by && !existsSync(join(root, by)) ? by : []))).toEqual([])
  })

  it('is a script of the package, or of the example, when npm is to run it', () => {
    const missing = everyLine.filter(({ page, line }) => {
      const folder = page.startsWith('examples/') ? [dirname(page), '.'] : ['.']
      const scripts = folder.flatMap((path) => Object.keys(manifestOf(path).scripts))
      const called = Array.from(line.matchAll(/npm run (?:--silent )?([\w:]+)/g), ([, name]) => name!)
      return called.some((name) => !scripts.includes(name))
    })
    expect(missing).toEqual([])
  })

  it('has npm be silent where what is printed goes into a file or another program', () => {
    const isTaken = (line: string) => /npm run (?!--silent)[^&;]* [>|] /.test(line)
    expect(everyLine.filter(({ line }) => isTaken(line))).toEqual([])
  })
})

describe('a command of the operator in a page', () => {
  const marked = /npm run (?:--silent )?cli -- ([^>|&;]+)/
  const lines = everyLine.flatMap(({ page, line }) => {
    const [, words] = marked.exec(line) ?? []
    return words && /^[a-z]+ /.test(words) ? [{ page, words: words.trim() }] : []
  })

  it('is there, with its arguments and its options', async () => {
    expect(lines.length).toBeGreaterThan(60)
    const faults = await Promise.all(lines.map(async ({ page, words }) => [page, words, await faultOf(words)]))
    expect(faults.filter(([, , fault]) => fault)).toEqual([])
  })

  it('is there when it is named without npm, with each option that is named', () => {
    const program = createProgram(createShell({}))
    const groups = new Map(program.commands.map((group) => [group.name(), group]))
    const faults = everyLine.flatMap(({ page, line }) => {
      const [noun = '', verb = '', ...rest] = line.split(' ')
      const group = groups.get(noun)?.commands.find((one) => one.name() === verb)
      const command = group?.commands.find((one) => one.name() === rest[0]) ?? group
      const options = rest.filter((word) => /^--[a-z]/.test(word))
      const missing = options.filter((option) => !command?.options.some(({ long }) => long === option))
      return command && missing.length > 0 ? [{ page, line, missing }] : []
    })
    expect(faults).toEqual([])
  })
})

it('a variable of the environment that a page names is read by something, or belongs to others', () => {
  const read = globSync(['{src,scripts,test,examples,deploy}/**/*.{ts,yaml,service}', 'compose.yaml', 'package.json'], {
    cwd: root,
    exclude: (path) => path === 'node_modules',
  }).map((file) => readFileSync(join(root, file), 'utf8'))
  const known = new Set(read.flatMap((text) => text.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []))
  for (const name of secretSettings) known.add(`${name}_FILE`)
  const unknown = everyLine.flatMap(({ page, line }) => {
    const [, name] = /^(?:export )?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=|$)/.exec(line) ?? []
    return name && !known.has(name) && !ofOthers.test(name) && !pageOf(page).includes(`\${${name}}`)
      ? [`${page}: ${name}`]
      : []
  })
  expect(unknown).toEqual([])
})

/** What other programs read, and words that look like it. */
const ofOthers = /^(GOTRUE|TWILIO|ZITADEL)_|^(IAM_OWNER|NO_ROUTE)$/

function manifestOf(path: string): { scripts: Record<string, string> } {
  return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
}

/** What commander says against a command; empty when it would be run. */
async function faultOf(words: string): Promise<string> {
  const program = createProgram(createShell({}))
  const each = [program, ...program.commands.flatMap((group) => [group, ...group.commands])]
  let said = ''
  for (const command of each) {
    command.exitOverride().configureOutput({ writeErr: (text) => (said += text) })
    if (command.commands.length === 0) command.action(() => {})
  }
  const given = Array.from(
    words.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, one, other, plain]) => one ?? other ?? plain!,
  )
  await program.parseAsync(given, { from: 'user' }).catch(() => {})
  return said
}
