/** Phones in the wire of Twilio Verify: people type them into programs that hand them on as they are. */
import { phoneFault, readTyped } from '../../domain/sending/phones/typedPhone.ts'
import { Problem } from '../../kit/problem.ts'

/** @returns in E.164 form, or a problem that says what is wrong with what was written */
export function phoneIn(written: string): string | Problem<'invalid_request'> {
  const { phone, fault } = readTyped(written)
  if (phone !== undefined) return phone
  // One in E.164 form is for the domain to refuse, which knows why.
  if (phoneFault(written) === undefined) return written
  const message = `must be one phone number with its country code, like +14155550100; it ${fault}`
  return new Problem('invalid_request', { details: [{ field: '/To', code: 'wrong_format', message }] })
}
