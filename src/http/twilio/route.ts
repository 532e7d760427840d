/** Which requests are for the wire of Twilio Verify. */
import { isUnder } from '../target.ts'

export function isForTwilio(target: string): boolean {
  return isUnder('/v2/', target)
}
