/**
 * The mock: Prism, which answers from the contract's examples, behind the service's own door. Left alone, Prism never
 * answers a body that is no JSON, and has answers of its own for paths and media types that the contract does not have;
 * behind the door it gets what the service would take.
 */
import { parseArgs } from 'node:util'
import cors from 'cors'
import { createApiServer, createHttp } from '../src/contract/http.ts'
import { createPublished } from '../src/contract/published.ts'
import { createRuntime } from '../src/runtime.ts'
import { generate, writeGenerated } from './contract/generated.ts'
import { ContractFault } from './contract/redocly.ts'

const options = { port: { type: 'string', default: '4010' } } as const
const port = Number(parseArgs({ options }).values.port)
const timeouts = { headersMs: 10_000, requestMs: 15_000 }

try {
  // What is generated may be older than what is written.
  await writeGenerated(await generate())
  const { createMock } = await import('./contract/mock.ts')
  const runtime = createRuntime('silent')
  const app = createHttp({
    contract: await createMock(),
    before: [cors({ exposedHeaders: '*', maxAge: 600 }), createPublished()],
    runtime,
    isStopping: () => false,
    onAnswer: ({ operation, method, status }) => process.stdout.write(`${method} ${operation} ${status}\n`),
  })
  const server = createApiServer(app, runtime.newTraceId, timeouts)
  server.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    process.stderr.write(`Port ${port} is taken. Choose another one: npm run mock -- --port 4011\n`)
    process.exit(1)
  })
  server.listen(port, '127.0.0.1', () => {
    const address = server.address()
    const bound = typeof address === 'object' && address ? address.port : port
    process.stdout.write(
      `The mock listens on http://127.0.0.1:${bound}\n` +
        'Any key will do. Ask for an answer with a header: `Prefer: code=429, example=rate_limited`\n',
    )
  })
} catch (error) {
  if (!(error instanceof ContractFault)) throw error
  process.stderr.write(error.message)
  process.exit(1)
}
