/** Notifications take a place in what their phone may get. */
import { batch } from '../engine/batch.ts'
import { inPlaces } from '../engine/order.ts'
import { type Reader, read, type Tx } from '../engine/session.ts'
import type { Template, TemplateLocale } from '../template.ts'
import {
  dates,
  type ForbiddenSend,
  inPhoneOrder,
  type PhoneKey,
  type Rule,
  remember,
  rememberPosted,
  rulesOf,
  type SentTimes,
  timesById,
  within,
  writeTimes,
} from './limit.ts'
import { byExtras, makeSent, messageColumns, type NewMessage } from './message.ts'
import { joinOptOut, type OptOutKey, optOutKeyColumns, stopsTemplate } from './optOut.ts'

export interface RecipientTemplate extends Pick<Template, 'version' | 'defaultLocale'>, TemplateLocale {
  /** Of its other languages those that were asked for, by their tags; null where it has none of them. */
  others: Readonly<Record<string, TemplateLocale>> | null
  /** The phone has opted out of what it says. */
  isOptedOut: boolean
}

type RecipientKey = OptOutKey & {
  slug: string
  /** How the tags begin that are asked for; all get the default one where these are left out. */
  languages?: readonly string[] | undefined
}

const g = batch<RecipientKey>(
  'g',
  { ...optOutKeyColumns, slug: ['text', (key) => key.slug], languages: ['text', (key) => key.languages?.join(' ')] },
  { isShort: true },
)

const templates = read<RecipientTemplate & { n: number }>(`
  select g.n::int as n, t.text, t.channels, t.version, t.default_locale as "defaultLocale", case when t.locales <> '{}' then (
      select jsonb_object_agg(tag, said) from jsonb_each(t.locales) as own (tag, said)
      where split_part(tag, '-', 1) = any (string_to_array(g.languages, ' '))
    ) end as others, ${stopsTemplate} as "isOptedOut" from ${g.numbered}
  join template t on t.account_id = g.account_id and t.slug = g.slug ${joinOptOut}`)

/** The template for each recipient; undefined where there is none. */
export async function findTemplatesFor(
  reader: Reader,
  keys: readonly RecipientKey[],
): Promise<(RecipientTemplate | undefined)[]> {
  return inPlaces(keys, await reader.run(templates, g.valuesOf(keys)))
}

const phones = batch<PhoneKey>('g', {
  account_id: ['text', (key) => key.accountId],
  mode: ['text', (key) => key.mode],
  phone: ['text', (key) => key.phone],
})

const notified = read<{ n: number; times: string }>(`
  select g.n::int as n, ${writeTimes('p.notified_at')} as times from ${phones.numbered}
  join phone p on p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone`)

/** When each phone was notified, the latest first. */
export async function findNotified(reader: Reader, keys: readonly PhoneKey[]): Promise<Date[][]> {
  return inPlaces(keys, await reader.run(notified, phones.valuesOf(keys))).map((row) => dates(row?.times))
}

const d = batch<NewMessage>('d', messageColumns)

/**
 * Counts one notification on each phone and makes its message, unless a rule forbids it. No two may have the same phone.
 * It is the last of its transaction.
 *
 * @returns of those that a rule forbids, by their ids, when their phone was notified
 */
export const sendNotifications = sendBy('notified_at')

/** The same for codes, and texts with codes, that another system checks: they count with the codes of their phone, and none is pending here. */
export const sendUnchecked = sendBy('sent_at')

/** @param column the times of the phone that it is counted with */
function sendBy(column: 'sent_at' | 'notified_at') {
  const [at, times] = [`excluded.${column}[1]`, `p.${column}`]
  const posted = column === 'sent_at' ? { name: ', posted_at', at: ', array[at::timestamptz]' } : { name: '', at: '' }
  const statement = byExtras<ForbiddenSend>(
    (hasExtras) => `
  with d as materialized (select * from ${d.rows}), sent as (
    insert into phone as p (account_id, mode, phone, ${column}${posted.name})
    select account_id, mode, phone, array[at::timestamptz]${posted.at} from d
    on conflict (account_id, mode, phone) do update set
      ${column} = ${remember(at, times, d.next)}${posted.name && `, posted_at = ${rememberPosted(at, d.next)}`}
    where ${within(times, at, d.next)}
    returning account_id, mode, phone
  ), ${makeSent(column, hasExtras)}`,
  )
  return async (tx: Tx, list: readonly NewMessage[], rules: Rule[]): Promise<Map<string, SentTimes>> => {
    const rows = inPhoneOrder(list)
    return timesById(await tx.runLast(statement(rows), [...d.valuesOf(rows), ...rulesOf(rules)]))
  }
}
