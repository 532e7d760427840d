/** Files that operators write. What is wrong with one is told in one line, whatever is in it. */
import { readFile, stat } from 'node:fs/promises'
import { LineCounter, parseDocument, parse as parseYaml, YAMLParseError } from 'yaml'
import type { z } from 'zod'
import { boundedYamlBytesMax } from '../kit/reading/boundedYaml.ts'
import { faultsOfForm, inPlainWords, textOfFault } from '../kit/reading/formFaults.ts'
import { decodeUtf8 } from '../kit/reading/utf8.ts'
import { faultsIn, Refusal } from '../kit/refusal.ts'

/**
 * Reads a file, and judges it by a form.
 *
 * @param wanted what the file is to be: "a list of slug and text"
 * @throws Refusal which names everything that is wrong with its line, without the file's own words
 */
export async function readFormedYaml<Form extends z.ZodType>(
  file: string,
  form: Form,
  wanted: string,
): Promise<z.output<Form>> {
  const text = await readText(file)
  const { data, error } = form.safeParse(parsedYaml(file, text), { error: inPlainWords })
  if (error === undefined) return data as z.output<Form>
  const lineOf = linesOf(text)
  const faults = faultsOfForm(error).map(({ path, fault }) => textOfFault({ line: lineOf(path), path, fault }, file))
  throw faultsIn(`${file} must be ${wanted}: `, faults)
}

/** @returns the line of a place; of the nearest above it, where there is none */
function linesOf(text: string): (path: readonly PropertyKey[]) => number {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' })
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as { range?: [number, ...unknown[]] } | undefined
      if (node?.range) return lines.linePos(node.range[0]).line
    }
    return 1
  }
}

/** @throws Refusal, without the file's own words: there may be a secret among them */
export async function readYaml(file: string): Promise<unknown> {
  return parsedYaml(file, await readText(file))
}

function parsedYaml(file: string, text: string): unknown {
  try {
    const value: unknown = parseYaml(text, { logLevel: 'error' })
    // By aliases a value can be within itself: whoever walks through it would never come to an end.
    JSON.stringify(value)
    return value
  } catch (error) {
    throw new Refusal(`${file} cannot be read as YAML: ${reasonOf(error as Error)}`)
  }
}

/**
 * The text of a file that `readBoundedYaml` is to read. A longer one is not read at all: it may be anything.
 *
 * @param tooLong says that a file is longer than that
 * @throws Refusal
 */
export async function readBoundedText(file: string, tooLong: (most: string) => string): Promise<string> {
  const { size } = await stat(file).catch(cannotRead(file))
  if (size > boundedYamlBytesMax) throw new Refusal(tooLong(`${boundedYamlBytesMax / 1024} KB`))
  return readText(file)
}

/** @throws Refusal for a file that cannot be read, or is not UTF-8 */
async function readText(file: string): Promise<string> {
  const { text, fault } = decodeUtf8(await readFile(file).catch(cannotRead(file)))
  if (text === undefined) throw new Refusal(`${file}: ${fault}.`)
  return text
}

function cannotRead(file: string) {
  return ({ code }: NodeJS.ErrnoException): never => {
    throw new Refusal(`Cannot read ${file}: ${code}.`)
  }
}

/** Not only errors of its own kind: too many aliases, for one, are another. */
function reasonOf(error: Error): string {
  const [told = ''] = error.message.split('\n')
  if (told.startsWith('Maximum call stack')) return 'it is nested too deeply'
  if (told.startsWith('Converting circular')) return 'a part of it is within itself'
  // Behind a colon, or after these words, it quotes what it read.
  const reason = told.replace(/(?<=\S): .*$|(?<=escape sequence) .*$|:$/, '').replace(/ at line \d+, column \d+$/, '')
  const [start] = (error instanceof YAMLParseError && error.linePos) || []
  return start ? `${reason} at line ${start.line}, column ${start.col}` : reason
}
