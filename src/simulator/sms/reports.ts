/** What became of a message, as a provider posts it: by the examples, the pointers and the map of its file. */

import type { ProviderFile } from '../../delivery/channels/sms/providerFile.ts'
import { findBy } from '../../mapping/pointer.ts'
import { readXml, writeXml } from '../../mapping/xml.ts'
import type { Status } from '../faults.ts'
import type { HandOver } from '../phones.ts'
import type { Post, Poster } from '../poster.ts'
import { parseJson } from '../reply.ts'
import type { Change, Report } from '../wire.ts'
import { firstOf, putAt } from './pointer.ts'
import type { Secrets } from './secrets.ts'
import { createSign } from './signing.ts'

export interface ReportsParts {
  file: ProviderFile
  secrets: Secrets
  /** For messages that name no address of their own; undefined for nowhere. */
  webhook: () => string | undefined
  poster: Poster
  now: () => Date
}

type Form = NonNullable<ProviderFile['report']>
type Example = Extract<ProviderFile['examples'][number], { report: unknown }>

/** Seconds that an old report is late: more than who receives it may let pass. */
const lateSeconds = 600

export function createReports({ file, secrets, webhook, poster, now }: ReportsParts): Report {
  const { report: form } = file
  return async (message, change) => {
    const address = message.origin ?? webhook()
    if (!form || address === undefined) return undefined
    if (wordOf(form, change.status) === undefined) return undefined
    const { manner, attemptsMax } = change
    // A provider that signs nothing is known by the token.
    const isMisdirected = manner === 'misdirected' || (manner === 'forged' && form.signature.scheme === 'url-token')
    const url = isMisdirected ? withWrongToken(address) : address
    const once = manner === 'forged' || manner === 'stale' || manner === 'misdirected'
    const parts = splitParts(form, message)
    const posted = parts.map((part) => {
      const told = fillReport(file, form, { message: part, count: parts.length, change, now: now() })
      const make = (): Post => {
        const at = new Date(now().getTime() - (manner === 'stale' ? lateSeconds * 1000 : 0))
        return toPost(form, secrets, { url, told, now: at, forged: manner === 'forged' })
      }
      return poster.post(url, make, once ? 1 : attemptsMax)
    })
    return (await Promise.all(posted)).at(-1)
  }
}

/** Each SMS of a long text under an id of its own, where the provider reports of each; the address says how many there are. */
function splitParts({ parts }: Form, message: HandOver): HandOver[] {
  const count = Number((parts && message.origin && URL.parse(message.origin)?.searchParams.get('parts')) || 1)
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? message : { ...message, id: `${message.id}-${index + 1}` },
  )
}

interface Telling {
  url: string
  told: unknown
  now: Date
  forged: boolean
}

/** A report in its encoding, and then its signature: it is over what is sent. */
export function toPost({ as, signature }: Form, secrets: Secrets, { url: address, told, now, forged }: Telling): Post {
  const sign = createSign(signature, secrets, { now, forged })
  if (as === 'query') {
    const asked = withQuery(address, textsOf(told))
    const url = withQuery(asked, sign.fields(Object.fromEntries(new URL(asked).searchParams)))
    return { method: 'GET', url, body: '', headers: sign.headers({ url, body: '' }) }
  }
  const fields = sign.fields(textsOf(told))
  const body =
    as === 'json'
      ? JSON.stringify(withMembers(told, fields))
      : as === 'xml'
        ? (writeXml(told as Record<string, unknown>) ?? '')
        : new URLSearchParams({ ...textsOf(told), ...fields }).toString()
  const url = sign.address({ url: address, body, isForm: as === 'form' })
  const type = types[as]
  return { url, body, headers: { ...type, ...sign.headers({ url, body }) } }
}

const types: Readonly<Record<string, Record<string, string>>> = {
  form: { 'Content-Type': 'application/x-www-form-urlencoded' },
  xml: { 'Content-Type': 'application/xml' },
}

/** A list has no place for them. */
function withMembers(told: unknown, fields: Record<string, string>): unknown {
  return Array.isArray(told) ? told : { ...(told as object), ...fields }
}

interface Told {
  message: HandOver
  /** SMS that the text is reported in. */
  count: number
  change: Change
  now: Date
}

function fillReport(file: ProviderFile, form: Form, { message, count, change, now }: Told): unknown {
  const { whole, item } = findStart(form, findExample(file, change))
  const error = change.status === 'failed' ? errorOf(form, change.code) : undefined
  let told: unknown = item
  const put = (pointer: string | undefined, value: unknown) => {
    if (pointer !== undefined && value !== undefined) told = putAt(told, pointer, value)
  }
  put(firstOf(form.parts?.of), count)
  put(firstOf(form.parts?.id), message.id)
  put(firstOf(form.id), message.id)
  // What is in the address comes with it.
  const reference = firstOf(form.reference)
  if (reference !== undefined && message.reference !== undefined) put(reference, message.reference)
  put(form.status, wordOf(form, change.status))
  put(form.at, now.toISOString())
  if (error !== undefined) put(firstOf(form.error), error)
  return whole(told)
}

/** A report of the file that says the same, or nothing. */
function findExample({ examples }: ProviderFile, { status, code }: Change): unknown {
  const fitting = examples
    .filter((one): one is Example => 'report' in one)
    .filter(({ gives: [first] }) => first?.status === status)
  return (fitting.find(({ gives: [first] }) => first?.code === code) ?? fitting[0])?.report.body ?? {}
}

/** Where the pointers begin, and what is put around that again. Of a list, one is told. */
export function findStart({ as, embedded, each, inner }: Form, example: unknown) {
  const body = as === 'xml' && typeof example === 'string' ? readXml(example) : example
  const decoded = embedded === undefined ? body : parseJson(String(findBy(embedded)(body)))
  // Without `each`, a list at the top is taken item by item.
  const list = each === undefined ? decoded : findBy(each)(decoded)
  const outer = each === undefined && !Array.isArray(list) ? list : firstIn(list)
  const item = inner === undefined ? outer : { ...firstIn(findBy(inner)(outer)), outer }
  const whole = (told: unknown): unknown => {
    let all = told
    if (inner !== undefined) {
      const { outer: around, ...rest } = told as Record<string, unknown>
      all = putAt(around, inner, [rest])
    }
    if (each !== undefined) all = putAt(decoded, each, [all])
    else if (Array.isArray(list)) all = [all]
    return embedded === undefined ? all : putAt(body, embedded, JSON.stringify(all))
  }
  return { item, whole }
}

/** In XML, what is there once is no list. */
function firstIn(list: unknown): object {
  const [first] = [list].flat()
  return typeof first === 'object' && first !== null ? first : {}
}

function wordOf({ map }: Form, status: Status): string | undefined {
  return Object.keys(map).find((word) => map[word] === status)
}

/** A code of the provider that means this; none where it has none. */
function errorOf({ codes }: Form, code: string | undefined): string | undefined {
  return Object.keys(codes).find((word) => codes[word] === code)
}

function textsOf(told: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(told as object).map(([name, value]) => [name, String(value)]))
}

/** What the address has of these, stays. */
function withQuery(url: string, fields: Record<string, string>): string {
  const asked = new URL(url)
  for (const [name, value] of Object.entries(fields)) {
    if (!asked.searchParams.has(name)) asked.searchParams.append(name, value)
  }
  return asked.href
}

/** Of the token in the path, another last character. What is no address stays as it is. */
function withWrongToken(url: string): string {
  const address = URL.parse(url)
  if (!address) return url
  address.pathname = address.pathname.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  return address.href
}
