/** Every operation of the contract, by its operationId. */
import type { Operations } from '../contract/operation.ts'
import { checkVerification } from './checkVerification.ts'
import { getMessage } from './getMessage.ts'
import { sendNotification } from './sendNotification.ts'
import { sendVerification } from './sendVerification.ts'

export const operations = {
  sendVerification,
  checkVerification,
  getMessage,
  sendNotification,
} satisfies Operations
