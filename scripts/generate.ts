/**
 * Makes what `openapi.yaml` and `twilio-verify.yaml` are the source of. With `--check` it writes nothing and fails when a file is not what it would
 * write.
 */
import { createCommand } from './command.ts'
import { generate, staleFiles, writeGenerated } from './contract/generated.ts'
import { lint } from './contract/lint.ts'
import { ContractFault } from './contract/redocly.ts'

const { check } = createCommand(
  'generate',
  'Makes what the contracts are the source of: generated/, and tables in docs/.',
)
  .option('--check', 'write nothing, and fail when a file is not what would be written')
  .parse()
  .opts()

try {
  const files = await generate()
  if (check) {
    const stale = await staleFiles(files)
    if (stale.length > 0) {
      process.stderr.write(`Not what the contracts make: ${stale.join(', ')}. Run: npm run generate\n`)
      process.exitCode = 1
    }
  } else {
    await writeGenerated(files)
  }
} catch (error) {
  // What nothing can be made of most often breaks a rule, and that names the line.
  const broken = await lint().catch(() => [])
  if (broken.length > 0) process.stderr.write(`Nothing can be made of this contract:\n${broken.join('\n')}\n`)
  else if (error instanceof ContractFault) process.stderr.write(error.message)
  else throw error
  process.exitCode = 1
}
