/** Runs a stage of `.ci/run`. A test file that fails is run once more, alone: if it passes then, it flaked, and the stage passes. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createCommand } from './command.ts'

const about = 'Runs a script with tests, and each test file that fails once more, alone.'
const { args } = createCommand('stage', about)
  .argument('<script>', 'its name in package.json, like test:long')
  .argument('[words...]', 'what it is called with, behind --')
  .parse()
const [script = '', ...words] = args

const folder = mkdtempSync(join(tmpdir(), 'watchword-stage-'))
const report = join(folder, 'report.json')
// Both runs have the same cases: what fails with one seed and passes with another did not flake.
const seed = String(Date.now() % 1_000_000)
const env = { FAULT_SEED: seed, HOSTILE_SEED: seed, ...process.env, TEST_REPORT: report }
try {
  process.exitCode = runStage()
} finally {
  rmSync(folder, { recursive: true })
}

/** @returns the exit code */
function runStage(): number {
  const status = run(words)
  if (status === 0) return 0
  const files = failedFiles()
  // What stops a run without failing a test is not tried again: it is no test that flakes.
  if (files.length === 0) return status
  const failed = files.filter((file) => {
    const passed = run(words.includes('--only') ? [...words, '--only', file] : [...words, file]) === 0
    process.stdout.write(`${passed ? 'flaked' : 'failed twice'}: ${file}\n`)
    return !passed
  })
  return failed.length > 0 ? status : 0
}

function run(args: readonly string[]): number {
  rmSync(report, { force: true })
  return spawnSync('npm', ['run', '--silent', script, '--', ...args], { stdio: 'inherit', env }).status ?? 1
}

/** Vitest's own report of the last run. */
function failedFiles(): string[] {
  if (!existsSync(report)) return []
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { name: string; status: string }[]
  }
  const failed = testResults.filter(({ status }) => status === 'failed')
  return [...new Set(failed.map(({ name }) => relative('.', name)))]
}
