/** What happens to messages, written down: the status, the timeline, the leg of the route. For `domain/message.move` alone. */
import { batch, keyColumns } from '../engine/batch.ts'
import { isId } from '../engine/idRange.ts'
import { milliseconds, type Tx, write } from '../engine/session.ts'
import type { DeliveryErrorCode, MessageStatus, Mode, Price } from '../schema/schema.ts'
import { keepTakenLegs } from './delivery.ts'
import { isFromTemplate, type MessageKey } from './message.ts'
import { isSuperseded } from './superseded.ts'
import { isChecked } from './verification.ts'

/** Something that happened to a message. */
export interface Change extends MessageKey {
  /** With `connection`, of that leg; the message's own follows from it. It stays when left out. */
  status?: MessageStatus
  /** The statuses that `status` may follow; from any other, the message keeps its own. */
  follows: readonly MessageStatus[]
  /** Nor does it follow once the code was right. */
  unlessVerified?: boolean
  at: Date
  /**
   * The connection that it happened with; left out, it is about the message as a whole. What a connection says of a message
   * that it was not asked to send, is not written: the route does not lead over it, or not yet, or it was passed over.
   */
  connection?: string
  /**
   * That connection is done with the message without having brought it: the next leg begins, if this was the one under way,
   * there is another, and the code is still good. Otherwise `status` goes for the message, and without one nothing happens: but
   * a code that a newer one replaced ends here, as one that is not taken does.
   */
  ends?: boolean
  /** With `ends`: the code must be good for so many seconds more. */
  spareSeconds?: number
  errorCode?: DeliveryErrorCode
  /** With `opted_out`: of marketing alone. */
  isMarketingAlone?: boolean
  /** An earlier error says more: it is kept. */
  isLesserError?: boolean
  /**
   * With `connection` and the status of a text that arrived: one SMS of so many did. The status follows when all have; until then
   * the step stands in the timeline. The same one counts once.
   */
  part?: { id: string; of: number }
  /** For the timeline, beside the status. */
  note?: string
  providerCode?: string
  /** The connection was asked to send. */
  attempted?: boolean
  /** The connection is passed over: it never was asked. */
  unasked?: boolean
  /** The provider took it. */
  taken?: boolean
  /** With `taken`: how many SMS the text takes. */
  segments?: number
  /** The provider did surely not take what `markUnsure` counted; of a code, nothing was counted before it was asked. */
  isSure?: boolean
  /** The provider may have taken a code: counted as `markUnsure` counts notifications. */
  mayHaveLeft?: boolean
  providerMessageId?: string
  /**
   * With `connection`, what its provider charges for the message. It counts in the place of what was said before, if it is news
   * to the timeline; what an answer says, only where no report has come before it.
   */
  price?: Price
}

/** A message that something came of: another status, its first hand-over, another leg, the end of its verification. */
export interface Moved extends MessageKey {
  mode: Mode
  kind: 'verification' | 'notification'
  /** The caller's own name for a notification; null for none. */
  reference: string | null
  phone: string
  /** What a notification was made from; null for a code, and for a text of another system. */
  template: string | null
  /** Null, and the language too, where it was not kept. */
  templateVersion: number | null
  templateLocale: string | null
  /** It holds a code. */
  isUrgent: boolean
  from: MessageStatus
  to: MessageStatus
  /** Not before what it follows: providers tell whole seconds, and have clocks of their own. */
  at: Date
  /** The connection that it happened with; of what arrived, always one. */
  connection: string | null
  /** Why, when it has failed. */
  errorCode: DeliveryErrorCode | null
  /** A channel took it for the first time. */
  isFirstTaken: boolean
  /** An auth system posted its code, and checks it too. */
  isPosted: boolean
  /** Its verification failed or ran out by it, and endpoints are to be told so: of a replaced one, when its time is over. */
  isAwaitedEnd: boolean
  /** The phone, where a provider refused the message because its owner has opted out. */
  optedOut: string | null
  /** Of marketing alone. */
  isMarketingAlone: boolean
  /** The leg that begins. */
  next: { leg: number; connection: string; isLast: boolean } | null
}

/** Of the step by which a replaced code ends. */
const supersededNote = 'a newer code replaced it'

/** More than a message has that every connection of a long route refused as often as it may: the rest only repeats itself. */
const stepsMax = 500

/** Of a connection whose leg has begun: it may have been asked, unless it was passed over and has nothing else to its name. */
const isAsked = `(
        not m.timeline @> jsonb_build_array(jsonb_build_object('connection', c.connection, 'unasked', true))
        or exists (select from jsonb_array_elements(m.timeline) as step (value)
          where step.value ->> 'connection' = c.connection and step.value -> 'unasked' is null))`

