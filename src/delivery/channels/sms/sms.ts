/** SMS by any provider: what it is asked, and what its answers and reports mean, is in a file. */
import type { Content } from '../../../domain/sending/content.ts'
import { readNumber } from '../../../domain/sending/numberingPlan.ts'
import { countSegments } from '../../../domain/sending/wordings/segments.ts'
import { ownParameters } from '../../../mapping/parameters.ts'
import { createVerifier } from '../../../mapping/signatures/signature.ts'
import type { AddressGuard } from '../../../outbound/address.ts'
import { type Client, createClient, type OutboundAnswer } from '../../../outbound/client.ts'
import type { Channel, ChannelParts, Finding, Kind, Outcome, Outgoing, Report, ReportPart } from '../../channel.ts'
import { isReply } from '../../report.ts'
import { textOf } from '../../text.ts'
import { compileAnswer, toOutcome } from './answer.ts'
import { createAsking } from './asking/asking.ts'
import { createTokens } from './asking/token.ts'
import { valueFaults } from './faults/valueFaults.ts'
import { listSmsFields } from './fields.ts'
import { probe } from './probe.ts'
import { compileReport, readReceipts } from './report.ts'
import { compileRequest, type RequestParts } from './request.ts'
import { findPlaces, keySetting, keysOf, providerFaults, type SmsSettings, settingsForm } from './settings.ts'
import { documentFaults, findProvider } from './shipped.ts'
import type { MessageValues } from './template.ts'

const limits = { connectMs: 3000, totalMs: 8000, answerBytesMax: 65_536 }
/** Messages that a provider is asked to send at once: those of so many seconds. */
const atOnce = { seconds: 2, min: 64 }

/** @param guard where a connection may lead */
export function createSmsKind({ guard }: { guard: AddressGuard }): Kind<SmsSettings> {
  return {
    settings: settingsForm(guard),
    placesOf: findPlaces,
    prepare: (settings) => void findProvider(settings),
    faultOfPlace: guard.faultOfPlace,
    entryFaults: (entry) => [...providerFaults(entry), ...documentFaults(entry), ...valueFaults(entry)],
    fields: listSmsFields,
    reporterOf: (settings) => findProvider(settings).file?.provider,
    tellsAddress: (settings) => settings.reports !== 'none' && findProvider(settings).file?.report !== undefined,
    words: {
      title: 'SMS',
      carries: 'Codes and all notifications',
      reports:
        'Each message tells your provider this address. Where a provider asks for it in its console, enter it there. Keep it secret: a request to this address counts as a report.',
    },
    carries: () => true,
    open: (settings, parts) => open(settings, parts, guard),
  }
}

