/** What a file would send, for who writes it. Each setting stands with its own name, and no secret is known here. */
import { countSegments } from '../../../domain/sending/wordings/segments.ts'
import type { OutboundRequest } from '../../../outbound/client.ts'
import type { ProviderFile } from './providerFile.ts'
import { compileRequest } from './request.ts'
import type { MessageValues, SettingValues } from './template.ts'

interface AskedPreview {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
}

export interface Preview extends AskedPreview {
  /** What is asked before, and by `channels check`, where the file says so. */
  token?: AskedPreview
  probe?: AskedPreview
  segments: number
  /** The same, as HTTP writes it. */
  text: string
}

const code = '482913'
const sample = `${code} is your Acme code.`
const { segments } = countSegments(sample)
const ofMessage = {
  ...{ to: '+14155550100', text: sample, code, brand: 'Acme', locale: 'en', template: undefined, variables: {} },
  ...{ expires_at: new Date('2030-01-01T00:10:00Z'), ttl: 600, ttl_ms: 600_000, segments, time: 1_893_456_000 },
  reference: 'req_00000000000000000000000000.1',
  report_url: 'https://codes.example/providers/acct_default/sms/SECRET?ref=req_00000000000000000000000000.1',
  token: '***',
}

export function toRequestPreview(file: ProviderFile): Preview {
  const settings: SettingValues = Object.fromEntries(
    Object.entries(file.settings).map(([name, setting]) => [name, [shown(name, setting)]]),
  )
  const declared = new Set(Object.keys(settings))
  const values: MessageValues = { ...ofMessage, from: settings.from?.[0] }
  const preview = (asking: ProviderFile['request']): AskedPreview =>
    toAsked(compileRequest(asking, { declared, settings, baseUrl: undefined })(values))
  const { request, token, probe } = file
  const asked = preview(request)
  const others = { ...(token && { token: preview(token) }), ...(probe && { probe: preview(probe) }) }
  const titled = [
    ...(others.token ? [`For a token:\n\n${written(others.token)}`, `For each message:\n\n${written(asked)}`] : []),
    ...(others.token ? [] : [written(asked)]),
    ...(others.probe ? [`For channels check:\n\n${written(others.probe)}`] : []),
    `The text takes ${segments} segment.`,
  ]
  return { ...asked, ...others, segments, text: titled.join('\n\n') }
}

function toAsked(request: OutboundRequest | undefined): AskedPreview {
  const { method, url, headers = {}, body } = request ?? { method: '', url: '' }
  return { method, url, headers, body }
}

function written({ method, url, headers, body }: AskedPreview): string {
  if (method === '') return 'It cannot be shown: a value does not fit its place.'
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  return [...lines, ...(body === undefined ? [] : ['', body])].join('\n')
}

/** A value that a connection could have. */
function shown(name: string, { secret, host, values, of }: ProviderFile['settings'][string]): string {
  if (host) return name === 'base_url' ? 'https://host.example' : 'host'
  if (of === 'digits') return '12345'
  return values?.[0] ?? (secret ? '***' : name.toUpperCase())
}
