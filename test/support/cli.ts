/** The operator's commands, each a process of its own. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'

const [entry, loading] = ['cli.ts', 'loading.js'].map((file) => join(import.meta.dirname, '../../src', file)) as [
  string,
  string,
]

export interface Result {
  exitCode: unknown
  stdout: string
  stderr: string
}

/** How times are printed. */
export const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/**
 * Runs a command with nothing in its environment but what is given.
 *
 * @param cwd where it is run; here, when left out
 */
export function run(environment: Record<string, string>, args: string[], cwd?: string): Promise<Result> {
  const options = { env: environment, cwd }
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', loading, entry, ...args], options, (error, stdout, stderr) => {
      resolve({ exitCode: error ? error.code : 0, stdout, stderr })
    })
  })
}

/** The one JSON value that a command printed. */
export function jsonOf<Value = Record<string, unknown>>({ exitCode, stdout, stderr }: Result): Value {
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toMatch(/^[^\n]+\n$/)
  return JSON.parse(stdout) as Value
}

/** The one line that says why a command was refused. */
export function refusalOf({ exitCode, stdout, stderr }: Result): string {
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toMatch(/^[^\n]+\n$/)
  return stderr.trimEnd()
}
