/** What a file would send, for who writes it. Each setting stands with its own name, and no secret is known here. */
import { countSegments } from '../../../domain/sending/wordings/segments.ts'
import type { ProviderFile } from './providerFile.ts'
import { compileRequest } from './request.ts'
import type { SettingValues } from './template.ts'

export interface Preview {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
  segments: number
  /** The same, as HTTP writes it. */
  text: string
}

const code = '482913'
const sample = `${code} is your Acme code.`

export function toRequestPreview(file: ProviderFile): Preview {
  const settings: SettingValues = Object.fromEntries(
    Object.entries(file.settings).map(([name, setting]) => [name, [shown(name, setting)]]),
  )
  const { segments } = countSegments(sample)
  const make = compileRequest(file.request, { declared: new Set(Object.keys(settings)), settings, baseUrl: undefined })
  const asked = make({
    ...{ to: '+14155550100', text: sample, code, brand: 'Acme', locale: 'en', template: undefined, variables: {} },
    ...{ expires_at: new Date('2030-01-01T00:10:00Z'), ttl: 600, ttl_ms: 600_000, segments, time: 1_893_456_000 },
    reference: 'req_00000000000000000000000000.1',
    report_url: 'https://codes.example/providers/acct_default/sms/SECRET?ref=req_00000000000000000000000000.1',
    from: settings.from?.[0],
    token: '***',
  })
  const { method, url, headers = {}, body } = asked ?? { method: '', url: '', headers: {}, body: undefined }
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  const text = [...lines, ...(body === undefined ? [] : ['', body]), '', `The text takes ${segments} segment.`].join(
    '\n',
  )
  return { method, url, headers, body, segments, text }
}

function shown(name: string, { secret, host }: ProviderFile['settings'][string]): string {
  if (host) return name === 'base_url' ? 'https://host.example' : 'host'
  return secret ? '***' : name.toUpperCase()
}
