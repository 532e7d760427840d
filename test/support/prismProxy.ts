/** Prism between client and server: an independent reader of the contract, who marks what breaks it. */
import { join } from 'node:path'
import { createLogger } from '@stoplight/prism-core'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createServer } from '@stoplight/prism-http-server'

const contract = join(import.meta.dirname, '../../openapi.yaml')

export async function startProxy(upstream: string): Promise<{ url: string; close: () => Promise<void> }> {
  const operations = await getHttpOperationsFromSpec(contract)
  const server = createServer(operations, {
    components: { logger: createLogger('prism', { level: 'silent' }) },
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      checkSecurity: false,
      validateRequest: false,
      validateResponse: true,
      // With errors on, Prism would answer bad requests itself, and the server would never see them.
      errors: false,
      mock: { dynamic: false },
    } as never,
    cors: false,
  })
  const url = await server.listen(0, '127.0.0.1')
  return { url, close: () => server.close() }
}
