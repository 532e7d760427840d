/** What the rules say of the contracts, each with the place where it is wrong. */
import { relative } from 'node:path'
import { ContractFault, contractFiles, redocly, root } from './redocly.ts'

interface Report {
  problems: Problem[]
}

interface Problem {
  message: string
  ruleId: string
  location: [{ source: { ref: string }; start: { line: number; col: number } }, ...unknown[]]
}

/** @returns a line for each problem, `openapi.yaml:12:3 …`, and one below it with its other places */
export async function lint(): Promise<string[]> {
  return (await Promise.all(contractFiles.map(lintFile))).flat()
}

async function lintFile(file: string): Promise<string[]> {
  const { output, errors } = await redocly('lint', file, '--format', 'json')
  const start = output.indexOf('{')
  if (start === -1) return unreadable(errors)
  const { problems } = JSON.parse(output.slice(start)) as Report
  return [...Map.groupBy(problems, ({ message }) => message).values()].map((alike) => {
    const [{ message, ruleId }] = alike as [Problem]
    const [place, ...others] = alike.map(
      ({ location: [{ source, start }] }) => `${source.ref}:${start.line}:${start.col}`,
    )
    return `${place} ${message} (${ruleId})${others.length > 0 ? `\n    and at ${others.join(', ')}` : ''}`
  })
}

/** What is no YAML has no rules yet. @throws ContractFault when Redocly has no place for it */
function unreadable(errors: string): string[] {
  const found = Array.from(errors.matchAll(/^ *- (.+) in "(.*?)" \((\d+):(\d+)\)$/gm))
  if (found.length === 0) throw new ContractFault(errors)
  return found.map(([, message, file, line, column]) => `${relative(root, file!)}:${line}:${column} ${message}`)
}
