/** What the rules say of the contract, each with the place where it is wrong. */
import { relative } from 'node:path'
import { ContractFault, contractFile, redocly, root } from './redocly.ts'

interface Report {
  problems: {
    message: string
    ruleId: string
    location: [{ source: { ref: string }; start: { line: number; col: number } }, ...unknown[]]
  }[]
}

/** @returns a line for each problem, `openapi.yaml:12:3 …` */
export async function lint(): Promise<string[]> {
  const { output, errors } = await redocly('lint', contractFile, '--format', 'json')
  const start = output.indexOf('{')
  if (start === -1) return unreadable(errors)
  const { problems } = JSON.parse(output.slice(start)) as Report
  return problems.map(({ message, ruleId, location: [{ source, start }] }) => {
    return `${source.ref}:${start.line}:${start.col} ${message} (${ruleId})`
  })
}

/** What is no YAML has no rules yet. @throws ContractFault when Redocly has no place for it */
function unreadable(errors: string): string[] {
  const found = Array.from(errors.matchAll(/^ *- (.+) in "(.*?)" \((\d+):(\d+)\)$/gm))
  if (found.length === 0) throw new ContractFault(errors)
  return found.map(([, message, file, line, column]) => `${relative(root, file!)}:${line}:${column} ${message}`)
}
