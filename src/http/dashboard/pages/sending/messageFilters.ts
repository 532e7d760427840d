/** What the search form of the messages asks for, read from the address of the page. */
import type { MessageSearch } from '../../../../domain/sending/messageSearch.ts'
import { readCountry } from '../../../../domain/sending/phones/typedCountry.ts'
import { readTyped } from '../../../../domain/sending/phones/typedPhone.ts'
import { follows } from '../../../../domain/sending/status.ts'
import type { MessageStatus, Mode } from '../../../../store/schema/schema.ts'
import { html, type Part } from '../../../html.ts'
import { readMoment } from '../../parts/moment.ts'
import { momentOf } from '../../parts/time.ts'

export interface Search {
  filters: Omit<MessageSearch, 'limit' | 'after' | 'before'>
  /** What was filled in, as it was, without what is empty. */
  values: URLSearchParams
  /** The same in words. */
  told: { name: string; text: Part; short: string }[]
  /** One of those is filled in that are seldom needed. */
  isNarrow: boolean
  /** What is wrong, by field: then nothing is searched for. */
  faults: Partial<Record<'q' | 'from' | 'to', string>>
}

export const statuses = Object.keys(follows) as MessageStatus[]
export const kinds = ['verification', 'notification'] as const
export const modes: readonly Mode[] = ['live', 'test']

const idForm = /^req_[0-9A-HJKMNP-TV-Z]{26}$/i

/** What a form brings that nobody can have chosen in it is left out. */
export function readSearch(query: URLSearchParams): Search {
  const value = (name: string) => query.get(name)?.trim() || undefined
  const text = value('q')
  const id = text !== undefined && idForm.test(text) ? `req_${text.slice(4).toUpperCase()}` : undefined
  const typed = text === undefined || id !== undefined ? undefined : readTyped(text, { isPlusImplied: true })
  const phone = typed?.phone
  const moments = { from: readOptional(value('from')), to: readOptional(value('to')) }
  const [from, to] = [moments.from?.at, moments.to?.at]
  const filters: Search['filters'] = {
    ...{ id, phone, from, to },
    status: oneOf(statuses, value('status')),
    kind: oneOf(kinds, value('kind')),
    mode: oneOf(modes, value('mode')),
    channel: value('channel'),
    template: value('template'),
    reference: value('reference'),
    country: countryIn(value('country')),
  }
  const told = tellSearch(filters)
  const names = new Set(told.map(({ name }) => name))
  const faults: Search['faults'] = {
    ...(typed?.fault !== undefined && { q: phoneFault(typed.fault) }),
    ...(moments.from?.fault !== undefined && { from: moments.from.fault }),
    ...(moments.to?.fault !== undefined && { to: moments.to.fault }),
  }
  const filled = [...query].filter(([name]) => names.has(name) || name in faults)
  return {
    ...{ filters, told, faults },
    values: new URLSearchParams(filled),
    isNarrow: ['mode', 'channel', 'template', 'reference', 'country', 'from', 'to'].some(
      (name) => names.has(name) || name in faults,
    ),
  }
}

function phoneFault(fault: string): string {
  return `This is neither the id of a message nor a whole phone number: it ${fault}. Write numbers as in +14155550100.`
}

/** A browser sends the year 0 of the first hours of the year 1: nothing was before them. */
function readOptional(text: string | undefined) {
  return text === undefined || text.startsWith('0000-') ? undefined : readMoment(text)
}

function countryIn(text: string | undefined): string | undefined {
  return text === undefined ? undefined : (readCountry(text) ?? text.toUpperCase())
}

function tellSearch({
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
