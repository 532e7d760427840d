/** Connections of accounts, for channels that a test gives its server. */
import { type SQL, sql } from 'drizzle-orm'

export interface GivenConnection {
  id: string
  kind: string
  countries?: string[]
  failoverSeconds?: number
}

/** Gives an account these connections in place of those that it has. A server that has looked already sees them seconds later. */
export async function giveConnections(
  server: { query: (statement: SQL) => Promise<unknown[]> },
  accountId: string,
  list: readonly GivenConnection[],
): Promise<void> {
  await server.query(sql`delete from connection where account_id = ${accountId}`)
  for (const [index, { id, kind, countries, failoverSeconds }] of list.entries()) {
    const places = countries ? sql`string_to_array(${countries.join(' ')}, ' ')` : sql`null`
    await server.query(sql`insert into connection
        (account_id, id, position, kind, countries, failover_seconds, settings, revision, updated_at)
      values (${accountId}, ${id}, ${index}, ${kind}, ${places}, ${failoverSeconds ?? null}, '{}', ${crypto.randomUUID()}, now())`)
  }
}
