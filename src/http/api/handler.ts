/** What a contract makes of a handler. One that does not fit does not compile. */
import type { operations } from '../../../generated/types.ts'
import type { BodyIn, ErrorCodeOf, HeaderIn, OperationId, PathIn, QueryIn, Reply } from '../../contract/operation.ts'
import type { Account } from '../../domain/access/account.ts'
import type { Caller } from '../../domain/access/authentication.ts'
import type { Keyed, KeyedOutcome } from '../../domain/sending/idempotency.ts'
import type { Messages } from '../../domain/sending/message.ts'
import type { Notifications } from '../../domain/sending/notifications/notification.ts'
import type { PreviewNotification } from '../../domain/sending/notifications/preview.ts'
import type { OptOutChanges } from '../../domain/sending/phones/optOutChange.ts'
import type { Verifications } from '../../domain/sending/verification.ts'
import type { TemplateChanges } from '../../domain/templates/templateChange.ts'
import type { ToldTemplates } from '../../domain/templates/toldTemplate.ts'

/** The domain, as handlers see it. */
export interface Services {
  verifications: Verifications
  notifications: Notifications
  preview: PreviewNotification
  optOuts: OptOutChanges
  templates: ToldTemplates
  templateChanges: TemplateChanges
  messages: Messages
  /** Of the caller. */
  findAccount: (id: string) => Promise<Account | undefined>
}

/** What a request for an operation asks, of whichever contract. */
export interface InputOf<Operation> extends Keyed {
  body: BodyIn<Operation>
  path: PathIn<Operation>
  query: QueryIn<Operation>
  /** By the names that the contract writes. */
  header: HeaderIn<Operation>
  caller: Caller
}

export type Input<Id extends OperationId> = InputOf<operations[Id]>

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

/** By name; an optional one may be undefined. */
export type GivenHeaders = Readonly<Record<string, string | number | undefined>>

/** A handler of any contract, once its own types do not matter any more. */
export interface AnyHandler {
  act(input: object, services: Services): Promise<KeyedOutcome<unknown>>
  reply(done: unknown): { status: number; data: object; headers?: GivenHeaders | undefined }
}

/** By their operationIds. */
export type AnyHandlers = Readonly<Record<string, AnyHandler | undefined>>
