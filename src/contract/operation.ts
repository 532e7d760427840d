/** What the contract makes of a handler: its types. A handler that does not fit them does not compile. */
import type { operations } from '../../generated/types.ts'
import type { Caller } from '../domain/apiKey.ts'
import type { Messages } from '../domain/message.ts'
import type { Notifications } from '../domain/notification.ts'
import type { Verifications } from '../domain/verification.ts'
import type { Session } from '../store/connect.ts'

export type OperationId = keyof operations

/** The domain, as handlers see it. */
export interface Services {
  verifications: Verifications
  notifications: Notifications
  messages: Messages
}

type BodyOf<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? Body
  : undefined

export interface Input<Id extends OperationId> {
  /** Valid, with the contract's defaults filled in. */
  body: BodyOf<Id>
  path: NonNullable<operations[Id]['parameters']['path']>
  caller: Caller
  /** What to work on: the database, or the transaction that also keeps the answer for an `Idempotency-Key`. */
  session: Session
}

type Responses<Id extends OperationId> = operations[Id]['responses']

/** A documented success of the operation. Errors are thrown, as a `Problem`. */
export type Reply<Id extends OperationId> = {
  [Status in keyof Responses<Id>]: Responses<Id>[Status] extends {
    content: { 'application/json': { success: true; data: infer Data } }
  }
    ? { status: Status; data: Data }
    : never
}[keyof Responses<Id>]

/**
 * Handlers by their operationId, none for what the contract does not have. A handler writes out its return type,
 * `Promise<Reply<Id>>`: only there does the compiler refuse a field that the contract does not have.
 */
export type Handlers = {
  [Id in OperationId]?: (input: Input<Id>, services: Services) => Promise<Reply<Id>>
}

/** A handler for each operation of the contract, none missing and none too many. */
export type Operations = Required<Handlers>
