/** Which requests are for the providers' door, and about which connection each of them is. */
import { isUnder, readPath } from '../target.ts'

export interface Address {
  accountId: string
  connection: string
  /** It ends with a secret, which the channel looks at: it stands in no log and no trace. */
  hasToken: boolean
}

const route = '/providers/{account}/{connection}'

/** Method and path of what providers ask, by its name. */
export const reportRoutes = [
  ['report', { method: 'POST', route }],
  ['handshake', { method: 'GET', route }],
] as const
const form = /^\/providers\/(acct_[A-Za-z0-9]{1,40})\/([a-z][a-z0-9-]{0,31})(\/[A-Za-z0-9_-]{22})?$/

export function isForReports(target: string): boolean {
  return isUnder('/providers/', target)
}

/** Undefined for what cannot be the address of a connection, so that nobody has to look for it. */
export function addressIn(target: string): Address | undefined {
  const [, accountId, connection, token] = form.exec(readPath(target)) ?? []
  const hasToken = token !== undefined
  return accountId !== undefined && connection !== undefined ? { accountId, connection, hasToken } : undefined
}
