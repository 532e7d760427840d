/** Traces, as this service tells of itself. What is off does nothing and loads nothing; `telemetry.ts` is what there is when it is on. */

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface SpanStart {
  name: string
  kind?: 'server' | 'client' | 'consumer'
  /** As the header `traceparent` has it. Left out, the span under way. */
  parent?: string | undefined
  /** Others that belong to it, in the same form. */
  links?: readonly string[]
  /** Never a code, a key, a phone, or a text of a message. */
  attributes?: Attributes
}

export interface OpenSpan {
  /** 32 lower-case hexadecimal digits. */
  traceId: string
  /** Does `work` with this as the span under way. */
  within: <T>(work: () => T) => T
  finish: (ending?: Ending) => void
}

export interface Ending {
  name?: string
  attributes?: Attributes
  failed?: boolean
  /** Nobody knows who asked: that it is told of is not decided by the parent that he named, but as if there were none. */
  ofStranger?: boolean
}

export interface Tracing {
  isOn: boolean
  /** The span under way, as the header `traceparent` has it; undefined when there is none, or it is not recorded. */
  current: () => string | undefined
  /** Undefined when tracing is off. Without a parent and a span under way, it begins a trace. */
  begin: (start: SpanStart) => OpenSpan | undefined
  /**
   * Resolves when what has ended is sent, or was given up.
   *
   * @param until when that is, in milliseconds by `performance.now`; there is a little time even when that is over
   */
  close: (until: number) => Promise<void>
}

export const noTracing: Tracing = {
  isOn: false,
  current: () => undefined,
  begin: () => undefined,
  close: async () => {},
}

/** Does `work` in a span, if a trace is under way. `note` adds attributes. */
export function inSpan<T>(
  { begin, current }: Tracing,
  start: SpanStart,
  work: (note: (attributes: Attributes) => void) => Promise<T>,
): Promise<T> {
  const span = start.parent !== undefined || current() !== undefined ? begin(start) : undefined
  return span ? workIn(span, work) : work(() => {})
}

async function workIn<T>(span: OpenSpan, work: (note: (attributes: Attributes) => void) => Promise<T>): Promise<T> {
  let noted: Attributes = {}
  try {
    const result = await span.within(() =>
      work((attributes) => {
        noted = { ...noted, ...attributes }
      }),
    )
    span.finish({ attributes: noted })
    return result
  } catch (error) {
    span.finish({ attributes: noted, failed: true })
    throw error
  }
}

/** The header that tells others of the span under way. */
export function traceHeader(tracing: Pick<Tracing, 'current'> | undefined): { traceparent?: string } {
  const traceparent = tracing?.current()
  return traceparent === undefined ? {} : { traceparent }
}

const form = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** A `traceparent` as W3C Trace Context has it, of any version; undefined for what is none. */
export function parseTraceparent(
  text: string | undefined,
): { traceId: string; spanId: string; isSampled: boolean } | undefined {
  const [, version, traceId, spanId, flags, more] = (text !== undefined && form.exec(text)) || []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (version === 'ff' || (version === '00' && more !== undefined) || /^0+$/.test(traceId) || /^0+$/.test(spanId))
    return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