const c = batch<Change>(
  'c',
  {
    ...keyColumns,
    status: ['text', (one) => one.status],
    follows: ['text', (one) => one.follows.join(' ')],
    at: ['text', (one) => one.at],
    connection: ['text', (one) => one.connection],
    ends: ['boolean', (one) => one.ends ?? false],
    spare: ['int', (one) => one.spareSeconds ?? 0],
    error_code: ['text', (one) => one.errorCode],
    marketing: ['boolean', (one) => one.isMarketingAlone ?? false],
    lesser: ['boolean', (one) => one.isLesserError ?? false],
    note: ['text', (one) => one.note],
    provider_code: ['text', (one) => one.providerCode],
    attempts: ['int', (one) => (one.attempted ? 1 : 0)],
    taken: ['boolean', (one) => one.taken ?? false],
    segments: ['int', (one) => one.segments],
    sure: ['int', (one) => (one.isSure ? 1 : 0)],
    unsure: ['int', (one) => (one.mayHaveLeft ? 1 : 0)],
    unless_verified: ['boolean', (one) => one.unlessVerified ?? false],
    unasked: ['boolean', (one) => one.unasked ?? false],
    price: ['text', (one) => one.price && JSON.stringify(one.price)],
    part: ['text', (one) => one.part?.id],
    parts: ['int', (one) => one.part?.of ?? 1],
  },
  { ids: 'id' },
)

/** The recipient has opted out, which ends a notification: no other connection is asked. */
const isStopped = `${isFromTemplate} and c.error_code is not distinct from 'opted_out'`

/** The step says nothing new, or the timeline is full: what moves the message is written all the same, and who took it, once. */
const isUnwritten = `(d.is_silent or m.timeline @> jsonb_build_array(d.step)
        or jsonb_array_length(m.timeline) >= ${stepsMax} and d.new = d.old and not d.passes
          and (not d.taken or m.timeline @> jsonb_build_array(jsonb_build_object('connection', d.connection, 'taken', true))))`

/** Parts of that text have not arrived yet, beside the one that is told of. */
const isPartial = `case when c.part is null then false else 1 + (
        select count(distinct step.value ->> 'part') from jsonb_array_elements(m.timeline) as step (value)
        where step.value ->> 'connection' = c.connection and step.value ->> 'part' <> c.part) < c.parts end`

/** Of notifications that fail before a provider took them, what they were made from is kept apart, to send them again. */
const keepFailed = `, kept as (
    insert into resendable (account_id, id, content, failed_at)
    select d.account_id, d.id, m.content, d.moment
    from ended d join message m on m.account_id = d.account_id and ${isId('m.id', 'd.id')} and ${c.inIdRange('m.id')}
    where d.new = 'failed' and d.old <> 'failed' and ${isFromTemplate} and m.content is not null
    on conflict (account_id, id) do nothing
  )`

type Changed = Omit<Moved, 'at' | 'next'> & { at: number; leg: number; isLast: boolean; next: string | null }

/** Materialized, a step is made once, and not in each place that names it: a tenth of the time of a change. */
const decide = `
  with locked as (
    select c.*, greatest(c.at::timestamptz, m.status_at, m.taken_at) as moment, c.unless_verified and m.verified_at is not null as is_kept, m.status as old, m.leg as old_leg, m.taken_at as old_taken_at, m.awaited,
      cardinality(m.route) as legs, ${isPartial} as is_partial, m.route[m.leg + 1] as next_connection, array_position(m.route, c.connection) as n,
      coalesce(c.ends and m.status in ('queued', 'sent') and m.content is not null and m.leg < cardinality(m.route)
        and m.route[m.leg] = c.connection and not (${isStopped})
        and (m.expires_at is null or m.expires_at > c.at::timestamptz + make_interval(secs => c.spare)), false) as passes,
      coalesce((c.ends or c.attempts > 0) and not c.taken
        and (c.status is null or c.status = 'failed' and c.ends and c.connection <> m.route[cardinality(m.route)])
        and ${isSuperseded('m', "case when c.status = 'failed' then c.connection end")}, false) as is_superseded
    from ${c.rows}
    join message m on m.account_id = c.account_id and ${isId('m.id', 'c.id')} and ${c.inIdRange('m.id')}
      and (c.connection is null or array_position(m.route, c.connection) <= m.leg and (c.attempts > 0 or ${isAsked}))
    order by m.account_id collate "C", m.id collate "C" for update of m
  ), decided as materialized (
    select l.*, case
        when l.is_superseded then 'failed'
        when l.passes or l.is_kept or l.is_partial or l.status = 'failed' and l.connection is not null and l.n is distinct from l.old_leg then l.old
        when l.old = any (string_to_array(l.follows, ' ')) then l.status
        else l.old
      end as new,
      jsonb_strip_nulls(jsonb_build_object('status', case when l.is_superseded then 'failed' when l.is_partial then l.old else coalesce(l.status, l.old) end,
        'note', case when l.is_superseded then concat_ws('; ', l.note, '${supersededNote}') else l.note end,
        'connection', l.connection, 'providerCode', l.provider_code, 'error', case when l.is_superseded then 'superseded' else l.error_code end, 'taken', case when l.taken then true end, 'segments', l.segments,
        'unasked', case when l.unasked then true end, 'price', l.price::jsonb, 'part', l.part)) as step
    from locked l
  ), ended as (
    select d.*,
      d.awaited and (d.new = 'failed' and d.old <> 'failed' and not d.is_superseded or d.status is not distinct from 'expired')
        as is_awaited_end,
      d.status is not distinct from 'expired' and d.new = d.old and not d.awaited
        or d.ends and d.status is null and not d.passes and not d.is_superseded as is_silent
    from decided d
  )`

