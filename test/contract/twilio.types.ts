/** What must not compile of the wire of Twilio Verify: see `operation.types.ts`. */
import type { TwilioHandlers, TwilioReply } from '../../src/http/twilio/handler.ts'
import { fetchVerification } from '../../src/http/twilio/operations/fetchVerification.ts'

// @ts-expect-error four operations of the contract have no handler
;({ fetchVerification }) satisfies TwilioHandlers

export async function undocumentedStatus(): Promise<Pick<TwilioReply<'fetchVerification'>, 'status'>> {
  // @ts-expect-error the contract documents 200, not 201
  return { status: 201 }
}
