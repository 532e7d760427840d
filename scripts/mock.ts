/** Starts the mock: `npm run mock -- [--port 4010] [--host 127.0.0.1]`. */
import { parseArgs } from 'node:util'
import { generate, writeGenerated } from './contract/generated.ts'
import { ContractFault } from './contract/redocly.ts'

const options = { host: { type: 'string', default: '127.0.0.1' }, port: { type: 'string', default: '4010' } } as const

try {
  const { host, port } = parseArgs({ options }).values
  await writeGenerated(await generate())
  // Only now, because it reads what was generated.
  const { startMock } = await import('./contract/mock.ts')
  const url = await startMock(host, Number(port), (line) => process.stdout.write(`${line}\n`))
  process.stdout.write(
    `The mock listens on ${url}\n` +
      'Any key will do. Ask for an answer with a header: `Prefer: code=429, example=rate_limited`\n',
  )
} catch (error) {
  process.stderr.write(`${explain(error as NodeJS.ErrnoException)}\n`)
  process.exit(1)
}

function explain(error: NodeJS.ErrnoException): string | undefined {
  if (error instanceof ContractFault) return error.message
  if (error.code === 'EADDRINUSE') return 'The port is taken. Choose another one: npm run mock -- --port 4011'
  if (error.code?.startsWith('ERR_PARSE_ARGS'))
    return `${error.message}\nUsage: npm run mock -- [--port N] [--host ADDRESS]`
  if (error.code === 'ERR_SOCKET_BAD_PORT') return 'A port is a number from 0 to 65535.'
  return error.stack
}
