/** The type check, kept warm: what did not change since the last one is not looked at again. */
import { statSync } from 'node:fs'
import { join, relative } from 'node:path'
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

/** @returns what is wrong with the types of `src/` now */
export function createTypeCheck(): () => TypeFault[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const scope = { ...config, include: ['src', 'generated'] }
  const { options } = ts.parseJsonConfigFileContent(scope, ts.sys, root)
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  const known = new Map<string, { changedAt: number; source: ts.SourceFile | undefined }>()
  host.getSourceFile = (name, ...rest) => {
    const changedAt = statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const found = known.get(name)
    if (found?.changedAt === changedAt) return found.source
    const source = read(name, ...rest)
    if (source) Object.assign(source, { version: `${changedAt}` })
    known.set(name, { changedAt, source })
    return source
  }
  // A file that was missing may be there now.
  host.hasInvalidatedResolutions = () => true
  let last: ts.SemanticDiagnosticsBuilderProgram | undefined

  return () => {
    const { fileNames } = ts.parseJsonConfigFileContent(scope, ts.sys, root)
    last = ts.createSemanticDiagnosticsBuilderProgram(fileNames, options, host, last)
    return [...last.getSyntacticDiagnostics(), ...last.getSemanticDiagnostics()].map(faultOf)
  }
}

function faultOf({ file, start = 0, messageText }: ts.Diagnostic): TypeFault {
  const message = ts.flattenDiagnosticMessageText(messageText, '\n')
  if (!file) return { file: 'tsconfig.json', line: 1, column: 1, message, source: '' }
  const { line, character } = file.getLineAndCharacterOfPosition(start)
  const source = file.text.split('\n')[line] ?? ''
  return { file: relative(root, file.fileName), line: line + 1, column: character + 1, message, source }
}
