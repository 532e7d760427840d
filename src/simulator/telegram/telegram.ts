/** Telegram's Gateway, which brings codes only. */
import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import type { Exchange } from '../exchange.ts'
import type { Journal } from '../journal.ts'
import type { Draft, HandOver, Phones } from '../phones.ts'
import type { Poster } from '../poster.ts'
import { bearerOf, type Incoming, parseJson, type Reply } from '../reply.ts'
import type { Voice, Wire } from '../wire.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createReports } from './reports.ts'
import { ability, phoneOf, revocation, sending, statusCheck } from './request.ts'

export interface TelegramParts {
  token: string
  /** For messages that name no address of their own; undefined for nowhere. */
  webhook: () => string | undefined
  poster: Poster
  exchange: Exchange
  phones: Phones
  journal: Journal
  now: () => Date
}

/** What the methods work with. */
interface Desk extends Pick<TelegramParts, 'exchange' | 'phones'> {
  ledger: Ledger
  voice: Voice
}

type Method = (desk: Desk, body: unknown) => Reply

const methods: Record<string, Method> = {
  '/checkSendAbility': checkSendAbility,
  '/sendVerificationMessage': sendVerificationMessage,
  '/checkVerificationStatus': checkVerificationStatus,
  '/revokeVerificationMessage': revokeVerificationMessage,
}

/** Errors that come before a code is sent, when it is asked whether one could be. */
const early = /^(PHONE_NUMBER|ACCESS_TOKEN|BALANCE)_/

export function createTelegram(parts: TelegramParts): Wire {
  const { token, exchange, phones, journal } = parts
  const ledger = createLedger()
  const post = createReports({ ...parts, statusOf: (message) => ledger.statusOf(message.id, message) })
  const voice: Voice = {
    refuse: (error, status = 200) => {
      journal.note('telegram', `refused: ${error}`)
      return { status, value: { ok: false, error } }
    },
    accept: (message) => good(ledger.statusOf(message.id, message)),
    report: (message, change) => {
      if (change.status === 'expired') ledger.refund()
      return post(message, change)
    },
  }

  return {
    answer: (incoming) => {
      const method = Object.hasOwn(methods, incoming.path) ? methods[incoming.path] : undefined
      if (!method) return undefined
      if (bearerOf(incoming) !== token) return voice.refuse('ACCESS_TOKEN_INVALID')
      return method({ exchange, phones, ledger, voice }, bodyOf(incoming))
    },
    report: voice.report,
  }
}

/** A GET has it in its query. */
function bodyOf({ method, query, body }: Incoming): unknown {
  return method === 'GET' ? Object.fromEntries(query) : parseJson(body)
}

function checkSendAbility({ exchange, phones, ledger, voice }: Desk, body: unknown): Reply {
  const { data, error } = ability.safeParse(body)
  if (error) return voice.refuse(toReason(error))
  const phone = phoneOf(data.phone_number)
  const draft: Draft = {
    wire: 'telegram',
    id: '',
    phone,
    reference: undefined,
    content: { text: '' },
    origin: undefined,
  }
  const met = exchange.meet('telegram', phone)
  const { refusal, fate, taken } = met.behaviour
  // What a number is for, it shows when a code is sent; chance meets any request.
  if (refusal && (met.random || early.test(refusal.code)) && exchange.isRefused(met, draft)) {
    phones.refuse(draft, met.name, refusal.code)
    return voice.refuse(refusal.code)
  }
  if (met.random && fate && !taken) return { status: 500, fate }
  return { ...good(ledger.statusOf(ledger.open(phone))), ...(met.random && { fate }) }
}

function sendVerificationMessage({ exchange, phones, ledger, voice }: Desk, body: unknown): Reply {
  const { data, error } = sending.safeParse(body)
  const phone = phoneOf(String(data?.phone_number ?? numberIn(body) ?? ''))
  const draft = (content: Draft['content'], id: string): Draft => ({
    wire: 'telegram',
    id,
    phone,
    reference: data?.payload,
    content,
    origin: data?.callback_url,
  })
  const refuse = (reason: string): Reply => {
    if (phone !== '+') phones.refuse(draft({ text: '' }, ''), 'none', reason)
    return voice.refuse(reason)
  }
  if (error) return refuse(toReason(error))
  const { request_id: given, code_length: length = 6 } = data
  if (given !== undefined && ledger.phoneOf(given) !== phone) return refuse('REQUEST_ID_INVALID')
  const code = data.code ?? String(randomInt(10 ** length)).padStart(length, '0')
  const content = { code, text: `Your verification code is ${code}.` }
  return exchange.handOver(draft(content, given ?? ledger.open(phone)), voice)
}

function checkVerificationStatus({ phones, ledger, voice }: Desk, body: unknown): Reply {
  const { data, error } = statusCheck.safeParse(body)
  if (error) return voice.refuse(toReason(error))
  const { request_id: id, code } = data
  const message = phones.find(id)
  if (!message && ledger.phoneOf(id) === undefined) return voice.refuse('REQUEST_ID_INVALID')
  if (message && code !== undefined) phones.verify(message, verdictOn(message, code))
  return good(ledger.statusOf(id, message))
}

function revokeVerificationMessage({ exchange, phones, ledger, voice }: Desk, body: unknown): Reply {
  const { data, error } = revocation.safeParse(body)
  if (error) return voice.refuse(toReason(error))
  const message = phones.find(data.request_id)
  if (!message && ledger.phoneOf(data.request_id) === undefined) return voice.refuse('REQUEST_ID_INVALID')
  // One that has arrived stays.
  if (message?.statuses.length === 0) void exchange.tell(message, { status: 'revoked' }, voice.report)
  return good(true)
}

function good(result: unknown): Reply {
  return { status: 200, value: { ok: true, result } }
}

function verdictOn({ content }: HandOver, code: string): 'code_valid' | 'code_invalid' {
  return content.code === code ? 'code_valid' : 'code_invalid'
}

/** Telegram names one fault. */
function toReason({ issues }: z.ZodError): string {
  const [first] = issues
  return first && /^[A-Z_]+$/.test(first.message) ? first.message : 'BAD_REQUEST'
}

/** The number that a request is about, as far as one can tell. */
function numberIn(body: unknown): string | undefined {
  return ability.safeParse(body).data?.phone_number
}
