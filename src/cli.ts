/**
 * The operator's commands. Exit code 0; 1 for a refusal, with a line on stderr for each fault; 2 for wrong usage. With `--json`,
 * stdout holds one JSON value and nothing else.
 */
import { CommanderError } from 'commander'
import { createProgram } from './cli/program.ts'
import { createShell } from './cli/shell.ts'
import { faultOfArguments } from './kit/reading/utf8.ts'
import { Refusal } from './kit/refusal.ts'
import { describeError } from './kit/runtime.ts'
import { visible } from './kit/terminal.ts'
import { explain } from './process/explain.ts'

try {
  const fault = faultOfArguments(process.argv.slice(2))
  if (fault !== undefined) throw new Refusal(fault)
  await createProgram(createShell(process.env)).parseAsync()
} catch (error) {
  process.exitCode = toExitCode(error)
}

/** Commander has said already what is wrong with the usage. */
function toExitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  // A refusal repeats what it was given, which may be a file of somebody else.
  const reason = error instanceof Refusal ? error.lines.map(visible).join('\n') : explain(error)
  process.stderr.write(`${reason ?? `Failed unexpectedly: ${JSON.stringify(describeError(error))}`}\n`)
  return 1
}
