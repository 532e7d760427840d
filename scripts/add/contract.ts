/** Writes an operation into the text of the contract, which stays as it is everywhere else: its comments, order and layout too. */
import { isDeepStrictEqual } from 'node:util'
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
} from 'yaml'
import { contractFile } from '../contract/redocly.ts'
import { buildContractParts } from './contractParts.ts'
import { type Naming, NotAdded } from './naming.ts'

interface Insertion {
  offset: number
  text: string
}

interface Source {
  text: string
  document: Document.Parsed
}

type Path = readonly string[]

/** @returns the contract with the operation. @throws NotAdded */
export function withOperation(text: string, naming: Naming): string {
  const source = { text, document: parseDocument(text) }
  const paths = mapAt(source, ['paths'])
  requireFree(source, naming)
  const tag = chooseTag(source, naming)
  const dialect = String(source.document.get('openapi')).startsWith('3.1') ? '3.1' : '3.0'
  const { operation, schemas, scopeMeaning, error } = buildContractParts(naming, tag.name, dialect)
  const method = naming.verb === 'create' ? 'post' : 'get'
  const scopes = ['components', 'securitySchemes', 'bearerAuth', 'x-scopes']
  return inserted(text, [
    ...tag.insertions,
    afterPair(source, ['paths'], findNeighbor(paths, naming.path), { [naming.path]: { [method]: operation } }),
    ...(source.document.hasIn([...scopes, naming.scope])
      ? []
      : [atEnd(source, scopes, { [naming.scope]: scopeMeaning })]),
    ...missingSchemas(source, schemas),
    ...(error ? errorInsertions(source, error) : []),
  ])
}

function requireFree({ document, text }: Source, { operationId, path }: Naming): void {
  const isTaken = new RegExp(`^ *operationId: ["']?${operationId}["']?(?: *#.*)?$`, 'm').test(text)
  if (isTaken) throw new NotAdded(`${contractFile} has the operation ${operationId} already.`)
  if (document.hasIn(['paths', path])) throw new NotAdded(`${contractFile} has the path ${path} already.`)
}

/** The tag of the same noun, whether it is written as one word or two; a new one where there is none. */
function chooseTag(source: Source, { many }: Naming): { name: string; insertions: Insertion[] } {
  const tags = source.document.get('tags', true)
  if (!isSeq(tags)) throw inManyFiles('tags')
  const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const names = (tags.toJSON() as { name: string }[]).map(({ name }) => name)
  const known = names.find((name) => lettersOf(name) === lettersOf(many))
  if (known) return { name: known, insertions: [] }
  const name = many[0]!.toUpperCase() + many.slice(1)
  const tag = [{ name, description: `The ${many} of an account.` }]
  return {
    name,
    insertions: [{ offset: findEnd(source.text, tags), text: indented(tag, columnOf(source.text, tags)) }],
  }
}

/** The last path that begins as this one does; else the last of all. */
function findNeighbor(paths: YAMLMap, path: string): Pair {
  const [, version, noun] = path.split('/')
  const isAlike = ({ key }: Pair) => `${String(key)}/`.startsWith(`/${version}/${noun}/`)
  return paths.items.findLast(isAlike) ?? paths.items.at(-1)!
}

function missingSchemas(source: Source, schemas: Record<string, unknown>): Insertion[] {
  const path = ['components', 'schemas']
  const known = mapAt(source, path).toJSON() as Record<string, unknown>
  const other = Object.keys(schemas).filter((name) => name in known && !isDeepStrictEqual(known[name], schemas[name]))
  if (other.length > 0)
    throw new NotAdded(
      `${contractFile} has other schemas of these names already: ${other.join(', ')}. Add all operations of a noun before you edit ` +
        'what they share, or write this one by hand: docs/designers/operation.md.',
    )
  const missing = Object.entries(schemas).filter(([name]) => !(name in known))
  return missing.length > 0 ? [atEnd(source, path, Object.fromEntries(missing))] : []
}

/** Among those of its status: in the list, among the statuses, and in the words about it. */
function errorInsertions(source: Source, { code, meaning }: { code: string; meaning: string }): Insertion[] {
  const path = ['components', 'schemas', 'ErrorCode']
  const codes = mapAt(source, path)
  const list = codes.get('enum', true) as unknown
  const statuses = mapAt(source, [...path, 'x-statuses'])
  if (statuses.has(code)) return []
  const next = String(statuses.items.find(({ value }) => Number(value) > 404)?.key)
  const item = isSeq(list) && list.items.find((one) => isScalar(one) && one.value === next)
  const pair = statuses.items.find(({ key }) => String(key) === next)
  const word = source.text.indexOf(`* \`${next}\`: `, codes.range![0])
  if (!item || !pair || word === -1)
    throw new NotAdded(
      `${contractFile} has no error in ErrorCode, with its status and its words, that ${code} could stand before.`,
    )
  const before = (offset: number, text: string): Insertion => {
    const start = source.text.lastIndexOf('\n', offset) + 1
    const indent = /^ */.exec(source.text.slice(start))![0]
    return { offset: start, text: `${indent}${text}\n` }
  }
  return [
    before(word, `* \`${code}\`: ${meaning}`),
    before((item as Node).range![0], `- ${code}`),
    before((pair.key as Node).range![0], `${code}: 404`),
  ]
}

function atEnd(source: Source, path: Path, value: Record<string, unknown>): Insertion {
  return afterPair(source, path, mapAt(source, path).items.at(-1)!, value)
}

function afterPair(source: Source, path: Path, pair: Pair, value: Record<string, unknown>): Insertion {
  return {
    offset: findEnd(source.text, pair.value as Node),
    text: indented(value, columnOf(source.text, mapAt(source, path))),
  }
}

/** @throws NotAdded where it is in another file, or nowhere */
function mapAt({ document }: Source, path: Path): YAMLMap {
  const node = document.getIn(path, true)
  if (!isMap(node) || node.items.length === 0 || node.has('$ref')) throw inManyFiles(path.join('.'))
  return node
}

function inManyFiles(what: string): NotAdded {
  return new NotAdded(
    `${contractFile} does not have ${what} itself, and that is where an operation is written. Where it is in several files, put it ` +
      'together, add the operation, and split it again:\n' +
      '  npx redocly bundle openapi.yaml --output openapi.yaml\n' +
      '  npm run contract:add -- operation …\n' +
      '  npx redocly split openapi.yaml --outDir .',
  )
}

/** Where the next line begins. */
function findEnd(text: string, { range }: Node): number {
  const end = range![1]
  return text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1 || text.length
}

function columnOf(text: string, { range }: Node): number {
  return range![0] - text.lastIndexOf('\n', range![0] - 1) - 1
}

function indented(value: object, columns: number): string {
  const text = stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(columns))
}

function inserted(text: string, insertions: readonly Insertion[]): string {
  return insertions
    .toSorted((one, other) => other.offset - one.offset)
    .reduce((all, { offset, text: own }) => all.slice(0, offset) + own + all.slice(offset), text)
}
