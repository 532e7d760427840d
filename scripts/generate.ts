/**
 * Makes what `openapi.yaml` is the source of. With `--check` it writes nothing and fails when a file is not what it would
 * write.
 */
import { generate, staleFiles, writeGenerated } from './contract/generated.ts'
import { ContractFault } from './contract/redocly.ts'

try {
  const files = await generate()
  if (process.argv.includes('--check')) {
    const stale = await staleFiles(files)
    if (stale.length > 0) {
      process.stderr.write(`Not what openapi.yaml makes: ${stale.join(', ')}. Run: npm run generate\n`)
      process.exitCode = 1
    }
  } else {
    await writeGenerated(files)
  }
} catch (error) {
  if (!(error instanceof ContractFault)) throw error
  process.stderr.write(error.message)
  process.exitCode = 1
}
