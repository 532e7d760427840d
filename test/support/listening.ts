/** Endpoints of a server under test, each with a receiver behind it. */
import type { NewEndpoint } from '../../src/domain/webhooks/endpoint.ts'
import { type EventReceiver, startEventReceiver } from './eventReceiver.ts'
import type { Behaviour } from './provider.ts'
import type { TestServer } from './server.ts'

export interface Listening extends EventReceiver {
  id: string
  secret: string
  /** The types of what came, in that order. */
  types: () => string[]
}

export interface ListenOptions extends Partial<Pick<NewEndpoint, 'accountId' | 'mode' | 'types'>> {
  behaviour?: Behaviour
  /** In place of the receiver's own. */
  url?: string
}

/** Of the default account, for test events of all types, and taking each, if nothing else is said. Whoever tells knows of it. */
export async function listenTo(server: TestServer, options: ListenOptions = {}): Promise<Listening> {
  const { accountId = 'acct_default', mode = 'test', types = null, behaviour } = options
  const receiver = await startEventReceiver(behaviour)
  const { endpoint, secret } = await server.app.endpoints.add({
    accountId,
    mode,
    types,
    url: options.url ?? receiver.url,
  })
  // What is known of the account is not good any more.
  server.runtime.advance(5)
  return {
    ...receiver,
    id: endpoint.id,
    secret,
    types: () => receiver.events().map(({ type }) => type),
  }
}
