/** Events to try an endpoint with. */
import { type ContractEvent, type EventType, listEventExamples } from '../../contract/event.ts'
import { idForm } from '../../store/engine/idRange.ts'
import type { Mode } from '../../store/schema/schema.ts'

/**
 * The contract's example of a type, as if it had just happened. It is about nothing that there is: the ids in it are zeros,
 * which is how one tells a sample.
 */
export function makeEventSample(type: EventType, mode: Mode, now: Date): ContractEvent {
  const [example] = listEventExamples(type)
  const data = Object.entries({ ...example!.data, mode }).map(([name, value]) => [name, withoutId(value)])
  return { ...example!, timestamp: now.toISOString(), data: Object.fromEntries(data) }
}

function withoutId(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const isRecipient = /^rcp_[0-9a-f]{20}$/.test(value)
  return isRecipient ? `rcp_${'0'.repeat(20)}` : value.replace(idForm, (_id, kind: string) => kind + '0'.repeat(26))
}
