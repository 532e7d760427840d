/** Events as types. Each line below a comment fails; were it to compile, the comment itself would fail the check. */
import type { ContractEvent, EventOf, EventType } from '../../src/contract/event.ts'

export function reasonOf(event: ContractEvent): string {
  if (event.type === 'message.failed') return event.data.error.code
  if (event.type === 'endpoint.disabled') return event.data.endpoint_id
  // @ts-expect-error no other event tells an error
  return event.data.error.code
}

// @ts-expect-error the contract has no such type
export const unknownType: EventType = 'message.lost'

export const undescribedField: EventOf<'message.read'>['data'] = {
  request_id: 'req_',
  kind: 'notification',
  status: 'read',
  mode: 'live',
  channel: 'wa-eu',
  // @ts-expect-error the contract has no such field
  phone: '+14155550100',
}

// @ts-expect-error the contract requires a reason
export const missingField: EventOf<'verification.failed'>['data'] = {
  request_id: 'req_',
  kind: 'verification',
  status: 'sent',
  mode: 'live',
}
