/** What the contract makes of a handler. One that does not fit does not compile. */
import type { BodyOf, ErrorCodeOf, HeaderOf, OperationId, PathOf, QueryOf, Reply } from '../../contract/operation.ts'
import type { Caller } from '../../domain/access/authentication.ts'
import type { Keyed, KeyedOutcome } from '../../domain/sending/idempotency.ts'
import type { Messages } from '../../domain/sending/message.ts'
import type { Notifications } from '../../domain/sending/notification.ts'
import type { Verifications } from '../../domain/sending/verification.ts'

/** The domain, as handlers see it. */
export interface Services {
  verifications: Verifications
  notifications: Notifications
  messages: Messages
}

export interface Input<Id extends OperationId> extends Keyed {
  body: BodyOf<Id>
  path: PathOf<Id>
  query: QueryOf<Id>
  /** By the names that the contract writes. */
  header: HeaderOf<Id>
  caller: Caller
}

/**
 * An operation: what is asked of the domain, and how what comes of it is written in the contract's words. `reply` writes
 * out its return type, `Reply<Id>`: only there does the compiler refuse a field that the contract does not have.
 */
export interface Handler<Id extends OperationId, Done = unknown> {
  /** @returns also a refusal, with a code that the contract documents for the operation */
  act(input: Input<Id>, services: Services): Promise<KeyedOutcome<Done, ErrorCodeOf<Id>>>
  reply(done: Done): Reply<Id>
}

/** Handlers by their operationId, none for what the contract does not have. */
export type Handlers = { [Id in OperationId]?: Handler<Id> }

/** A handler for each operation of the contract, none missing and none too many. */
export type Operations = Required<Handlers>
