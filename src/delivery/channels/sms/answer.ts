/** What a provider's answer means: an outcome, by the rules of its file. */
import { toPrice } from '../../../domain/channels/price.ts'
import { parseExactJson } from '../../../kit/reading/boundedJson.ts'
import { decodeForm } from '../../../mapping/parameters.ts'
import { findBy, findTextBy } from '../../../mapping/pointer.ts'
import { readXml } from '../../../mapping/xml.ts'
import { type OutboundAnswer, parseAnswerJson } from '../../../outbound/client.ts'
import type { Price } from '../../../store/schema/schema.ts'
import type { Outcome } from '../../channel.ts'
import { wordOf } from '../../report.ts'
import { compileRules, type ReadAnswer } from './rules.ts'
import type { ProviderFile } from './schema.ts'

/** What an answer says, as examples compare it. */
export interface Judged {
  kind: Exclude<Outcome['kind'], 'fault'>
  code?: NonNullable<ProviderFile['answer']['rules'][number]['code']>
  why?: DownReason | undefined
  id?: string
  error?: string
  price?: Price
  retryAfterSeconds?: number
}

export interface RawAnswer {
  status: number
  body: Buffer
  retryAfterSeconds?: number
}

export function compileAnswer(answer: ProviderFile['answer']): (raw: RawAnswer) => Judged {
  const ruleOf = compileRules(answer.rules)
  const idOf = findTextBy(answer.id)
  const errorOf = findTextBy(answer.error)
  const costOf = compilePrice(answer.price)
  const secondsOf = answer.retry_after === 'header' ? undefined : findBy(answer.retry_after)
  return (raw) => {
    const read = readAnswer(answer.as, raw)
    const rule = ruleOf(read)
    const judged: Judged = { kind: rule?.is ?? 'unknown' }
    if (rule?.code !== undefined) judged.code = rule.code
    if (rule?.why !== undefined) judged.why = rule.why
    const [id, error, price] = [idOf(read.value), wordOf(errorOf(read.value)), costOf(read.value)]
    if (id !== undefined && judged.kind === 'sent' && /^[\x21-\x7e]{1,255}$/.test(id)) judged.id = id
    if (error !== undefined && judged.kind !== 'sent') judged.error = error
    if (price && judged.kind === 'sent') judged.price = price
    const seconds = secondsOf ? readWait(secondsOf(read.value)) : raw.retryAfterSeconds
    if (seconds !== undefined && judged.kind === 'retry') judged.retryAfterSeconds = seconds
    return judged
  }
}

/** @param hidden texts that nobody is to see: an error that has one of them in it is left out */
export function toOutcome(
  answer: OutboundAnswer,
  judge: (raw: RawAnswer) => Judged,
  hidden: readonly string[],
): Outcome {
  if (answer.kind === 'unsent') return { kind: 'retry', reason: answer.reason }
  if (answer.kind === 'unknown') return answer
  const { kind, code, why: cause, id, error, price, retryAfterSeconds } = judge(answer)
  if (kind === 'sent') {
    const sent = price ? { kind, price } : { kind }
    return id === undefined || isTellingId(id, hidden) ? sent : { ...sent, providerMessageId: id }
  }
  const word = error !== undefined && !isTelling(error, hidden) ? error : undefined
  const told = word ?? `status ${answer.status}`
  const known = kind === 'down' ? (cause ?? causes[answer.status]) : undefined
  const words = known ? refusals[known] : (failureWords[code ?? ''] ?? meanings[kind])
  const why = { reason: `${words} (${told})`, providerCode: word ?? String(answer.status) }
  if (kind === 'failed') return { kind, code: code ?? 'rejected_by_channel', ...why }
  return kind === 'retry' && retryAfterSeconds !== undefined
    ? { kind, afterSeconds: retryAfterSeconds, ...why }
    : { kind, ...why }
}

type DownReason = NonNullable<ProviderFile['answer']['rules'][number]['why']>

const refusals: Readonly<Record<DownReason, string>> = {
  credentials: 'the provider refuses the credentials',
  balance: 'the provider asks for payment',
  suspended: 'the account at the provider is suspended',
  sender: 'the provider does not let this sender send',
  permission: 'the provider does not allow this account to send so',
}

/** By the status of the answer, where the file says nothing. */
const causes: Readonly<Record<number, DownReason>> = { 401: 'credentials', 402: 'balance', 403: 'permission' }

/** By the code of a failure. */
export const failureWords: Readonly<Record<string, string>> = {
  not_on_channel: 'the provider knows no such number for SMS',
  opted_out: 'the owner of the phone has opted out',
  unreachable: 'the phone is switched off or out of reach',
  country_blocked: 'the account at the provider does not send to this country',
  rejected_by_channel: 'the provider refuses the message',
  not_delivered: 'the provider could not deliver the message',
}

const meanings = {
  retry: 'the provider does not take the message now',
  failed: 'the provider refuses the message',
  down: 'the provider refuses until its settings are corrected',
  unknown: 'the answer does not say whether the message was taken',
}

export function compilePrice(price: ProviderFile['answer']['price']): (value: unknown) => Price | undefined {
  if (!price) return () => undefined
  const amountOf = findTextBy(price.amount)
  const currencyOf = price.currency.startsWith('/') ? findTextBy(price.currency) : () => price.currency
  return (value) => toPrice(amountOf(value), currencyOf(value))
}

export function readAnswer(as: ProviderFile['answer']['as'], { status, body }: RawAnswer): ReadAnswer {
  const text = body.toString()
  if (as === 'text') return { status, text: text.trim(), value: undefined }
  if (as === 'form') return { status, text: undefined, value: decodeForm(text) }
  return { status, text: undefined, value: as === 'xml' ? readXml(text) : parseAnswerJson(body, parseExactJson) }
}

/** Characters of a phone or a secret. A code has fewer. */
const tellingMin = 9

const waitSecondsMax = 24 * 3600

function readWait(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return undefined
  return Math.min(Math.max(Math.ceil(seconds), 0), waitSecondsMax)
}

/** A code of a few digits stands in a long id by chance: without its id, no report would find the message. */
function isTellingId(id: string, hidden: readonly string[]): boolean {
  return (
    hidden.includes(id) ||
    isTelling(
      id,
      hidden.filter(({ length }) => length >= tellingMin),
    )
  )
}

function isTelling(word: string, hidden: readonly string[]): boolean {
  return hidden.some((one) => one !== '' && word.includes(one))
}
