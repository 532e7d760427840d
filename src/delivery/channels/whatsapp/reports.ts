/** What WhatsApp posts: whose it is, and what it says of messages. */
import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Receipt, Report, ReportPart } from '../../channel.ts'
import { digestOf, OverlongReport, readForm, readJson, reportItemsMax, toReportTime } from '../../report.ts'
import { errorForm, findGraphFault, wamid } from './outcome.ts'
import { preferenceIn, replyIn } from './replies.ts'
import { templateNewsIn } from './templateNews.ts'

const signature = 'x-hub-signature-256'

/** @param appSecrets each of them signs: there are two while one is replaced */
export function createWhatsappVerify(appSecrets: readonly string[]): (report: Report) => boolean {
  const keys = appSecrets.map((secret) => createSecretKey(Buffer.from(secret)))
  return ({ headers, body }) => {
    const value = headers[signature]
    const given = value?.startsWith('sha256=') ? digestOf(value.slice('sha256='.length)) : undefined
    if (!given) return false
    // With every key, so that the time does not tell which one it is.
    return keys.map((key) => timingSafeEqual(given, createHmac('sha256', key).update(body).digest())).includes(true)
  }
}

/** The answer to who asks whether the address of the reports is ours; undefined when the token is another one. */
export function createHandshake(verifyToken: string): (query: URLSearchParams) => string | undefined {
  // Hashes have one length, which the comparison needs.
  const own = hash('sha256', verifyToken, 'buffer')
  return (query) => {
    const isOwn = timingSafeEqual(own, hash('sha256', query.get('hub.verify_token') ?? '', 'buffer'))
    const challenge = query.get('hub.challenge') ?? ''
    if (!isOwn || query.get('hub.mode') !== 'subscribe' || !/^[\w.-]{1,256}$/.test(challenge)) return undefined
    return challenge
  }
}

/** A status that is not here tells nothing. */
const statuses: Readonly<Record<string, Receipt['status']>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
}

const statusForm = z.object({
  id: wamid,
  status: z.string(),
  timestamp: z.union([z.string().regex(/^\d{1,15}$/), z.number()]).catch(Number.NaN),
  biz_opaque_callback_data: z.string().optional().catch(undefined),
  errors: z.array(z.unknown()).catch([]),
})

const some = z.array(z.unknown()).catch([])

/** Whatever else is reported, of other forms too, stands beside; it is passed over. */
const changeForm = z.object({
  field: z.enum(['messages', 'user_preferences']),
  value: z.object({
    metadata: z.object({ phone_number_id: z.string() }),
    statuses: some,
    messages: some,
    user_preferences: some,
  }),
})

/** Meta tells of each by itself: of a crowd, the rest is found in the list. */
const templateNewsMax = 100

const reportForm = z.object({ object: z.literal('whatsapp_business_account'), entry: z.array(z.unknown()) })
const entryForm = z.object({ id: z.unknown().optional(), changes: z.array(z.unknown()).catch([]) })

export interface ParseParts {
  accountId: string
  phoneNumberId: string
  /** The one whose templates are told of. */
  businessAccountId: string
  now: () => Date
}

/** @throws UnreadableReport, OverlongReport, both also while it is read */
export function createParse(parts: ParseParts): (body: Buffer) => Iterable<ReportPart | undefined> {
  return function* (body) {
    let count = 0
    let replies = 0
    let ofTemplates = 0
    for (const entry of readJson(body, reportForm).entry) {
      const { id, changes } = readForm(entry, entryForm)
      yield undefined
      for (const change of changes) {
        const news = id === parts.businessAccountId ? templateNewsIn(change) : undefined
        if (news && ++ofTemplates <= templateNewsMax) yield news
        const { statuses, messages, user_preferences: preferences } = valueIn(change, parts)
        count += statuses.length
        if (count > reportItemsMax) throw new OverlongReport()
        yield undefined
        for (const status of statuses) yield toReceipt(status, parts)
        // A crowd of replies is cut short, and takes no report with it.
        const room = Math.max(0, reportItemsMax - replies)
        replies += messages.length + preferences.length
        for (const message of messages.slice(0, room)) yield replyIn(message, parts.now())
        for (const preference of preferences.slice(0, Math.max(0, room - messages.length)))
          yield preferenceIn(preference, parts.now())
      }
    }
  }
}

const nothing = { statuses: [], messages: [], user_preferences: [] }

function valueIn(change: unknown, { phoneNumberId }: ParseParts) {
  const value = changeForm.safeParse(change).data?.value
  return value?.metadata.phone_number_id === phoneNumberId ? value : nothing
}

/** What was given with the message: `<account>/<message id>/<leg>`. */
const reference = /^(\w{1,64})\/(\w{1,64})\/\d{1,5}$/

function toReceipt(said: unknown, { accountId, now }: ParseParts): Receipt | undefined {
  const told = statusForm.safeParse(said).data
  if (!told) return undefined
  const status = Object.hasOwn(statuses, told.status) ? statuses[told.status] : undefined
  const [, account, id] = reference.exec(told.biz_opaque_callback_data ?? '') ?? []
  const isAnothers = account !== undefined && account !== accountId
  if (!status || isAnothers || (id === undefined && (told.id === undefined || status === 'sent'))) return undefined
  return {
    ...(id !== undefined && { message: { accountId, id } }),
    ...(told.id !== undefined && { providerMessageId: told.id }),
    status,
    at: toReportTime(Number(told.timestamp) * 1000, now()),
    ...(status === 'failed' && toFailure(told.errors)),
  }
}

/** WhatsApp tells of one error; of the others, so many are looked at. */
const errorsMax = 5

function toFailure(
  errors: unknown[],
): Pick<Receipt, 'errorCode' | 'isMarketingAlone' | 'reason' | 'providerCode' | 'down'> {
  const [error] = errors.slice(0, errorsMax).flatMap((one) => errorForm.safeParse(one).data ?? [])
  if (!error) return { errorCode: 'rejected_by_channel', reason: 'failed without a code' }
  const { verdict, ...why } = findGraphFault(error)
  // What is not the recipient's fault is the channel's.
  if (verdict.kind !== 'failed')
    return { errorCode: 'channel_unavailable', ...why, ...(verdict.kind === 'down' && { down: verdict.of }) }
  const { code: errorCode, isMarketingAlone } = verdict
  return { errorCode, ...why, ...(isMarketingAlone && { isMarketingAlone }) }
}
