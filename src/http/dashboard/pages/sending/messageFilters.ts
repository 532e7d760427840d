/** What the search form of the messages asks for, read from the address of the page. */
import type { MessageSearch } from '../../../../domain/sending/messageSearch.ts'
import { readTyped } from '../../../../domain/sending/phones/typedPhone.ts'
import { follows } from '../../../../domain/sending/status.ts'
import type { MessageStatus, Mode } from '../../../../store/schema/schema.ts'
import { html, type Part } from '../../../html.ts'
import { momentIn, momentOf } from '../../parts/time.ts'

export interface Search {
  filters: Omit<MessageSearch, 'limit' | 'after' | 'before'>
  /** What was filled in, as it was, without what is empty. */
  values: URLSearchParams
  /** The same in words. */
  told: { name: string; text: Part; short: string }[]
  /** One of those is filled in that are seldom needed. */
  isNarrow: boolean
  /** Why it can find nothing. */
  fault: string | undefined
}

export const statuses = Object.keys(follows) as MessageStatus[]
export const kinds = ['verification', 'notification'] as const
export const modes: readonly Mode[] = ['live', 'test']

const idForm = /^req_[0-9A-HJKMNP-TV-Z]{26}$/i

/** What a form brings that nobody can have chosen in it is left out. */
export function searchOf(query: URLSearchParams): Search {
  const value = (name: string) => query.get(name)?.trim() || undefined
  const text = value('q')
  const id = text !== undefined && idForm.test(text) ? `req_${text.slice(4).toUpperCase()}` : undefined
  const typed = text === undefined || id !== undefined ? undefined : readTyped(text, { isPlusImplied: true })
  const phone = typed?.phone
  const [from, to] = [momentIn(value('from') ?? ''), momentIn(value('to') ?? '')]
  const filters: Search['filters'] = {
    ...{ id, phone, from, to },
    status: oneOf(statuses, value('status')),
    kind: oneOf(kinds, value('kind')),
    mode: oneOf(modes, value('mode')),
    channel: value('channel'),
    template: value('template'),
    reference: value('reference'),
    country: value('country')?.toUpperCase(),
  }
  const told = toldOf(filters)
  const names = new Set(told.map(({ name }) => name))
  const filled = [...query].filter(([name]) => names.has(name))
  const fault =
    typed?.fault === undefined
      ? undefined
      : `This is neither the id of a message nor a whole phone number: it ${typed.fault}. Write numbers as in +14155550100.`
  return {
    ...{ filters, told, fault },
    values: new URLSearchParams(fault === undefined ? filled : [...filled, ['q', text ?? '']]),
    isNarrow: ['mode', 'channel', 'template', 'reference', 'country', 'from', 'to'].some((name) => names.has(name)),
  }
}

function toldOf({
  id,
  phone,
  status,
  kind,
  mode,
  channel,
  template,
  reference,
  country,
  from,
  to,
}: Search['filters']): Search['told'] {
  const all: (false | undefined | Search['told'][number])[] = [
    id !== undefined && { name: 'q', text: `id ${id}`, short: 'the id' },
    phone !== undefined && { name: 'q', text: `phone ${phone}`, short: 'the phone' },
    status && { name: 'status', text: `status ${status}`, short: 'the status' },
    kind && { name: 'kind', text: `kind ${kind}`, short: 'the kind' },
    mode && { name: 'mode', text: `mode ${mode}`, short: 'the mode' },
    channel !== undefined && { name: 'channel', text: `channel ${channel}`, short: 'the channel' },
    template !== undefined && { name: 'template', text: `template ${template}`, short: 'the template' },
    reference !== undefined && { name: 'reference', text: `reference ${reference}`, short: 'the reference' },
    country !== undefined && { name: 'country', text: `country ${country}`, short: 'the country' },
    from && { name: 'from', text: html`made from ${momentOf(from)} on`, short: 'the beginning' },
    to && { name: 'to', text: html`made before ${momentOf(to)}`, short: 'the end' },
  ]
  return all.filter((one) => typeof one === 'object')
}

function oneOf<Value extends string>(values: readonly Value[], text: string | undefined): Value | undefined {
  return values.find((value) => value === text)
}