function open(settings: SmsSettings, parts: ChannelParts, guard: AddressGuard): Channel {
  const { file, perSecond, reports } = settings
  const { accountId, runtime, answerMs: totalMs = limits.totalMs } = parts
  const atOnceMax = Math.max(atOnce.min, (perSecond ?? 0) * atOnce.seconds)
  const connectMs = Math.min(limits.connectMs, totalMs / 2)
  // With a token, up to two fetches and two questions have to fit into the time of one.
  const client = createClient({
    ...{ ...limits, connectMs, totalMs: file.token ? totalMs / 2 : totalMs },
    ...{ connectionsMax: atOnceMax, guard, now: runtime.now },
  })
  const requestParts = {
    declared: new Set(Object.keys(file.settings)),
    settings: settings.values,
    baseUrl: settings.baseUrl,
  }
  const [request, judge] = [compileRequest(file.request, requestParts), compileAnswer(file.answer)]
  const tokenClient = file.token && createClient({ ...limits, ...tokenLimits(totalMs), guard, now: runtime.now })
  const tokens =
    file.token && tokenClient && toTokens(file.token, { requestParts, client: tokenClient, now: runtime.now })
  const ask = createAsking({ client, tokens, againMs: totalMs / 8, now: runtime.now })
  const isRefused = (answer: OutboundAnswer) =>
    answer.kind === 'answered' && ['failed', 'down', 'retry'].includes(judge(answer).kind)
  const read = file.report && compileReport(file.report, file)
  const address = toAddress(settings, parts)
  const saysMore = /\{\{\s*(text|template|variables\.)/.test(JSON.stringify(file.request))
  const secrets = [...secretsIn(settings), parts.reportToken ?? '']
  return {
    ...(perSecond !== undefined && { perSecond }),
    atOnceMax,
    ...(reports === 'none' && { isUnreported: true }),
    ...(read && reports !== 'none' && { isReported: true, reportedWithinSeconds: file.report?.within }),
    send: async (message) => {
      if (message.content.kind === 'notification' && !saysMore) return codesOnly
      if (file.countries && !isInside(file.countries, message.phone)) return elsewhere
      const values = listValues(message, { settings, now: runtime.now(), address })
      const asked = await ask(request, values, isRefused)
      if (asked === 'unfit') return unfit
      if ('kind' in asked) return asked
      const { question, answer, token = '' } = asked
      // Name and password are in it as base64.
      const credentials = question.headers?.Authorization?.replace(/^\S+ +/, '') ?? ''
      const hidden = [...hiddenOf(message), ...secrets, credentials, token]
      const outcome = toOutcome(answer, judge, hidden)
      return outcome.kind === 'sent' ? { ...outcome, segments: values.segments } : outcome
    },
    verify: verifyBy(settings, parts),
    parse: (body, target = '') => {
      const query = new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?') + 1) : '')
      if (!read) return []
      const told = readReceipts(read(body, query.toString()), query, { accountId, now: runtime.now() })
      return reports === 'handset' ? told : Iterator.from(told).map((one) => unless(reports, one))
    },
    check: () => checkSettings(settings, parts, { ask, requestParts }),
    close: async () => void (await Promise.all([client.close(), tokenClient?.close()])),
  }
}

async function checkSettings(
  settings: SmsSettings,
  parts: ChannelParts,
  { ask, requestParts }: { ask: ReturnType<typeof createAsking>; requestParts: RequestParts },
): Promise<Finding[]> {
  const { file } = settings
  const now = parts.runtime.now()
  const values = { from: settings.values.from?.[0], time: secondsOf(now) } as MessageValues
  const asked = file.probe && (await ask(compileRequest(file.probe, requestParts), values, () => true))
  const told = { file, asked, parts: requestParts, values, now, onBalance: parts.onBalance }
  return [...probe(told), reportFinding(settings, parts)]
}

/** Three eighths of the time; a message has four. Once more is only asked within the first eighth, so that all of it ends in time. */
function tokenLimits(sendMs: number) {
  return { totalMs: (sendMs * 3) / 8, connectMs: sendMs / 4, connectionsMax: 1 }
}

function toTokens(
  form: NonNullable<SmsSettings['file']['token']>,
  { requestParts, client, now }: { requestParts: RequestParts; client: Client; now: () => Date },
) {
  const make = compileRequest(form, requestParts)
  return createTokens({ form, make: () => make({ time: secondsOf(now()) } as MessageValues), ask: client.ask, now })
}

/** What people answer counts, also where a report of delivery does not. */
function unless(reports: 'carrier' | 'none', told: ReportPart | undefined): ReportPart | undefined {
  if (!told || isReply(told)) return told
  return reports === 'none' ? undefined : { ...told, isHearsay: true }
}

/** A value that a header or a type cannot hold, say. */
const unfit: Outcome = {
  ...{
    kind: 'failed',
    code: 'rejected_by_channel',
    reason: 'a value of the message does not fit the request of the file',
  },
  isUnasked: true,
}

/** A number without its country code would reach another phone there. */
const elsewhere: Outcome = {
  ...{
    kind: 'failed',
    code: 'country_blocked',
    reason: 'the provider file names other countries than that of the phone',
  },
  isUnasked: true,
}

function isInside(countries: readonly string[], phone: string): boolean {
  const country = readNumber(phone)?.country
  return country !== undefined && countries.includes(country)
}

/** For a provider that fills a code into a text of its own. */
const codesOnly: Outcome = {
  ...{ kind: 'failed', code: 'rejected_by_channel', reason: 'carries codes only' },
  isUnasked: true,
}

/** Where reports are told to come, without what names the message; undefined where none can come. */
function toAddress(
  { file, reports }: SmsSettings,
  { publicUrl, accountId, connection, reportToken }: ChannelParts,
): string | undefined {
  if (!file.report || reports === 'none' || publicUrl === undefined || reportToken === undefined) return undefined
  return `${publicUrl}/providers/${accountId}/${connection}/${reportToken}`
}

/** Without a token, nobody is believed. */
function verifyBy({ file, values }: SmsSettings, { publicUrl, reportToken: token, runtime: { now } }: ChannelParts) {
  const form = file.report
  if (!form || token === undefined) return () => false
  const verify = createVerifier({ signature: form.signature, keys: keysOf(file, values), token, publicUrl, now })
  const own = form.as === 'query' ? 'GET' : 'POST'
  return ({ method = 'POST', target = '', headers, body }: Report): boolean =>
    method === own && verify({ method, target, headers, body })
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

interface ValueParts {
  settings: SmsSettings
  now: Date
  address: string | undefined
}

/** Milliseconds: Vonage refuses a text that is to be tried for less. */
const ttlMinMs = 20_000

function listValues(
  { id, leg, phone, content, expiresAt }: Outgoing,
  { settings, now, address }: ValueParts,
): MessageValues {
  const reference = `${id}.${leg}`
  const text = textOf(content)
  const { segments } = countSegments(text)
  const leftMs = expiresAt === null ? undefined : Math.max(ttlMinMs, expiresAt.getTime() - now.getTime())
  const { fromByCountry, values } = settings
  const country = fromByCountry.size > 0 ? readNumber(phone)?.country : undefined
  return {
    to: phone,
    text,
    code: content.kind === 'verification' ? content.code : undefined,
    brand: content.kind === 'verification' ? content.brandName : undefined,
    locale: content.kind === 'verification' ? content.locale : undefined,
    expires_at: expiresAt ?? undefined,
    ttl: leftMs === undefined ? undefined : Math.floor(leftMs / 1000),
    ttl_ms: leftMs,
    reference,
    report_url:
      address === undefined
        ? undefined
        : `${address}?${ownParameters.reference}=${reference}${partsIn(settings.file, segments)}`,
    template: content.kind === 'notification' ? content.template : undefined,
    segments,
    time: secondsOf(now),
    variables: content.kind === 'notification' ? content.variables : {},
    from: (country === undefined ? undefined : fromByCountry.get(country)) ?? values.from?.[0],
  }
}

/** Of a text of several SMS, how many, where each is reported by itself and the report does not say it. */
function partsIn({ report }: SmsSettings['file'], segments: number): string {
  const isAsked = report?.parts !== undefined && report.parts.of === undefined
  return isAsked && segments > 1 ? `&${ownParameters.parts}=${segments}` : ''
}

/** What an answer could repeat, and nobody is to see in a timeline. */
function hiddenOf({ phone, content }: Outgoing): string[] {
  return [phone.slice(1), ...tellingIn(content)]
}

function tellingIn(content: Content): string[] {
  if (content.kind === 'verification') return [content.code]
  if (content.template !== undefined) return Object.values(content.variables).filter(({ length }) => length > 2)
  // Somewhere in it is a code, and only who wrote it knows where.
  const words = content.text.match(/[A-Za-z0-9][A-Za-z0-9-]{2,}[A-Za-z0-9]/g) ?? []
  const telling = words.filter((word) => /\d|^[A-Z-]+$/.test(word))
  return telling.flatMap((word) => [word, word.replaceAll('-', '')])
}

function secretsIn({ file, values }: SmsSettings): string[] {
  return Object.entries(values).flatMap(([name, list]) => (file.settings[name]?.secret ? list : []))
}

function reportFinding(
  { file, values, reports }: SmsSettings,
  { publicUrl, accountId, connection }: ChannelParts,
): Finding {
  if (!file.report || reports === 'none') return { level: 'good', text: 'no reports are waited for' }
  const [missing] = keySetting(file).filter((name) => values[name] === undefined)
  if (missing !== undefined) {
    return { level: 'bad', text: `${missing} is not set: it signs the reports, and all of them are refused without it` }
  }
  if (publicUrl === undefined) return { level: 'warning', text: 'PUBLIC_URL is not set here: no report can come' }
  return {
    level: 'good',
    text: `reports come to ${publicUrl}/providers/${accountId}/${connection}, and its secret ending`,
  }
}
