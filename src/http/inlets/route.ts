/** Which requests are for the inlets' door, and for which inlet each of them is. */
import { isUnder, readPath } from '../target.ts'

export interface InletAddress {
  accountId: string
  id: string
}

/** Method and path of what is posted, by its name. */
export const inletRoutes = [['inlet', { method: 'POST', route: '/inlets/{account}/{inlet}' }]] as const
const form = /^\/inlets\/(acct_[A-Za-z0-9]{1,40})\/([a-z][a-z0-9-]{0,31})$/

export function isForInlets(target: string): boolean {
  return isUnder('/inlets/', target)
}

/** Undefined for what cannot be the address of an inlet, so that nobody has to look for it. */
export function inletAddressIn(target: string): InletAddress | undefined {
  const [, accountId, id] = form.exec(readPath(target)) ?? []
  return accountId !== undefined && id !== undefined ? { accountId, id } : undefined
}
