/** What a provider reports of messages, read as its file says. */

import { decodeForm, ownParameters } from '../../../mapping/parameters.ts'
import { findBy, findTextBy, textOfValue } from '../../../mapping/pointer.ts'
import { createReadTime, type ReadTime } from '../../../mapping/reportTime.ts'
import { readXml } from '../../../mapping/xml.ts'
import type { Price } from '../../../store/schema/schema.ts'
import type { Receipt, ReportPart } from '../../channel.ts'
import { parseReportJson, requireFew, toReplyTime, toReportTime, UnreadableReport, wordOf } from '../../report.ts'
import { compilePrice, failureWords } from './answer.ts'
import { compileInbound, type ToldReply, toInbound } from './inbound.ts'
import type { ProviderFile } from './schema.ts'

/** One message in a report, as examples compare it. */
export interface ToldStatus {
  id?: string
  reference?: string
  status: Receipt['status']
  /** With `failed`. */
  code?: NonNullable<Receipt['errorCode']> | 'down'
  error?: string
  at?: string
  price?: Price
  /** Of a text of several SMS, the one that is told of, and how many there are. */
  part?: string
  of?: string
}

type ReportForm = NonNullable<ProviderFile['report']>

/** What a report tells. */
export interface ReadReport {
  /** Read one after the other, as they are asked for; undefined for what tells nothing. */
  told: Iterable<ToldStatus | ToldReply | undefined>
  /** Reads their times. */
  timeOf: ReadTime
  /** Whether it is about one message, so that its address may name that; of some, nothing may be told. */
  isOfOne: boolean
}

/**
 * @returns reads the body, or the query of a report that is one
 * @throws UnreadableReport when it is of another form, OverlongReport
 */
export function compileReport(
  form: ReportForm,
  { inbound, countries }: Pick<ProviderFile, 'inbound' | 'countries'> = {},
): (body: Buffer, query: string) => ReadReport {
  const statusOf = compileTold(form)
  const replyOf = compileInbound(inbound, countries)
  // First: a reply may also have what a report calls its status.
  const toldOf = (item: unknown) => replyOf(item) ?? statusOf(item)
  const itemsOf = compileItems(form)
  const timeOf = createReadTime(form.zone)
  return (body, query) => {
    const items = requireFew(itemsOf(decode(form.as, body, query)))
    const told = items.values().map(toldOf)
    return { told, timeOf, isOfOne: items.length === 1 }
  }
}

/** The message that `{{reference}}` names, and nothing else. */
export function messageIn(reference: string | undefined): string | undefined {
  return /^([\x21-\x2d\x2f-\x7e]{1,100})\.\d{1,5}$/.exec(reference ?? '')?.[1]
}

/** @param query of the address that the report came to: it names a message where there is only one */
export function readReceipts(
  { told, timeOf, isOfOne }: ReadReport,
  query: URLSearchParams,
  { accountId, now }: { accountId: string; now: Date },
): Iterable<ReportPart | undefined> {
  const asked = isOfOne ? messageIn(query.get(ownParameters.reference) ?? undefined) : undefined
  return Iterator.from(told).map((one): ReportPart | undefined => {
    if (!one) return undefined
    if ('reply' in one) return toInbound(one, (at) => toReplyTime(timeOf(at), now))
    const { id: providerMessageId, reference, status, code, error, at, price } = one
    const own = messageIn(reference)
    const message = own === undefined ? {} : { message: { accountId, id: own } }
    const orMessage = asked === undefined ? {} : { orMessage: { accountId, id: asked } }
    const provider = providerMessageId === undefined ? {} : { providerMessageId }
    if (own === undefined && asked === undefined && providerMessageId === undefined) return undefined
    const named = { ...message, ...orMessage, ...provider, ...(price && { price }) }
    const receipt = { ...named, status, at: toReportTime(timeOf(at), now) }
    if (status !== 'failed') return { ...receipt, ...readPart(one, query) }
    const words = failureWords[code ?? ''] ?? 'reported as failed'
    const reason = error === undefined ? words : `${words} (${error})`
    const why = { reason, ...(error !== undefined && { providerCode: error }) }
    if (code === 'down') return { ...receipt, ...why, errorCode: 'channel_unavailable', down: 'connection' }
    return { ...receipt, ...why, errorCode: code ?? 'not_delivered' }
  })
}

