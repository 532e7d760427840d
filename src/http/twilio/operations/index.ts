/** Every operation of the wire of Twilio Verify, by its operationId. */
import { ofOwnService } from '../handler.ts'
import { createVerification } from './createVerification.ts'
import { createVerificationCheck } from './createVerificationCheck.ts'
import { fetchService } from './fetchService.ts'
import { fetchVerification } from './fetchVerification.ts'
import { updateVerification } from './updateVerification.ts'

export const twilioOperations = ofOwnService({
  fetchService,
  createVerification,
  fetchVerification,
  updateVerification,
  createVerificationCheck,
})
