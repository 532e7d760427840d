/** A customer's endpoint, which judges every event by the contract. */
import { Webhook } from 'standardwebhooks'
import { type ContractEvent, type EventType, eventTypes } from '../../src/contract/event.ts'
import { createEventCheck } from '../../src/contract/eventCheck.ts'
import { type Asked, type Behaviour, startProvider } from './provider.ts'

export interface EventReceiver {
  /** To be added as an endpoint. */
  url: string
  /** Behaves so from now on. */
  behave: (behaviour: Behaviour) => void
  /** What came so far, in that order. */
  received: Asked[]
  /** The same, as events. */
  events: () => ContractEvent[]
  /** What is wrong with what came, by the secret that the endpoint has. */
  faults: (secret: string) => string[]
  /** The documented types of which nothing came. */
  missing: () => EventType[]
  close: () => Promise<void>
}

/** @param behaviour takes every event, when left out */
export async function startEventReceiver(behaviour: Behaviour = { status: 204 }): Promise<EventReceiver> {
  const [provider, check] = await Promise.all([startProvider(behaviour), createEventCheck()])
  const faultsOf = (secret: string) => (asked: Asked) =>
    [
      ...check(asked.body, asked.headers),
      ...(asked.method === 'POST' ? [] : [`it is a ${asked.method}`]),
      ...(asked.headers['content-type'] === 'application/json' ? [] : ['it is not sent as application/json']),
      ...(isSigned(asked, secret) ? [] : ['its signature does not match']),
    ].map((fault) => `${typeOf(asked)}: ${fault}`)
  return {
    url: provider.url,
    behave: provider.behave,
    events: () => provider.asked.map(({ body }) => JSON.parse(body)),
    received: provider.asked,
    faults: (secret) => provider.asked.flatMap(faultsOf(secret)),
    missing: () => {
      const seen = new Set(provider.asked.map(typeOf))
      return eventTypes.filter((type) => !seen.has(type))
    },
    close: provider.close,
  }
}

function typeOf({ body }: Asked): string {
  return /^\{"type":"([a-z._]+)"/.exec(body)?.[1] ?? 'no event'
}

/** As another implementation of Standard Webhooks signs; whenever that was, because tests move the clock. */
function isSigned({ headers, body }: Asked, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures } = headers
  const expected = new Webhook(secret).sign(String(id), new Date(Number(seconds) * 1000), body)
  return String(signatures).split(' ').includes(expected)
}
