/** Which requests are for the wire of Twilio Verify. */
import { isReadable, pathOf } from '../target.ts'

const root = '/v2/'

/** Asked of every request that comes in: for those that are not, it is one comparison. */
export function isForTwilio(target: string): boolean {
  if (target.startsWith('/')) return target.startsWith(root)
  return isReadable(target) && pathOf(target).startsWith(root)
}
