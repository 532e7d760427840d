/** Messages end before their time, as who sent them asks. */
import type { Tx } from '../../store/engine/session.ts'
import type { MessageKey } from '../../store/sending/message.ts'
import type { Move } from './message.ts'

/** Ends messages because their caller wishes it. @param areTaken for each, whether it waited for that @returns those that did */
export async function endCancelled<Draft extends MessageKey & { at: Date }>(
  tx: Tx,
  move: Move,
  drafts: readonly Draft[],
  areTaken: readonly boolean[],
): Promise<ReadonlySet<Draft>> {
  const ended = drafts.filter((_draft, place) => areTaken[place])
  await move(
    tx,
    ended.map(({ accountId, id, at }) => ({ accountId, id, status: 'expired', at, note: 'cancelled' })),
  )
  return new Set(ended)
}
