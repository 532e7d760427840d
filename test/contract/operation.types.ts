/** What must not compile. Each line below the comment fails; were it to compile, the comment itself would fail the check. */
import type { Reply } from '../../src/contract/operation.ts'
import type { MessageState } from '../../src/domain/sending/status.ts'
import type { Handler, Operations } from '../../src/http/api/handler.ts'
import { operations } from '../../src/http/api/operations/index.ts'
import { Problem } from '../../src/kit/problem.ts'

const { getMessage: _missing, ...withoutGetMessage } = operations

// @ts-expect-error an operation of the contract has no handler
withoutGetMessage satisfies Operations

// @ts-expect-error a handler belongs to no operation of the contract
;({ ...operations, cancelVerification: operations.getMessage }) satisfies Operations

// @ts-expect-error a handler belongs to another operation
;({ ...operations, getMessage: operations.sendVerification }) satisfies Operations

export const undescribedInput: Handler<'getMessage', MessageState> = {
  ...operations.getMessage,
  // @ts-expect-error the contract takes no body here
  act: ({ body: { phone }, caller }, { messages }) => messages.get(caller, phone),
}

export const otherOutcome: Handler<'getMessage', MessageState> = {
  ...operations.getMessage,
  // @ts-expect-error what is asked of the domain gives no message
  act: async () => ({ id: 'req_' }),
}

export const undocumentedCode: Handler<'getMessage', MessageState> = {
  ...operations.getMessage,
  // @ts-expect-error the contract documents this code, but not for this operation
  act: async () => new Problem('country_not_allowed'),
}

export const documentedCode: Handler<'getMessage', MessageState> = {
  ...operations.getMessage,
  act: async () => new Problem('message_not_found'),
}

export const undocumentedCodeAmongOthers: Handler<'getMessage', MessageState> = {
  ...operations.getMessage,
  // @ts-expect-error the domain may answer a code that the operation does not document
  act: async ({ path: { id } }) => new Problem(id ? 'message_not_found' : 'verification_not_found'),
}

export async function undocumentedStatus(): Promise<Reply<'sendNotification'>> {
  // @ts-expect-error the contract documents 200, not 201
  return { status: 201, data: { request_id: 'req_', status: 'queued' } }
}

export async function undocumentedField(): Promise<Reply<'sendNotification'>> {
  // @ts-expect-error the contract has no such field
  return { status: 200, data: { request_id: 'req_', status: 'queued', phone: '+14155550100' } }
}

export async function missingField(): Promise<Reply<'sendVerification'>> {
  // @ts-expect-error the contract requires expires_in
  return { status: 200, data: { request_id: 'req_', status: 'sent' } }
}

export async function wrongValue(): Promise<Reply<'sendVerification'>> {
  // @ts-expect-error the contract has only the status sent here
  return { status: 200, data: { request_id: 'req_', status: 'queued', expires_in: 600 } }
}
