/** What people answer to messages, read as a provider file says. */
import { isShort, type Keywords, type ReplyMeaning, readMeaning } from '../../../domain/sending/phones/keyword.ts'
import { readSender } from '../../../domain/sending/phones/sender.ts'
import { findTextBy } from '../../../mapping/pointer.ts'
import type { InboundReply } from '../../channel.ts'
import { compileWhen } from './rules.ts'
import type { ProviderFile } from './schema.ts'

/** A reply, as examples compare it. Its text goes no further. */
export interface ToldReply {
  reply: ReplyMeaning
  id?: string
  /** In E.164 form; looked for only where the reply is a keyword. */
  from?: string
  /** As the provider writes it. */
  at?: string
  /** As in `InboundReply`. */
  readBy?: (own: Keywords) => ToldReply
}

/**
 * @param countries of the phones that the gateway sends to
 * @returns reads a part of a report; undefined where it is no reply
 */
export function compileInbound(
  form: ProviderFile['inbound'],
  countries?: readonly string[],
): (item: unknown) => ToldReply | undefined {
  if (!form) return () => undefined
  const isReply = form.when ? compileWhen(form.when) : () => true
  const [idOf, toOf, atOf, fromOf, textOf] = [
    findTextBy(form.id),
    findTextBy(form.to),
    findTextBy(form.at),
    findTextBy(form.from),
    findTextBy(form.text),
  ]
  const flagOf = compileFlag(form.flag)
  return (item) => {
    const from = fromOf(item)
    const text = textOf(item)
    const flag = flagOf(item)
    if (from === undefined || (text === undefined && flag === undefined)) return undefined
    if (!isReply({ status: 0, text: undefined, value: item })) return undefined
    const readBy = (own?: Keywords): ToldReply => {
      const told: ToldReply = { reply: flag ?? readMeaning(text, own) }
      const id = idOf(item)
      if (id !== undefined && /^[\x21-\x7e]{1,255}$/.test(id)) told.id = id
      const sender = told.reply === 'other' ? undefined : readSender(from, toOf(item), countries)
      if (sender !== undefined) told.from = sender
      const at = atOf(item)
      if (at !== undefined) told.at = at
      return told
    }
    const told = readBy()
    return told.reply === 'other' && isShort(text) ? { ...told, readBy } : told
  }
}

/** What the provider itself says that a reply means, by keywords of its customer; undefined where it says nothing of it. */
function compileFlag(flag: NonNullable<ProviderFile['inbound']>['flag']) {
  if (!flag) return () => undefined
  const [isStop, isStart] = [compileWhen({ [flag.at]: flag.stop }), compileWhen({ [flag.at]: flag.start })]
  return (value: unknown): 'stop' | 'start' | undefined => {
    const read = { status: 0, text: undefined, value }
    if (isStop(read)) return 'stop'
    return isStart(read) ? 'start' : undefined
  }
}

/** @param toTime reads a time as the provider writes it */
export function toInbound({ reply, id, from, at, readBy }: ToldReply, toTime: (at: string) => Date): InboundReply {
  return {
    ...{ reply, ...(from !== undefined && { phone: from }), ...(id !== undefined && { replyId: id }) },
    ...(at !== undefined && { at: toTime(at) }),
    ...(readBy && { readBy: (own) => toInbound(readBy(own), toTime) }),
  }
}
