/** WhatsApp's Cloud API, as far as who sends templates meets it. */
import { randomInt } from 'node:crypto'
import type { Exchange } from '../exchange.ts'
import type { Journal } from '../journal.ts'
import type { Draft, Phones } from '../phones.ts'
import type { Poster } from '../poster.ts'
import { bearerOf, type Incoming, type Reply } from '../reply.ts'
import type { Voice, Wire } from '../wire.ts'
import { graphError } from './graphError.ts'
import { readMessage } from './message.ts'
import { createReply, createReports, type ReportsParts, wamid } from './reports.ts'
import type { Templates } from './templates.ts'

export interface WhatsappParts extends ReportsParts {
  token: string
  /** Whether a `phone_number_id` is one that may send. */
  mayFrom: (phoneNumberId: string) => boolean
  templates: Templates
  exchange: Exchange
  phones: Phones
  journal: Journal
}

/** `/v23.0/<id>/messages` and the like. */
const pathForm = /^\/v\d{1,3}\.\d{1,2}\/(\w+)(?:\/(messages|message_templates))?$/

export function createWhatsapp(parts: WhatsappParts): Wire {
  const { token, mayFrom, businessAccountId, templates, exchange, phones, journal } = parts
  const refuse = (code: string, details?: string, status?: number): Reply => {
    journal.note('whatsapp', `refused: ${code}${details ? ` (${details})` : ''}`)
    return graphError(code, details, status)
  }
  const voice: Voice = {
    refuse: (code, status) => refuse(code, undefined, status),
    accept: ({ id, phone }) => ({
      status: 200,
      value: {
        messaging_product: 'whatsapp',
        contacts: [{ input: phone, wa_id: phone.slice(1) }],
        messages: [{ id, message_status: 'accepted' }],
      },
    }),
    report: createReports(parts),
  }
  return { answer, report: voice.report, reply: createReply(parts) }

  function answer(incoming: Incoming): Reply | undefined {
    const { method, path, query } = incoming
    const [whole, id = '', what] = pathForm.exec(path) ?? []
    if (whole === undefined) return undefined
    if (bearerOf(incoming) !== token) return refuse('190')
    const isKnown = what === 'message_templates' ? id === businessAccountId : mayFrom(id)
    const right = method === (what === 'messages' ? 'POST' : 'GET')
    if (!isKnown || !right) {
      return refuse('100', `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist`)
    }
    if (what === 'messages') return send(incoming, id)
    return what === 'message_templates' ? templates.page(query) : numberReply(id, query)
  }

  function send(incoming: Incoming, phoneNumberId: string): Reply {
    const read = readMessage(incoming, templates)
    const to = read.to?.replace(/^\+?/, '+')
    const draft = (more: Pick<Draft, 'reference' | 'content'>): Draft => ({
      wire: 'whatsapp',
      id: wamid(),
      phone: to ?? '',
      origin: phoneNumberId,
      ...more,
    })
    if (!('fault' in read)) return exchange.handOver(draft(read), voice)
    const { fault, details } = read
    if (to !== undefined) phones.refuse(draft({ reference: undefined, content: { text: '' } }), 'none', fault)
    return refuse(fault, details)
  }
}

/** Of a number that sends, the fields that were asked for. */
function numberReply(id: string, query: URLSearchParams): Reply {
  const fields: Record<string, unknown> = {
    id,
    verified_name: 'Simulated business',
    code_verification_status: 'VERIFIED',
    display_phone_number: '+1 555 078 3881',
    quality_rating: 'GREEN',
    name_status: 'APPROVED',
    status: 'CONNECTED',
  }
  const wanted = query.get('fields')?.split(',') ?? Object.keys(fields)
  const unknown = wanted.find((name) => !Object.hasOwn(fields, name))
  if (unknown !== undefined) return graphError('100', `Tried accessing nonexisting field (${unknown})`)
  return { status: 200, value: { ...Object.fromEntries(wanted.map((name) => [name, fields[name]])), id } }
}

/** The question of Meta whether an address is the receiver's: the answer must be the number, as it is. */
export async function shakeHands(poster: Poster, url: string, verifyToken: string): Promise<string | undefined> {
  const challenge = String(randomInt(1_000_000_000))
  const asked = new URL(url)
  asked.searchParams.set('hub.mode', 'subscribe')
  asked.searchParams.set('hub.challenge', challenge)
  asked.searchParams.set('hub.verify_token', verifyToken)
  const answer = await poster.get(asked.href)
  if ('reason' in answer) return `no answer: ${answer.reason}`
  if (answer.answered !== 200) return `answered ${answer.answered}`
  return answer.text === challenge ? undefined : 'answered 200, but not the challenge'
}
