/** People of an account, as actors. */
import { sql } from 'drizzle-orm'
import type { Role, UserActor } from '../../src/domain/access/actor.ts'
import type { TestServer } from './server.ts'

export function person(role: Role, accountId = 'acct_default'): UserActor {
  return { kind: 'user', accountId, id: `user_${role}`, name: `a ${role}`, role, address: '127.0.0.1' }
}

/** The same, who is there: nobody else may change anything. */
export async function personOf({ query }: Pick<TestServer, 'query'>, role: Role, account?: string): Promise<UserActor> {
  const actor = person(role, account)
  const { accountId, id, name } = actor
  const email = `${id}@${accountId}.example.com`
  await query(sql`insert into dashboard_user (account_id, id, name, email, email_key, role, created_at)
    values (${accountId}, ${id}, ${name}, ${email}, ${email}, ${role}, now())`)
  return actor
}
