/** One provider of SMS, as its file describes it: played backwards. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { ProviderFile } from '../../delivery/channels/sms/providerFile.ts'
import { readXml, writeXml } from '../../mapping/xml.ts'
import type { Exchange } from '../exchange.ts'
import type { Journal } from '../journal.ts'
import type { Draft, Phones } from '../phones.ts'
import type { Poster } from '../poster.ts'
import { type Incoming, parseJson, type Reply } from '../reply.ts'
import type { ReplyTo, Report, Voice } from '../wire.ts'
import { createAnswers } from './answers.ts'
import { createPathReader, createReader, type Found } from './places.ts'
import { firstOf, putAt } from './pointer.ts'
import { createReplyTo } from './replies.ts'
import { createReports } from './reports.ts'
import { createSecrets } from './secrets.ts'

export interface ProviderParts {
  file: ProviderFile
  /** By `<provider>.<setting>`; standard ones when left out. */
  secrets: Readonly<Record<string, string>>
  /** For messages that name no address of their own; undefined for nowhere. */
  webhook: () => string | undefined
  poster: Poster
  exchange: Exchange
  phones: Phones
  journal: Journal
  now: () => Date
}

export interface SimulatedProvider {
  /** @returns undefined for what the file does not ask */
  answer: (incoming: Incoming) => Reply | undefined
  report: Report
  reply: ReplyTo
  /** What a connection must have in its settings, as far as the simulator looks at it. */
  expected: Readonly<Record<string, string>>
}

type Asking = Pick<ProviderFile['request'], 'method' | 'url' | 'headers' | 'auth' | 'as' | 'body'>

export function createProvider(parts: ProviderParts): SimulatedProvider {
  const { file, exchange, phones, journal } = parts
  const { provider, request, probe, token } = file
  const secrets = createSecrets(file, parts.secrets)
  const answers = createAnswers(file)
  const readSend = toReader(file, request)
  const readProbe = probe && toReader(file, probe)
  const readToken = token && toReader(file, token)
  const report = createReports({ ...parts, secrets })

  const refuse = (what: string): Reply => {
    journal.note('sms', `${provider} refused: ${what}`)
    return answers.refused(what)
  }
  const voice: Voice = { refuse: (code) => refuse(code), accept: ({ id }) => answers.taken(id), report }
  const isRight = (found: Found) =>
    Object.entries(secrets.expected).every(([name, value]) => (found[`s.${name}`] ?? value) === value) &&
    (found.token ?? simulatedToken) === simulatedToken

  let seen: Found = {}
  const send = (found: Found): Reply => {
    seen = found
    const draft = toDraft(file, answers.newId(), found)
    if (isRight(found) && draft) return exchange.handOver(draft, voice)
    const why = draft ? 'down' : 'rejected_by_channel'
    if (draft) phones.refuse(draft, 'none', why)
    return refuse(why)
  }
  return {
    expected: secrets.expected,
    report,
    reply: createReplyTo({ ...parts, secrets }),
    answer: (incoming) => {
      const found = readSend(incoming)
      if (found) return send(found)
      const asked = readProbe?.(incoming)
      if (asked) return isRight(asked) ? answers.probed({ ...seen, ...asked }, parts.now()) : refuse('down')
      const wanted = readToken?.(incoming)
      return wanted && tokenFor(file, isRight(wanted))
    },
  }
}

const simulatedToken = 'simulated-token'

function tokenFor({ token }: ProviderFile, isRight: boolean): Reply {
  if (!token || !isRight) return { status: 401, value: {} }
  const value = putAt({}, firstOf(token.value)!, simulatedToken)
  return token.as === 'xml'
    ? { status: 200, text: writeXml(value as Record<string, unknown>) ?? '' }
    : { status: 200, value }
}

/** @returns what a request says; undefined where it is not the one that the file asks with */
function toReader({ settings }: ProviderFile, { method, url, headers, auth, as, body = {} }: Asking) {
  const names = new Set(Object.keys(settings))
  const read = createReader(names)
  const readPath = createPathReader(url, names)
  return (incoming: Incoming): Found | undefined => {
    if (incoming.method !== method) return undefined
    const parts = [
      readPath(incoming.path),
      read(lowerCased(headers), incoming.headers),
      read(auth?.basic ?? [], toBasic(incoming)),
      read(body, readBody(incoming, as)),
    ]
    return parts.every((part) => part !== undefined) ? Object.assign({}, ...parts) : undefined
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function toBasic({ headers }: Incoming): string[] {
  const [, encoded = ''] = /^Basic (\S+)$/i.exec(headers.authorization ?? '') ?? []
  const [, user = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return [user, password]
}

function readBody({ query, body }: Incoming, as: Asking['as']): unknown {
  if (as === 'json') return parseJson(body) ?? {}
  if (as === 'xml') return readXml(body) ?? {}
  return Object.fromEntries(as === 'form' ? new URLSearchParams(body) : query)
}

/** @returns undefined where nothing can be shown on a phone */
function toDraft({ provider, countries }: ProviderFile, id: string, found: Found): Draft | undefined {
  const { text, code = codeIn(text), reference = referenceIn(found.report_url), report_url: origin } = found
  const phone = findPhone(found, countries)
  if (!/^\+[1-9]\d{6,14}$/.test(phone) || (text === undefined && code === undefined)) return undefined
  const content = { text: text ?? `Your code is ${code}.`, ...(code !== undefined && { code }) }
  return { wire: 'sms', provider, id, phone, reference, content, origin }
}

/** In E.164 form. A number without its country is one of that which is beside it, or of one that the file names. */
function findPhone({ to = '', national, calling_code }: Found, countries: readonly string[] = ['']): string {
  if (national === undefined) return to.replace(/^\+?/, '+')
  const read = countries.map((country) =>
    parsePhoneNumberFromString(
      national,
      calling_code === undefined ? { defaultCountry: country as 'TR' } : { defaultCallingCode: calling_code },
    ),
  )
  return read.find((phone) => phone?.isValid())?.number ?? ''
}

/** What a person would type. */
function codeIn(text: string | undefined): string | undefined {
  return /(?<!\d)\d{4,10}(?!\d)/.exec(text ?? '')?.[0]
}

/** Where the address of the reports names the message. */
function referenceIn(url: string | undefined): string | undefined {
  return (url && URL.parse(url)?.searchParams.get('ref')) || undefined
}
