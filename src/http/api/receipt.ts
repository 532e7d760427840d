/** What the answer to a right code says of a receipt. */
import type { ReceiptOutcome } from '../../domain/sending/checks/verificationAttempt.ts'

export function receiptFields({ receipt, receiptUnavailable: receipt_unavailable }: ReceiptOutcome) {
  return { ...(receipt !== undefined && { receipt }), ...(receipt_unavailable && { receipt_unavailable }) }
}
