/** What a replay reads: the codes that an account has sent, page after page in the order in which they were made. */
import { milliseconds, type Reader, read } from '../engine/session.ts'
import type { KeptSignals, Price } from '../schema/schema.ts'

export interface SentCode {
  id: string
  phone: string
  /** ISO 3166-1 alpha-2; null for a number of no country, and where it was not kept. */
  country: string | null
  /** Milliseconds of Unix time. */
  at: number
  /** The same; null for one that was not verified. */
  verifiedAt: number | null
  signals: KeptSignals | null
  /** What each provider charges, by the connection; null where none has said so. */
  prices: Record<string, Price> | null
}

export interface CodeSpan {
  accountId: string
  /** Ids above that, and below that. */
  afterId: string
  belowId: string
}

export interface CodePage<Row> {
  rows: Row[]
  /** The last id that was looked at; undefined when there was none. */
  lastId: string | undefined
}

/** Messages that a statement looks at. */
const looksMax = 10_000

/** Materialized and limited by what is looked at: between two codes there may be millions of notifications. */
const looked = (columns: string) => `
  with looked as materialized (
    select m.* from message m where m.account_id = $1 and m.id > $2 and m.id < $3 order by m.id limit ${looksMax}
  )
  select m.id, (m.kind = 'verification' or coalesce(m.signals -> 'ownCode' = 'true', false)) and m.mode = 'live' as "isCode", ${columns}
  from looked m order by m.id`

type Raw<Row> = Row & { id: string; isCode: boolean }

const codes = read<Raw<SentCode>>(
  looked(`m.phone, m.country, ${milliseconds('m.created_at')} as at, ${milliseconds('m.verified_at')} as "verifiedAt",
    m.signals, m.prices`),
)

/** Codes of live keys, and texts with a code that another system wrote, the oldest first. */
export async function findSentCodes(reader: Reader, span: CodeSpan): Promise<CodePage<SentCode>> {
  const found = await reader.run(codes, [span.accountId, span.afterId, span.belowId])
  return {
    lastId: found.at(-1)?.id,
    rows: found.filter(({ isCode }) => isCode).map(({ isCode: _isCode, ...code }) => code),
  }
}

const verifiedPhones = read<Raw<{ phone: string | null }>>(
  looked('case when m.verified_at is not null then m.phone end as phone'),
)

/** The phones of codes that were verified, each as often as that was. */
export async function findVerifiedPhones(reader: Reader, span: CodeSpan): Promise<CodePage<string>> {
  const found = await reader.run(verifiedPhones, [span.accountId, span.afterId, span.belowId])
  return {
    lastId: found.at(-1)?.id,
    rows: found.flatMap(({ isCode, phone }) => (isCode && phone !== null ? phone : [])),
  }
}
