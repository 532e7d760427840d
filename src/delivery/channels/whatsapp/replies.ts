/**
 * What people answer on WhatsApp: texts, the buttons of templates, and "Stop" and "Resume" in the app's own settings. See
 * developers.facebook.com, WhatsApp Business Platform, webhooks, `messages` and `user_preferences`.
 */
import { z } from 'zod'
import { isShort, type Keywords, type ReplyMeaning, readMeaning } from '../../../domain/sending/phones/keyword.ts'
import { readSender } from '../../../domain/sending/phones/sender.ts'
import type { InboundReply } from '../../channel.ts'
import { toReplyTime } from '../../report.ts'
import { wamid } from './outcome.ts'

const phone = z.string().max(32)
const label = z.string().optional().catch(undefined)

const seconds = z.union([z.string().max(32), z.number()]).optional()

const messageForm = z.object({
  from: phone,
  id: wamid,
  timestamp: seconds.catch(undefined),
  text: z.object({ body: label }).optional().catch(undefined),
  /** Of a template's quick reply: what it shows, and what the sender gave it. */
  button: z.object({ text: label, payload: label }).optional().catch(undefined),
  interactive: z
    .object({ button_reply: z.object({ id: label, title: label }) })
    .optional()
    .catch(undefined),
})

export function replyIn(message: unknown, now: Date): InboundReply {
  const { data } = messageForm.safeParse(message)
  if (!data) return { reply: 'other' }
  const { from, id, timestamp, text, button, interactive } = data
  const said = [
    text?.body,
    button?.text,
    button?.payload,
    interactive?.button_reply.title,
    interactive?.button_reply.id,
  ]
  const readBy = (own?: Keywords): InboundReply =>
    toReply(said.map((one) => readMeaning(one, own)).find((meaning) => meaning !== 'other') ?? 'other', {
      ...{ from, id, timestamp, now },
    })
  const told = readBy()
  return told.reply === 'other' && said.some(isShort) ? { ...told, readBy } : told
}

const preferenceForm = z.object({
  wa_id: phone,
  category: z.literal('marketing_messages'),
  value: z.enum(['stop', 'resume']),
  timestamp: seconds,
})

/** @returns undefined for what is no word of the person, such as another category */
export function preferenceIn(preference: unknown, now: Date): InboundReply | undefined {
  const { data } = preferenceForm.safeParse(preference)
  if (!data) return undefined
  const { wa_id: from, value, timestamp } = data
  // It has no id: of one person, there is one at a time.
  const id = timestamp === undefined ? undefined : `preference ${from} ${value} ${timestamp}`
  return { ...toReply(value === 'stop' ? 'stop' : 'start', { from, id, timestamp, now }), isOfMarketing: true }
}

interface Said {
  from: string
  id: string | undefined
  timestamp: string | number | undefined
  now: Date
}

function toReply(reply: ReplyMeaning, { from, id: replyId, timestamp, now }: Said): InboundReply {
  if (reply === 'other') return { reply, ...(replyId !== undefined && { replyId }) }
  const phone = readSender(from, undefined)
  const at = timestamp === undefined ? undefined : toReplyTime(Number(timestamp) * 1000, now)
  return { reply, ...(phone !== undefined && { phone }), ...(replyId !== undefined && { replyId }), ...(at && { at }) }
}
