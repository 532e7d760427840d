/** OpenTelemetry's own settings, as far as this service goes by them. `config.ts` reads them. */
import { z } from 'zod'
import { oneOf } from './oneOf.ts'

export interface TelemetrySettings {
  /** Where traces are posted to. */
  url: string
  sampler: (typeof samplers)[number]
  /** Goes by what the caller decided, where there is a caller that did. */
  isParentBased: boolean
  /** Of `traceidratio`: 0 to 1. */
  ratio: number
}

const samplers = ['always_on', 'always_off', 'traceidratio'] as const
const share = 'must be a number from 0 to 1'

export const telemetryForms = {
  collector: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }),
  /** What takes the one over HTTP takes the other at the same address. */
  protocol: oneOf(['http/json', 'http/protobuf']),
  sampler: oneOf([...samplers, ...samplers.map((name) => `parentbased_${name}` as const)]),
  share: z
    .string()
    .regex(/^\d*\.?\d+$/, share)
    .transform(Number)
    .pipe(z.number().max(1, share)),
}

interface Given {
  OTEL_SDK_DISABLED: 'true' | 'false'
  OTEL_TRACES_EXPORTER?: 'otlp' | 'none' | undefined
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined
  OTEL_TRACES_SAMPLER: z.infer<typeof telemetryForms.sampler>
  OTEL_TRACES_SAMPLER_ARG: number
}

/** In their own sense, but that nothing is sent anywhere unless somebody asks for it. @returns undefined: no traces */
export function readTelemetry(value: Given): TelemetrySettings | undefined {
  const { OTEL_TRACES_EXPORTER: exporter, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = value
  const named = value.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (endpoint && `${endpoint.replace(/\/$/, '')}/v1/traces`)
  const isWanted = exporter === 'otlp' || (exporter === undefined && named !== undefined)
  if (value.OTEL_SDK_DISABLED === 'true' || !isWanted) return undefined
  const sampler = value.OTEL_TRACES_SAMPLER
  return {
    url: named ?? 'http://localhost:4318/v1/traces',
    sampler: sampler.replace('parentbased_', '') as TelemetrySettings['sampler'],
    isParentBased: sampler.startsWith('parentbased_'),
    ratio: value.OTEL_TRACES_SAMPLER_ARG,
  }
}
