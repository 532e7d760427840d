/** The type check, kept warm: what did not change since the last one is not looked at again. */
import { statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import ts from 'typescript'
import { root } from '../contract/redocly.ts'

export interface TypeFault {
  /** From the project's folder. */
  file: string
  line: number
  column: number
  message: string
  /** The text of the line. */
  source: string
}

export interface TypeCheck {
  /** What is wrong with the types of the changed files, and of those that a change of the contract concerns. */
  first: () => TypeFault[]
  /**
   * What is wrong with all others. It lets other work pass after each file.
   *
   * @param isOver whether the answer is of no use any more; what was not looked at is, the next time
   */
  rest: (isOver: () => boolean) => Promise<TypeFault[]>
}

/** Who answers by the contract: what others do against it, they do through these. */
const concerned = /^(generated|src\/(contract|http\/(api|twilio))\/|src\/kit\/problem\.ts$)/

export function createTypeCheck(): TypeCheck {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const scope = { ...config, include: ['src', 'generated'] }
  const { options } = ts.parseJsonConfigFileContent(scope, ts.sys, root)
  const host = ts.createCompilerHost(options)
  host.getSourceFile = keeping(host.getSourceFile)
  // A file that was missing may be there now.
  host.hasInvalidatedResolutions = () => true
  let last: ts.SemanticDiagnosticsBuilderProgram | undefined
  /** Those that were wrong when they were looked at. */
  const faulty = new Set<string>()

  const look = (files: readonly ts.SourceFile[]): TypeFault[] =>
    files.flatMap((file) => {
      const found = last!.getSemanticDiagnostics(file)
      if (found.length > 0) faulty.add(file.fileName)
      else faulty.delete(file.fileName)
      return found.map(toFault)
    })
  const own = () => last!.getSourceFiles().filter(({ fileName }) => !fileName.includes('/node_modules/'))

  return {
    first: () => {
      const { fileNames } = ts.parseJsonConfigFileContent(scope, ts.sys, root)
      last = ts.createSemanticDiagnosticsBuilderProgram(fileNames, options, host, last)
      const changed = new Set<string>()
      for (let next = last.getSemanticDiagnosticsOfNextAffectedFile(); next; ) {
        if ('fileName' in next.affected) changed.add(next.affected.fileName)
        next = last.getSemanticDiagnosticsOfNextAffectedFile()
      }
      const isFirst = ({ fileName }: ts.SourceFile) =>
        changed.has(fileName) || faulty.has(fileName) || concerned.test(relative(root, fileName))
      return [...last.getSyntacticDiagnostics().map(toFault), ...look(own().filter(isFirst))]
    },
    rest: async (isOver) => {
      const faults: TypeFault[] = []
      for (const file of own().filter(({ fileName }) => !concerned.test(relative(root, fileName)))) {
        if (isOver()) return []
        faults.push(...look([file]))
        await setImmediate()
      }
      return faults
    },
  }
}

type Read = ts.CompilerHost['getSourceFile']

/** Reads a file again when it has changed; when no type of it can have, what was read before stays. */
function keeping(read: Read): Read {
  const known = new Map<string, { changedAt: number; source: ts.SourceFile | undefined; facts: string | undefined }>()
  return (name, ...rest) => {
    const changedAt = statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const found = known.get(name)
    if (found?.changedAt === changedAt) return found.source
    const source = read(name, ...rest)
    const facts = source && readFacts(source)
    if (found && facts !== undefined && facts === found.facts) {
      found.changedAt = changedAt
      return found.source
    }
    if (source) Object.assign(source, { version: `${changedAt}` })
    known.set(name, { changedAt, source, facts })
    return source
  }
}

/**
 * All that the types of a generated file come from: most changes of the contract are of its words, and everything imports
 * what is made of it. Undefined for a file that people write, where an error has to have its place.
 */
function readFacts(source: ts.SourceFile): string | undefined {
  if (!relative(root, source.fileName).startsWith('generated/')) return undefined
  if (source.fileName.endsWith('.json'))
    return JSON.stringify(JSON.parse(source.text), (_key, value) => (typeof value === 'object' ? value : typeof value))
  return ts.createPrinter({ removeComments: true }).printFile(source)
}

function toFault({ file, start = 0, messageText }: ts.Diagnostic): TypeFault {
  const message = ts.flattenDiagnosticMessageText(messageText, '\n')
  if (!file) return { file: 'tsconfig.json', line: 1, column: 1, message, source: '' }
  const { line, character } = file.getLineAndCharacterOfPosition(start)
  const source = file.text.split('\n')[line] ?? ''
  return { file: relative(root, file.fileName), line: line + 1, column: character + 1, message, source }
}
