/** What became of messages, as WhatsApp posts it: all of a moment in one body, signed with the app's secret. */
import { createHmac, createSecretKey, randomUUID } from 'node:crypto'
import { createBatches } from '../batches.ts'
import type { HandOver } from '../phones.ts'
import type { Post, Posted, Poster } from '../poster.ts'
import type { Change, ReplyTo, Report } from '../wire.ts'
import { titleOf } from './graphError.ts'

export interface ReportsParts {
  appSecret: string
  businessAccountId: string
  /** Where the reports of a `phone_number_id` go; undefined for nowhere. */
  webhookOf: (phoneNumberId: string) => string | undefined
  windowMs: number
  poster: Poster
  now: () => Date
}

/** Of one message, of one `phone_number_id`. */
interface Told {
  phoneNumberId: string
  statuses: object[]
}

const statusesMax = 1000

/** @returns the value of `X-Hub-Signature-256` for a body */
export function createSignature(appSecret: string): (body: string) => string {
  const key = createSecretKey(Buffer.from(appSecret))
  return (body) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
}

export function createReports(parts: ReportsParts): Report {
  const { appSecret, businessAccountId, webhookOf, windowMs, poster, now } = parts
  const signatureOf = createSignature(appSecret)
  const forgedOf = createSignature(`not ${appSecret}`)
  const together = createBatches<Told, Posted>({
    windowMs,
    // A message may have two of them: sent, and what comes next.
    sizeMax: statusesMax / 2,
    flush: (url, list) => poster.post(url, signed(list, signatureOf)),
  })

  return async (message, change) => {
    const phoneNumberId = message.origin ?? ''
    const url = webhookOf(phoneNumberId)
    if (url === undefined) return undefined
    const { manner, attemptsMax } = change
    const told = { phoneNumberId, statuses: buildStatuses(message, change, now()) }
    if (manner === 'forged') return poster.post(url, signed([told], forgedOf), 1)
    if (attemptsMax !== undefined) return poster.post(url, signed([told], signatureOf), attemptsMax)
    if (manner === 'crowd') return poster.post(url, signed([inCrowd(told, now())], signatureOf))
    // Twice in one body would be once to some.
    if (manner !== undefined) return poster.post(url, signed([told], signatureOf))
    return together(url, told)
  }

  function signed(list: Told[], sign: (body: string) => string): () => Post {
    const body = writeBody(list, businessAccountId)
    const post = { headers: { 'X-Hub-Signature-256': sign(body) }, body }
    return () => post
  }
}

/** What a person answers, as WhatsApp posts it. */
export function createReply({ appSecret, businessAccountId, webhookOf, poster, now }: ReportsParts): ReplyTo {
  const signatureOf = createSignature(appSecret)
  return async ({ origin = '', phone }, text) => {
    const url = webhookOf(origin)
    if (url === undefined) return undefined
    const timestamp = String(Math.floor(now().getTime() / 1000))
    const message = { from: phone.slice(1), id: wamid(), timestamp, type: 'text', text: { body: text } }
    const metadata = { display_phone_number: '15550783881', phone_number_id: origin }
    const value = { messaging_product: 'whatsapp', metadata, messages: [message] }
    const entry = [{ id: businessAccountId, changes: [{ value, field: 'messages' }] }]
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry })
    return poster.post(url, () => ({ headers: { 'X-Hub-Signature-256': signatureOf(body) }, body }))
  }
}

function writeBody(list: Told[], businessAccountId: string): string {
  const byNumber = Map.groupBy(list, ({ phoneNumberId }) => phoneNumberId)
  const changes = Array.from(byNumber, ([phoneNumberId, told]) => ({
    value: {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550783881', phone_number_id: phoneNumberId },
      statuses: told.flatMap(({ statuses }) => statuses),
    },
    field: 'messages',
  }))
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: businessAccountId, changes }] })
}

/** The first report of a message says besides that it was sent. */
function buildStatuses(message: HandOver, { status, code, manner }: Change, now: Date): object[] {
  const { id, phone, reference, content } = message
  const common = {
    id,
    timestamp: String(Math.floor(now.getTime() / 1000)),
    ...(manner !== 'anonymous' && { recipient_id: phone.slice(1) }),
    ...(reference !== undefined && { biz_opaque_callback_data: reference }),
  }
  const category = content.code === undefined ? 'utility' : 'authentication'
  const pricing = { billable: true, pricing_model: 'PMP', category, type: 'regular' }
  const title = titleOf(code ?? '')
  const error = { code: Number(code), title, message: title, error_data: { details: `${title}.` } }
  const told = { ...common, status, ...(status === 'failed' ? { errors: [error] } : { pricing }) }
  return message.statuses.length > 1 || status === 'failed' ? [told] : [{ ...common, status: 'sent', pricing }, told]
}

/** Among the reports of unknown messages. */
function inCrowd({ phoneNumberId, statuses }: Told, now: Date): Told {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const strangers = Array.from({ length: statusesMax - statuses.length }, (_, index) => ({
    id: wamid(),
    status: index % 2 === 0 ? 'delivered' : 'read',
    timestamp,
    recipient_id: '15550100000',
    biz_opaque_callback_data: `nobody/${index}/1`,
  }))
  const middle = strangers.length / 2
  return { phoneNumberId, statuses: [...strangers.slice(0, middle), ...statuses, ...strangers.slice(middle)] }
}

/** A message's id as WhatsApp makes them. */
export function wamid(): string {
  return `wamid.HBg${randomUUID().replaceAll('-', '')}==`
}
