/** In which trace a message was made: kept with its first step, and only where the request was traced. */
import { inSpan, type SpanStart, type Tracing } from '../../kit/tracing.ts'
import { batch, keyColumns } from '../engine/batch.ts'
import { type Reader, read } from '../engine/session.ts'
import type { MessageKey } from './message.ts'

const g = batch<MessageKey>('g', keyColumns, { ids: 'id' })

const traces = read<{ n: number; trace: string | null }>(`
  select g.n::int as n, m.timeline -> 0 ->> 'trace' as trace
  from ${g.numbered} join message m on m.account_id = g.account_id and m.id = g.id and ${g.inIdRange('m.id')}`)

/** Does work on a message in a span of the trace in which it was made, if it was made in one. */
export type InTrace = <T>(key: MessageKey, start: SpanStart, work: () => Promise<T>) => Promise<T>

/** For these messages. When tracing is off, nobody is asked for them; when nobody answers, the work is done in no trace. */
export async function traceMessages(
  { reader, tracing }: { reader: Reader; tracing: Tracing },
  keys: readonly MessageKey[],
): Promise<InTrace> {
  if (!tracing.isOn) return (_key, _start, work) => work()
  const found = await reader.run(traces, g.valuesOf(keys)).catch(() => [])
  const parents = new Map(found.map(({ n, trace }) => [nameOf(keys[n - 1]!), trace]))
  return (key, start, work) => {
    const parent = parents.get(nameOf(key))
    return parent ? inSpan(tracing, { ...start, parent }, work) : work()
  }
}

function nameOf({ accountId, id }: MessageKey): string {
  return `${accountId} ${id}`
}
