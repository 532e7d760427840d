/** Connections of accounts, for channels that a test gives its server. */
import { type SQL, sql } from 'drizzle-orm'

export interface GivenConnection {
  id: string
  kind: string
  countries?: string[]
  failoverSeconds?: number
  perMinute?: number
  perDay?: number
  spread?: boolean
}

/** Gives an account these connections in place of those that it has. A server that has looked already sees them seconds later. */
export async function giveConnections(
  server: { query: (statement: SQL) => Promise<unknown[]> },
  accountId: string,
  list: readonly GivenConnection[],
): Promise<void> {
  await server.query(sql`delete from connection where account_id = ${accountId}`)
  for (const [index, one] of list.entries()) {
    const { id, kind, countries, failoverSeconds = null, perMinute = null, perDay = null, spread = false } = one
    const places = countries ? sql`string_to_array(${countries.join(' ')}, ' ')` : sql`null`
    await server.query(sql`insert into connection
        (account_id, id, position, kind, countries, failover_seconds, per_minute, per_day, spread, settings, revision, updated_at)
      values (${accountId}, ${id}, ${index}, ${kind}, ${places}, ${failoverSeconds}, ${perMinute}, ${perDay}, ${spread}, '{}', ${crypto.randomUUID()}, now())`)
  }
}
