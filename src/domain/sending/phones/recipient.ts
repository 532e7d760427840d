/** What stands for a phone where no phone may be: an account can join its messages by it, and read no number from it. */
import type { KeyObject } from 'node:crypto'
import type { Mode } from '../../../store/schema/schema.ts'
import { computeHmac } from '../../access/hmac.ts'
import { onePhone } from '../phoneForm.ts'

/** Of the hash: enough that no two phones of an account meet by chance. */
const bytes = 10

/**
 * The same for every number of a phone, and another one in each account and mode.
 *
 * @param key stays the same when secrets are rotated
 */
export function recipientOf(key: KeyObject, accountId: string, { mode, phone }: { mode: Mode; phone: string }): string {
  return `rcp_${computeHmac(key, ['recipient', accountId, mode, onePhone(phone)]).toString('hex', 0, bytes)}`
}
