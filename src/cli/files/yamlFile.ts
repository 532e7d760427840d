/** Files that operators write. What is wrong with one is told in one line, whatever is in it. */
import { type Document, isPair, isScalar, LineCounter, type Pair, parseDocument, visit, YAMLParseError } from 'yaml'
import { boundedYamlBytesMax, type FileFault, nearestLine, type ReadYaml } from '../../kit/reading/boundedYaml.ts'
import { fileWords } from '../../kit/reading/fileWords.ts'
import { inLines, type PlacedFault, textOfFault } from '../../kit/reading/formFaults.ts'
import { readInput } from '../../kit/reading/inputFile.ts'
import { decodeUtf8 } from '../../kit/reading/utf8.ts'
import { versionFault, yamlWords } from '../../kit/reading/yamlWords.ts'
import { faultsIn, Refusal } from '../../kit/refusal.ts'
import { warnOf } from '../shell.ts'

/** 5000 templates of the usual length have a fifth of that. */
const listBytesMax = 8 * 2 ** 20

/** A file that was read. */
export interface YamlFile {
  value: unknown
  /** Does work with what the file has. @throws what that throws; what it refuses of the file, with the line of each fault */
  within: <Done>(work: () => Promise<Done>, others?: readonly OtherFile[]) => Promise<Done>
}

/** Whether a member of that name is a text for phones. */
type NamesText = (name: unknown) => boolean

/** A file that a list names. */
export interface OtherFile {
  name: string
  /** Where the list has what it says. */
  path: readonly PropertyKey[]
  /** They are told instead of what is wrong at that place. */
  faults: readonly FileFault[]
}

/**
 * Warns of texts that a comment has cut.
 *
 * @param isText in such a text, # is more likely meant as a character than as a comment, also with a blank behind it
 * @throws Refusal, without the file's own words: there may be a secret among them
 */
export async function readYaml(file: string, isText: NamesText = () => false): Promise<YamlFile> {
  const text = await readText(file, listBytesMax)
  return {
    value: parsedYaml(file, text, isText),
    within: (work, others = []) =>
      work().catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.faults.length === 0) throw error
        throw placedIn(file, text, error.faults, others)
      }),
  }
}

/** Everything that is wrong with a file, each with its line. */
export function fileRefusal(file: string, faults: readonly FileFault[]): Refusal {
  return faultsIn(faults.map((fault) => textOfFault(fault, file)))
}

function placedIn(file: string, text: string, faults: readonly PlacedFault[], others: readonly OtherFile[]): Refusal {
  const isAt = ({ path }: PlacedFault, other: OtherFile) => other.path.every((step, depth) => path[depth] === step)
  const own = faults.filter((fault) => !others.some((other) => isAt(fault, other)))
  const ofOthers = others.flatMap(({ name, faults: found }) => found.map((fault) => textOfFault(fault, name)))
  return faultsIn([...ofOthers, ...inLines(own, createLineFinder(text)).map((fault) => textOfFault(fault, file))])
}

function createLineFinder(text: string): ReadYaml['lineOf'] {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' })
  return nearestLine((path) => {
    const node = document.getIn(path, true) as { range?: [number, ...unknown[]] } | undefined
    return node?.range && lines.linePos(node.range[0]).line
  })
}

function parsedYaml(file: string, text: string, isText: NamesText): unknown {
  try {
    const lines = new LineCounter()
    const document = parseDocument(text, { lineCounter: lines, logLevel: 'error', merge: true })
    const [broken] = document.errors
    if (broken) throw broken
    const other = versionFault(document.directives)
    if (other) throw new Refusal(other)
    const value: unknown = document.toJS()
    // By aliases a value can be within itself: to walk through it would never end.
    JSON.stringify(value)
    warnOf(cutTexts(document, text, isText).map(([at, note]) => [`${file}:${lines.linePos(at).line}:`, note]))
    return value
  } catch (error) {
    throw new Refusal(`${file} cannot be read as YAML: ${toReason(error as Error, text)}`)
  }
}

/**
 * @returns where a scalar without quotes ends before a comment that is probably meant as a part of it, and what to write instead:
 *   in a text, any comment of its line; elsewhere `#1` or the like, as a comment has a blank behind its mark
 */
function cutTexts(document: Document, written: string, isText: NamesText): [at: number, note: string][] {
  const found: [number, string][] = []
  visit(document, {
    Scalar: (key, { type, comment, value, range }, path) => {
      const mayBeText = type === 'PLAIN' && (typeof value === 'string' || value === null)
      if (!mayBeText || !range || !comment) return
      const pair = path.at(-1)
      const [start, end] = range
      const isCut =
        key === 'value' && isPair(pair) && isText(nameOf(pair)) && /^[ \t]*#/.test(written.slice(end, end + 200))
      if (isCut) found.push([start, `${behindMark}: put the text in quotes`])
      else if (/^[^\s#]/.test(comment))
        found.push([start, `${behindMark}: put the text in quotes, or a blank behind #`])
    },
  })
  return found
}

const behindMark = 'everything behind # is a comment'

function nameOf({ key }: Pair): unknown {
  return isScalar(key) ? key.value : undefined
}

/**
 * The text of a file that `readBoundedYaml` is to read. A longer one is not read at all: it may be anything.
 *
 * @param path where it is, if that is not how the user wrote it
 * @throws Refusal
 */
export function readBoundedText(file: string, path = file): Promise<string> {
  return readText(file, boundedYamlBytesMax, path)
}

/** @throws Refusal for a file that cannot be read, is too long, empty, or not UTF-8 */
export async function readText(file: string, bytesMax: number, path = file): Promise<string> {
  const bytes = await readInput(path, bytesMax).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EFBIG') throw new Refusal(`${file}:1: the file is longer than ${sizeWords(bytesMax)}`)
    throw new Refusal(`Cannot read ${file}: ${fileWords(error)}.`)
  })
  const { text, fault } = decodeUtf8(bytes)
  if (text === undefined) throw new Refusal(`${file}: ${fault}.`)
  if (text.trim() === '') throw new Refusal(`${file}:1: the file is empty`)
  if (text.split('\n').every(isComment)) throw new Refusal(`${file}:1: the file contains only comments`)
  return text
}

function isComment(line: string): boolean {
  return /^\s*(#|---\s*$|$)/.test(line)
}

function sizeWords(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 2 ** 10} KB` : `${bytes / 2 ** 20} MB`
}

/** Not only errors of its own kind: too many aliases, for one, are another. */
function toReason(error: Error, text: string): string {
  if (error instanceof Refusal) return error.message
  if (error instanceof YAMLParseError) {
    const [start] = error.linePos ?? []
    const words = yamlWords(error, text)
    return start ? `${words} (line ${start.line}, column ${start.col})` : words
  }
  const known = Object.entries(otherReasons).find(([begin]) => error.message.startsWith(begin))
  return known?.[1] ?? 'it cannot be understood'
}

const otherReasons: Readonly<Record<string, string>> = {
  'Maximum call stack': 'it is nested too deeply',
  'Converting circular': 'a part of it contains itself',
  'Unresolved alias': 'an alias (*) has no anchor (&) before it',
  'Merge sources': '<< needs a mapping, or an alias (*) of one that is defined before it',
  'Excessive alias': 'its aliases (*) expand to too much',
}
