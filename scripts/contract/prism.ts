/** Prism, an independent reader of the contract: as a mock, or as a proxy that marks what breaks it. */
import { createLogger } from '@stoplight/prism-core'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createServer } from '@stoplight/prism-http-server'
import { bundle } from './redocly.ts'

export interface Prism {
  url: string
  close: () => Promise<void>
}

/** @param upstream of the proxy; without one, Prism answers from the contract's examples */
export async function startPrism(upstream?: string): Promise<Prism> {
  const proxied = upstream === undefined ? { isProxy: false } : { isProxy: true, upstream: new URL(upstream) }
  const server = createServer(await getHttpOperationsFromSpec(await bundle()), {
    components: { logger: createLogger('prism', { level: 'silent' }) },
    config: {
      ...proxied,
      checkSecurity: !proxied.isProxy,
      validateRequest: !proxied.isProxy,
      validateResponse: true,
      // With errors on, a proxy would answer bad requests itself, and the server would never see them.
      errors: false,
      mock: { dynamic: false },
    } as never,
    cors: false,
  })
  const url = await server.listen(0, '127.0.0.1')
  return { url, close: () => server.close() }
}
