/** What an operator must act on, and a provider tells in a report only: it took the message before. */
import type { Runtime } from '../../kit/runtime.ts'
import { idForm } from '../../store/engine/idRange.ts'
import type { Receipt, Reporter } from '../channel.ts'
import type { OpenConnections } from '../openConnections.ts'

/** Milliseconds after which a report tells nothing of how its connection is now: providers repeat them for days. */
const freshMs = 60_000

export interface ReportedFaultParts {
  connections: Pick<OpenConnections, 'known'>
  runtime: Pick<Runtime, 'now' | 'log'>
}

/** @returns writes it to the log, and has the connection rest where all of it is down */
export function createReportedFaults({ connections, runtime }: ReportedFaultParts) {
  return ({ accountId, connection }: Reporter, { message, reason = 'no reason is known', down, at }: Receipt): void => {
    const now = runtime.now()
    // Any other word is the provider's, and may be a phone.
    const id = message && idForm.test(message.id) ? message.id : undefined
    const told = { message_id: id, account: accountId, connection, reported_at: at, outcome: 'down', reason }
    runtime.log.error(told, 'a connection needs its operator')
    if (down !== 'connection' || now.getTime() - at.getTime() >= freshMs) return
    connections.known({ accountId, mode: 'live', connection })?.rest.note({ kind: 'down', reason, now })
  }
}

/** What an operator must act on, each fault once, as it was told last: one report may tell it of thousands of messages. */
export function downIn(receipts: readonly Receipt[]): Receipt[] {
  const told = receipts
    .filter(({ down }) => down !== undefined)
    .toSorted((one, other) => Number(one.at) - Number(other.at))
  return [...new Map(told.map((receipt) => [`${receipt.down} ${receipt.reason}`, receipt])).values()]
}
