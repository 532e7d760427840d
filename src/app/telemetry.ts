/**
 * Traces by OpenTelemetry, sent as OTLP over HTTP in JSON. Loaded when settings ask for it. What `config.ts` does not
 * have, the packages read of the environment themselves: OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, and the headers, timeout,
 * compression and certificates of OTEL_EXPORTER_OTLP_*.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { type Link, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import about from '../../package.json' with { type: 'json' }
import { inTime } from '../kit/inTime.ts'
import { parseTraceparent, type Tracing } from '../kit/tracing.ts'
import { isAskFailure } from '../outbound/failure.ts'
import { type ProxySettings, proxyRefusal, readProxy } from '../outbound/proxy.ts'
import type { TelemetrySettings } from '../settings/telemetry.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER }
/** Milliseconds that a stopping process waits for its last spans to be taken; the fewer where others took its time before. */
const [patienceMs, patienceMsMin] = [2000, 500]

export interface TelemetryParts {
  proxy?: ProxySettings | undefined
  /** Gets why the collector takes no spans any more, and undefined when it takes them again. */
  onTurn: (failure: Error | undefined) => void
  /** Gets each error of this service in sending them. */
  onFault: (error: unknown) => void
}

export function createTelemetry(settings: TelemetrySettings, { proxy, ...told }: TelemetryParts): Tracing {
  const own = resourceFromAttributes({ 'service.name': 'watchword', 'service.version': about.version })
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(settings),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: watched(new OTLPTraceExporter(createExporter(settings, proxy)), told) }),
    ],
  })
  const tracer = provider.getTracer('watchword', about.version)
  const underWay = new AsyncLocalStorage<Span>()

  return {
    isOn: true,
    current: () => readHeader(underWay.getStore()),
    begin: ({ name, kind, parent, links = [], attributes = {} }) => {
      const remote = parseTraceparent(parent)
      const span = tracer.startSpan(
        name,
        {
          kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind],
          links: links.flatMap(linkTo),
          attributes,
        },
        toSpanContext(remote, underWay.getStore()),
      )
      return {
        traceId: span.spanContext().traceId,
        within: (work) => underWay.run(span, work),
        finish: (ending = {}) => {
          // Neither by his sampled flag nor by the id of his trace. What never ends is never sent.
          if (ending.ofStranger && remote && Math.random() >= shareOf(settings)) return
          if (ending.name !== undefined) span.updateName(ending.name)
          if (ending.attributes) span.setAttributes(ending.attributes)
          if (ending.failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    close: async (until) => {
      const withinMs = Math.max(patienceMsMin, Math.min(patienceMs, until - performance.now()))
      const sent = provider.shutdown().catch(() => {})
      // A collector that is away takes nothing, and holds nobody up.
      await inTime(sent, withinMs, () => {})
    },
  }
}

/** Node's own agents know proxies. A collector on this machine is asked directly, as everything on it is. */
function createExporter({ url }: TelemetrySettings, proxy: ProxySettings | undefined) {
  const to = new URL(url)
  const by = proxy && readProxy(proxy, to)
  if (!by) return { url }
  const Agent = to.protocol === 'https:' ? HttpsAgent : HttpAgent
  return { url, httpAgentOptions: () => new Agent({ keepAlive: true, proxyEnv: { HTTP_PROXY: by, HTTPS_PROXY: by } }) }
}

/** The packages themselves give up spans without a word. */
function watched(
  exporter: SpanExporter,
  { onTurn, onFault }: Pick<TelemetryParts, 'onTurn' | 'onFault'>,
): SpanExporter {
  let isFailing = false
  const note = (error: Error | undefined) => {
    if (error !== undefined && !isExportFailure(error)) return onFault(error)
    if ((error !== undefined) === isFailing) return
    isFailing = !isFailing
    onTurn(error)
  }
  return {
    export: (spans, done) => {
      const end: typeof done = ({ code, error }) => {
        const told = error && withoutProxy(error)
        note(told)
        done(told ? { code, error: told } : { code })
      }
      try {
        exporter.export(spans, end)
      } catch (error) {
        end({ code: failed, error: error as Error })
      }
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

/** Where a proxy makes no tunnel, Node writes the whole address of the proxy into its error, with the credentials. */
function withoutProxy(error: Error & { code?: unknown; statusCode?: unknown }): Error {
  return error.code === 'ERR_PROXY_TUNNEL' ? proxyRefusal(Number(error.statusCode)) : error
}

/** `ExportResultCode.FAILED` of a package that is not one of ours. */
const failed = 1
/** What the exporter says of a collector beside what the network does: plain errors, without a code. */
const ofCollector = /^(Request timed out|Concurrent export limit reached|OTLP export response body exceeded .*)$/

function isExportFailure(error: Error): boolean {
  if (isAskFailure(error) || error.name === 'OTLPExporterError') return true
  return error.constructor === Error && ofCollector.test(error.message)
}

function readHeader(span: Span | undefined): string | undefined {
  if (!span?.isRecording()) return undefined
  const { traceId, spanId } = span.spanContext()
  return `00-${traceId}-${spanId}-01`
}

function toSpanContext(remote: ReturnType<typeof parseTraceparent>, underWay: Span | undefined) {
  if (remote) return trace.setSpanContext(ROOT_CONTEXT, { ...spanContextOf(remote), isRemote: true })
  return underWay ? trace.setSpan(ROOT_CONTEXT, underWay) : ROOT_CONTEXT
}

function linkTo(traceparent: string): Link[] {
  const found = parseTraceparent(traceparent)
  return found ? [{ context: spanContextOf(found) }] : []
}

function spanContextOf({ traceId, spanId, isSampled }: NonNullable<ReturnType<typeof parseTraceparent>>) {
  return { traceId, spanId, traceFlags: isSampled ? 1 : 0 }
}

/** The part of requests without a parent that are traced. */
function shareOf({ sampler, ratio }: TelemetrySettings): number {
  return { always_on: 1, always_off: 0, traceidratio: ratio }[sampler]
}

function createSampler({ sampler, isParentBased, ratio }: TelemetrySettings): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[sampler]()
  return isParentBased ? new ParentBasedSampler({ root }) : root
}
