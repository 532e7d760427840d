/** What must not compile. Each line below the comment fails; were it to compile, the comment itself would fail the check. */
import type { Reply, SuccessIn } from '../../src/contract/operation.ts'
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

/** As the generated types have it. */
interface WithHeaders {
  responses: {
    201: {
      headers: {
        readonly 'X-Trace-Id': string
        readonly 'Idempotent-Replayed'?: 'true'
        readonly Deprecation: '@1767139200'
        readonly Location: string
        readonly 'X-Left'?: number
        readonly [name: string]: unknown
      }
      content: { readonly 'application/json': object }
    }
  }
}

export const withRequiredHeader: SuccessIn<WithHeaders> = {
  status: 201,
  data: {},
  headers: { Location: '/v1/things/1' },
}

export const withEveryHeader: SuccessIn<WithHeaders> = {
  status: 201,
  data: {},
  headers: { Location: '/v1/things/1', 'X-Left': 3 },
}

// @ts-expect-error the contract requires a header
export const withoutHeaders: SuccessIn<WithHeaders> = { status: 201, data: {} }

export const withoutRequiredHeader: SuccessIn<WithHeaders> = {
  status: 201,
  data: {},
  // @ts-expect-error the contract requires Location
  headers: { 'X-Left': 3 },
}

export const withWrongHeader: SuccessIn<WithHeaders> = {
  status: 201,
  data: {},
  // @ts-expect-error the contract says that it is a number
  headers: { Location: '/v1/things/1', 'X-Left': 'three' },
}

export const withUndeclaredHeader: SuccessIn<WithHeaders> = {
  status: 201,
  data: {},
  // @ts-expect-error the contract has no such header
  headers: { Location: '/v1/things/1', ETag: '"1"' },
}

export const withConstantHeader: SuccessIn<WithHeaders> = {
  status: 201,
  data: {},
  // @ts-expect-error the service sends what has one value
  headers: { Location: '/v1/things/1', Deprecation: '@1767139200' },
}

export const withOwnHeader: SuccessIn<WithHeaders> = {
  status: 201,
  data: {},
  // @ts-expect-error the service gives it
  headers: { Location: '/v1/things/1', 'X-Trace-Id': '0' },
}

declare const message: SuccessIn<'getMessage'>['data']

export const headersOfNone: Reply<'getMessage'> = {
  status: 200,
  data: message,
  // @ts-expect-error the contract declares no header for it
  headers: { ETag: '"1"' },
}
