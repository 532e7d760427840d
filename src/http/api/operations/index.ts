/** Every operation of the contract, by its operationId. */
import type { Handlers, Operations } from '../handler.ts'
import { addOptOut } from './addOptOut.ts'
import { cancelNotification } from './cancelNotification.ts'
import { cancelVerification } from './cancelVerification.ts'
import { checkVerification } from './checkVerification.ts'
import { checkVerificationByPhone } from './checkVerificationByPhone.ts'
import { confirmVerification } from './confirmVerification.ts'
import { deleteTemplate } from './deleteTemplate.ts'
import { findOptOut } from './findOptOut.ts'
import { getMessage } from './getMessage.ts'
import { getTemplate } from './getTemplate.ts'
import { listMessages } from './listMessages.ts'
import { listTemplates } from './listTemplates.ts'
import { previewNotification } from './previewNotification.ts'
import { putTemplate } from './putTemplate.ts'
import { removeOptOut } from './removeOptOut.ts'
import { sendNotification } from './sendNotification.ts'
import { sendVerification } from './sendVerification.ts'

export const operations = {
  sendVerification,
  checkVerification,
  checkVerificationByPhone,
  cancelVerification,
  confirmVerification,
  listMessages,
  getMessage,
  sendNotification,
  cancelNotification,
  previewNotification,
  listTemplates,
  getTemplate,
  putTemplate,
  deleteTemplate,
  addOptOut,
  removeOptOut,
  findOptOut,
} satisfies Handlers

// Until an operation of the contract has its handler, it is answered from its examples, and this does not compile.
operations satisfies Operations
