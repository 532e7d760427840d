/** The words of `docs/house.md`: exported names use them, and no two exported names are the same. */
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { sectionOf } from '../support/docs.ts'
import { filesIn, isWithin, nodesIn, read } from '../support/source.ts'

/** The simulator stands for other companies' services, which have names of their own. */
const files = filesIn('src').filter((file) => file.endsWith('.ts') && !isWithin(file, 'src/simulator'))
const exported = files.flatMap((file) => listExports(file, read(file)).map((name) => ({ file, name })))

const rows = sectionOf('docs/house.md', 'Words')
  .split('\n')
  .filter((line) => /^\| [a-z]/.test(line) && !line.startsWith('| word '))
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** A name of a standard is not ours to choose. */
const standards = /StandardWebhooks/i

describe('the words of the house', () => {
  it('are at least twenty, each with its meaning and none twice', () => {
    const words = rows.map(([, word]) => word)
    expect(words.length).toBeGreaterThanOrEqual(20)
    expect(new Set(words).size).toBe(words.length)
    for (const [, word, meaning] of rows) expect(meaning, word).toMatch(/\w/)
  })

  it('are the only ones for what they mean: exported names use no other', () => {
    const others = rows.flatMap(([, word, , not]) => (not ?? '').split(', ').map((other) => ({ word, other })))
    const faults = exported
      .filter(({ name }) => !standards.test(name))
      .flatMap(({ file, name }) =>
        others
          .filter(({ other }) => other !== '' && wordsOf(name).includes(other))
          .map(({ word, other }) => `${file}: ${name} says "${other}", which is called ${word}`),
      )
    expect(faults).toEqual([])
  })

  it.each([
    ['createWebhookList', ['create', 'webhook', 'list']],
    ['TenantParts', ['tenant', 'part']],
  ])('are found in names: %s', (name, words) => {
    expect(wordsOf(name)).toEqual(words)
  })
})

const dialect = /\b(nobody|somebody|whoever|anew)\b/gi
const turns =
  /\b(any\s+more(?!\s+than)|of\s+which|made-up\s+numbers?|(becomes?|became)\s+of|tells?\s+of|told\s+of|login\s+systems?)\b/gi

/** Without code, which quotes, and without the titles of tests that tables name. */
const prose = (text: string) =>
  text
    .replace(/^( *)```.*?^ *```/gms, '')
    .replace(/(`test\/[^`]+`): [^|]*\|/g, '$1 |')
    .replace(/`[^`\n]+`/g, '')

describe('what users read is written in the words of its field', () => {
  const pages = [
    ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'openapi.yaml', 'twilio-verify.yaml'],
    ...[...filesIn('docs'), ...filesIn('examples'), ...filesIn('deploy')].filter((file) => /\.(md|yaml)$/.test(file)),
  ]

  const found = (file: string, words: RegExp, text: string) =>
    (text.match(words) ?? []).map((word) => `${file}: ${word}`)

  it('on pages and in contracts', () => {
    expect(pages.flatMap((file) => found(file, dialect, read(file)))).toEqual([])
  })

  it('and pages have no turns of phrase that only this project had', () => {
    const current = pages.filter((file) => !/releases\/1\.[01]\./.test(file))
    expect(current.flatMap((file) => found(file, turns, prose(read(file))))).toEqual([])
  })

  it('in errors, help, log lines and the dashboard', () => {
    const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
    const texts = files.flatMap((file) => nodesIn(file, read(file), isText).map(({ text }) => ({ file, text })))
    expect(texts.filter(({ text }) => text.match(dialect))).toEqual([])
  })

  it('and code and tests come to that: the count only falls', () => {
    const sources = [...filesIn('src'), ...filesIn('scripts'), ...filesIn('test')].filter((file) =>
      file.endsWith('.ts'),
    )
    const count = sources.reduce((sum, file) => sum + (read(file).match(dialect)?.length ?? 0), 0)
    expect(count).toBeLessThanOrEqual(830)
  })
})

describe('an exported name', () => {
  it('is the name of one thing', () => {
    const places = Map.groupBy(exported, ({ name }) => name)
    const twice = [...places].filter(([, found]) => new Set(found.map(({ file }) => file)).size > 1)
    expect(twice.map(([name, found]) => `${name}: ${found.map(({ file }) => file).join(', ')}`)).toEqual([])
  })
})

describe('a function named `xOf`', () => {
  /** Verbs that act on what they are of, words of the schema's own, and members of contracts that other files name. */
  const others = 'anyOf answerOf createAddressOf inTraceOf oneOf operationOf requireScopesOf'.split(' ')

  const isFunction = (node: ts.Node): node is ts.FunctionDeclaration => ts.isFunctionDeclaration(node)
  const longIn = (folder: string) =>
    filesIn(folder)
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        nodesIn(file, read(file), isFunction)
          .filter(({ name, body }) => name?.text.endsWith('Of') && !isOneLine(body))
          .filter(({ name }) => !others.includes(name!.text))
          .map(({ name }) => `${file}: ${name!.text}`),
      )

  it.each(['src', 'scripts'])('says what something is in one line; what does more has a verb: %s', (folder) => {
    expect(longIn(folder)).toEqual([])
  })

  it('and tests come to that: the count only falls', () => {
    expect(longIn('test').length).toBeLessThanOrEqual(61)
  })
})

function isOneLine(body: ts.Block | undefined): boolean {
  const [first, ...rest] = body?.statements ?? []
  return rest.length === 0 && !first?.getText().includes('\n')
}

/** What a file declares and exports; what it hands on from another file is the other's. */
function listExports(file: string, text: string): string[] {
  const isExported = (node: ts.Node): boolean =>
    ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  return nodesIn(file, text, (node): node is ts.Statement => ts.isStatement(node) && isExported(node)).flatMap(
    (statement) => {
      if (ts.isVariableStatement(statement))
        return statement.declarationList.declarations.map(({ name }) => name.getText())
      const { name } = statement as ts.DeclarationStatement
      return name ? [name.text] : []
    },
  )
}

/** In lower case, and in the singular where that takes only an `s` away. */
function wordsOf(name: string): string[] {
  return name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase().replace(/(?<=.{3})s$/, ''))
}
