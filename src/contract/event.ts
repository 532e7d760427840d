/** What the contract says of the events that customers are told: as types, and as facts. */
import type { components } from '../../generated/types.ts'
import { contract } from './document.ts'

/** Any event, told by its `type`. */
export type ContractEvent = components['schemas']['WebhookEvent']

export type EventType = ContractEvent['type']

/** An event of that type. */
export type EventOf<Type extends EventType> = Extract<ContractEvent, { type: Type }>

const webhooks: Record<EventType, Webhook> = contract['x-webhooks']

interface Webhook {
  post: { requestBody: { content: { 'application/json': { examples: Record<string, { value: object }> } } } }
}

/** Every type, in the contract's order. */
export const eventTypes = Object.keys(webhooks) as EventType[]

/** Bytes of JSON that an event may have. */
export const eventBytesMax: number = contract['x-max-event-bytes']

/** The contract's examples of a type, the most ordinary one first. */
export function listEventExamples<Type extends EventType>(type: Type): EventOf<Type>[] {
  const { examples } = webhooks[type].post.requestBody.content['application/json']
  return Object.values(examples).map(({ value }) => value as EventOf<Type>)
}