const apply = `
  update message m set
    status = d.new,
    status_at = case when d.new <> d.old then d.moment else m.status_at end,
    error_code = case
      when d.is_superseded then 'superseded'
      when not d.passes and d.new = d.old then m.error_code
      when not d.passes and d.new <> 'failed' then null
      when d.lesser then coalesce(m.error_code, d.error_code)
      else coalesce(d.error_code, m.error_code)
    end,
    content = case when d.new in ('delivered', 'read', 'failed', 'expired') or d.taken and d.n = d.legs then null
      else m.content end,
    leg = case when d.passes then m.leg + 1 else m.leg end,
    delivery_attempts = case when d.passes then 0 when d.n = m.leg then m.delivery_attempts + d.attempts
      else m.delivery_attempts end,
    unsure = case when m.kind = 'verification' then m.unsure + d.unsure else greatest(m.unsure - d.sure, 0) end,
    taken_at = case when d.taken then coalesce(m.taken_at, d.moment) else m.taken_at end,
    timeline = case
      when ${isUnwritten} then m.timeline
      else m.timeline || (d.step || jsonb_build_object('at', d.at))
    end,
    prices = case
      when d.price is null or d.attempts > 0 and m.prices -> d.connection is not null or ${isUnwritten} then m.prices
      else coalesce(m.prices, '{}') || jsonb_build_object(d.connection, d.price::jsonb)
    end,
    awaited = d.awaited and not d.is_awaited_end
  from ended d where m.account_id = d.account_id and ${isId('m.id', 'd.id')} and ${c.inIdRange('m.id')}
  returning m.account_id as "accountId", m.id, m.mode, m.kind, m.reference, m.phone, m.template,
    m.template_version as "templateVersion", m.template_locale as "templateLocale", not (${isFromTemplate}) as "isUrgent", d.old as from, d.new as to, ${milliseconds('d.moment')} as at,
    case when d.is_superseded then null when d.new in ('delivered', 'read') then coalesce(d.connection, m.route[m.leg])
      else d.connection end as connection,
    case when d.new = 'failed' then m.error_code end as "errorCode", d.taken and d.old_taken_at is null as "isFirstTaken",
    not ${isChecked} as "isPosted",
    d.is_awaited_end as "isAwaitedEnd",
    case when d.error_code = 'opted_out' and d.connection is not null and (d.new <> d.old or d.passes) then m.phone end as "optedOut", d.marketing as "isMarketingAlone",
    m.leg::int as leg, m.leg = cardinality(m.route) as "isLast",
    case when d.passes then d.next_connection end as next`

const change = write<Changed>(decide + apply)
const changeThatMayFail = write<Changed>(decide + keepFailed + apply)

/**
 * Applies changes, each to a message of its own, which are locked in one order. A step that the timeline has already (but
 * for its time) is not written twice, and that a code ran out only where it moved the message or is to be told.
 *
 * @returns the messages that something came of
 */
export async function applyChanges(tx: Tx, changes: readonly Change[]): Promise<Moved[]> {
  if (changes.length === 0) return []
  const mayFail = changes.some(({ status }) => status === 'failed')
  const changed = await tx.run(mayFail ? changeThatMayFail : change, c.valuesOf(changes))
  keepTakenLegs(
    tx,
    changes.flatMap(({ accountId, id, connection, providerMessageId }) =>
      connection !== undefined && providerMessageId !== undefined
        ? [{ accountId, id, connection, providerMessageId }]
        : [],
    ),
  )
  return changed
    .filter(
      ({ from, to, isFirstTaken, isAwaitedEnd, next }) => from !== to || isFirstTaken || isAwaitedEnd || next !== null,
    )
    .map(({ at, leg, isLast, next, ...moved }) => ({
      ...moved,
      at: new Date(at),
      next: next === null ? null : { leg, connection: next, isLast },
    }))
}
