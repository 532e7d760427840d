/** People of an account, as actors. */
import { sql } from 'drizzle-orm'
import type { Role, UserActor } from '../../src/domain/access/actor.ts'
import type { TestDatabase } from './database.ts'
import type { TestServer } from './server.ts'

export function person(role: Role, accountId = 'acct_default'): UserActor {
  return { kind: 'user', accountId, id: `user_${role}`, name: `a ${role}`, role, address: '127.0.0.1' }
}

/** Adds them to their account: nobody else may change anything. Of one account, each has another role. */
export async function addPerson({ sql: run }: Pick<TestDatabase, 'sql'>, actor: UserActor): Promise<void> {
  const { accountId, id, name, role } = actor
  const email = `${id}@${accountId}.example.com`
  await run`insert into dashboard_user (account_id, id, name, email, email_key, role, created_at)
    values (${accountId}, ${id}, ${name}, ${email}, ${email}, ${role}, now())`
}

/** The same, in the database of a server. */
export async function personOf({ query }: Pick<TestServer, 'query'>, role: Role, account?: string): Promise<UserActor> {
  const actor = person(role, account)
  const { accountId, id, name } = actor
  const email = `${id}@${accountId}.example.com`
  await query(sql`insert into dashboard_user (account_id, id, name, email, email_key, role, created_at)
    values (${accountId}, ${id}, ${name}, ${email}, ${email}, ${role}, now())`)
  return actor
}
