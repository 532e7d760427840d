/** The operator's commands, each a process of its own. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, inject } from 'vitest'

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

/** What an operator's command begins with: of the installed package, or else of this checkout. */
export function commandLine(): string[] {
  const installed = inject('installed')
  return installed ? [installed.command] : [process.execPath, '--import', loading, entry]
}

/**
 * Runs a command, of the installed package or else of this checkout, with nothing in its environment but what is given.
 *
 * @param cwd where it is run; here, when left out
 */
export function run(environment: Record<string, string>, args: string[], cwd?: string): Promise<Result> {
  const installed = inject('installed')
  const [file = '', ...words] = commandLine()
  // The command of a package finds Node on the PATH.
  const env = installed ? { PATH: process.env.PATH, ...environment } : environment
  return new Promise((resolve) => {
    execFile(file, [...words, ...args], { env, cwd }, (error, stdout, stderr) => {
      resolve({ exitCode: error ? error.code : 0, stdout, stderr })
    })
  })
}

/** The one JSON value that a command printed. */
export function jsonOf<Value = Record<string, unknown>>({ exitCode, stdout, stderr }: Result): Value {
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toMatch(/^([^\n]+\n)+$/)
  return JSON.parse(stdout) as Value
}

/** The one line that says why a command was refused. */
export function refusalOf({ exitCode, stdout, stderr }: Result): string {
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toMatch(/^([^\n]+\n)+$/)
  return stderr.trimEnd()
}
