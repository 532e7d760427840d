/** How a phone stands, as the operations of opt-outs answer it. */
import type { Reply } from '../../../../contract/operation.ts'
import type { OptOutState } from '../../../../domain/sending/phones/optOutChange.ts'

export function optOutReply(state: OptOutState): Reply<'addOptOut' | 'removeOptOut' | 'findOptOut'> {
  if (!state.isOptedOut) return { status: 200, data: { opted_out: false } }
  const { category, source, since } = state
  return { status: 200, data: { opted_out: true, category, source, since: since.toISOString() } }
}
