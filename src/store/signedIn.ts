/** Who holds a session. */
import { hash } from 'node:crypto'
import { milliseconds, type Reader, read } from './session.ts'
import type { Role } from './userSchema.ts'

interface Raw {
  id: string
  provedAt: number
  accountId: string
  userId: string
  name: string
  role: Role
  account: string
  email: string
}

const byHash = read<Raw>(`
  select s.id, ${milliseconds('s.proved_at')} as "provedAt", s.account_id as "accountId", u.id as "userId", u.name,
    u.role, a.name as account, u.email
  from dashboard_session s join dashboard_user u on u.account_id = s.account_id and u.id = s.user_id
    join account a on a.id = s.account_id
  where s.hash = $1 and u.disabled_at is null and not s.is_pending`)

export async function findSignedIn(reader: Reader, token: string, address: string) {
  const [row] = await reader.run(byHash, [hash('sha256', token, 'base64')])
  if (!row) return undefined
  const { id, provedAt, account, email, accountId, userId, name, role } = row
  const actor = { kind: 'user' as const, accountId, id: userId, name, role, address }
  return { id, actor, account, email, provedAt: new Date(provedAt) }
}