/** SMS of one text: more than one of 1,600 characters takes. */
const partsMax = 40

/** Which SMS of how many; nothing where that is not known, or there is one. */
function readPart({ part: id, of }: ToldStatus, query: URLSearchParams): Pick<Receipt, 'part'> {
  const count = Number(of ?? query.get(ownParameters.parts))
  return id !== undefined && Number.isInteger(count) && count > 1 && count <= partsMax
    ? { part: { id, of: count } }
    : {}
}

function compileTold({
  id,
  reference,
  status,
  at,
  error,
  map,
  codes,
  price,
  parts,
}: ReportForm): (item: unknown) => ToldStatus | undefined {
  const [idOf, referenceOf, statusOf, errorOf] = [id, reference, status, error].map(findTextBy) as ReturnType<
    typeof findTextBy
  >[]
  const atOf = findTextBy(at)
  const priceOf = compilePrice(price)
  const [partIdOf, partCountOf] = [findTextBy(parts?.id), findTextBy(parts?.of)]
  const [statuses, failures] = [new Map(Object.entries(map)), new Map(Object.entries(codes))]
  return (item) => {
    const meaning = statuses.get(statusOf!(item) ?? '')
    if (meaning === undefined) return undefined
    const told: ToldStatus = { status: meaning }
    const [own, ours, when, cost] = [idOf!(item), referenceOf!(item), atOf(item), priceOf(item)]
    if (own !== undefined && /^[\x21-\x7e]{1,255}$/.test(own)) told.id = own
    if (ours !== undefined && messageIn(ours) !== undefined) told.reference = ours
    if (when !== undefined) told.at = when
    if (cost) told.price = cost
    const [part, of] = [partIdOf(item), partCountOf(item)]
    if (part !== undefined && /^[\x21-\x7e]{1,255}$/.test(part)) told.part = part
    if (of !== undefined) told.of = of
    if (meaning !== 'failed') return told
    const word = errorOf!(item)
    told.code = failures.get(word ?? '') ?? 'not_delivered'
    const shown = wordOf(word)
    if (shown !== undefined) told.error = shown
    return told
  }
}

/** The values that tell of a message each. */
function compileItems({ embedded, each, inner }: ReportForm): (root: unknown) => unknown[] {
  const [embeddedOf, eachOf, innerOf] = [embedded, each, inner].map((pointer) =>
    pointer === undefined ? undefined : findBy(pointer),
  )
  return (root) => {
    const whole = embeddedOf ? parsed(Buffer.from(textOfValue(embeddedOf(root)) ?? '')) : root
    const outers = toList(eachOf ? eachOf(whole) : whole)
    if (!innerOf) return outers
    return outers.flatMap((outer) =>
      toList(innerOf(outer)).map((item) =>
        typeof item === 'object' && item !== null ? { ...item, outer } : { outer },
      ),
    )
  }
}

/** What is missing is a report about something else; of what is no list, there is one. */
function toList(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

function decode(as: ReportForm['as'], body: Buffer, query: string): unknown {
  const text = as === 'query' ? query : body.toString()
  // Some let their customers choose between a form and JSON with the same names. No name of a form begins with a bracket.
  if (as === 'json' || (as === 'form' && /^\s*[{[]/.test(text))) return parsed(body)
  // A body that is no text has no form.
  const read = as === 'xml' ? readXml : decodeForm
  const form = text.includes('\ufffd') ? undefined : read(text)
  if (!form) throw new UnreadableReport()
  return form
}

/** @throws UnreadableReport for what is neither an object nor a list, OverlongReport */
function parsed(json: Buffer): unknown {
  const value = parseReportJson(json)
  if (typeof value === 'object' && value !== null) return value
  throw new UnreadableReport()
}
