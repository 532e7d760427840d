/** Every operation of the contract, by its operationId. */
import type { Handlers, Operations } from '../handler.ts'
import { checkVerification } from './checkVerification.ts'
import { getMessage } from './getMessage.ts'
import { sendNotification } from './sendNotification.ts'
import { sendVerification } from './sendVerification.ts'

export const operations = {
  sendVerification,
  checkVerification,
  getMessage,
  sendNotification,
} satisfies Handlers

// Until an operation of the contract has its handler, it is answered from its examples, and this does not compile.
operations satisfies Operations
