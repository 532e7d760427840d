/** Whether events are as the contract describes them: for tests, and for whoever makes them outside production. */
import type { EventValidator } from '../../generated/events.js'
import { eventBytesMax } from './event.ts'

/**
 * What is wrong with an event, never with a value: it may be a secret.
 *
 * @param body as it is sent
 * @param headers those it came with, their names in lower case; what is not sent yet has none
 */
export type EventCheck = (body: string, headers?: Record<string, unknown>) => string[]

export async function createEventCheck(): Promise<EventCheck> {
  // Loaded here, so that production does not.
  const { events } = await import('../../generated/events.js')
  const validators = new Map<unknown, EventValidator>(Object.entries(events))
  return (body, headers) => {
    const event = parsed(body)
    const validate = validators.get(event?.type)
    if (!validate) return ['its type is not documented']
    const isValid = validate({ body: event, ...(headers && { headers }) })
    const faults = isValid ? [] : [...new Set(validate.errors?.map(findFault))]
    return Buffer.byteLength(body) > eventBytesMax ? [...faults, `it has more than ${eventBytesMax} bytes`] : faults
  }
}

function parsed(body: string): { type?: unknown } | null {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

type Fault = NonNullable<EventValidator['errors']>[number]

function findFault({ instancePath, keyword, params, message }: Fault): string {
  if (keyword !== 'additionalProperties') return `${instancePath}: ${message}`
  return `${instancePath}/${params.additionalProperty}: is not described`
}
