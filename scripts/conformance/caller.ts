/** Who plays the scenarios of the contract, on a deployment or in a test. */
import type { OperationId } from '../../src/contract/operation.ts'
import type { Request } from './request.ts'

/** Who asks. */
export interface Caller {
  /** A test key that may do everything. */
  key: string
  /** The same one, or another of the account, with a scope that keys have only if it was chosen for them. */
  keyWith: (scope: string) => Promise<string>
  /** Another one, of the same account, that lacks this scope. */
  keyWithout: (scope: string) => Promise<string>
  /** A number that nobody else uses. */
  newPhone: () => string
  /** What fills a template of the account, but for the phone. */
  welcome: () => Promise<{ template: string; variables: Record<string, string> }>
  ask: (operationId: OperationId, request: Request) => Promise<unknown>
  /** Sends a code. @returns its request_id */
  send: (phone: string) => Promise<string>
  check: (requestId: string, code: string) => Promise<unknown>
  /** Resolves when the message has come to this status. */
  reached: (id: string, status: string) => Promise<unknown>
  /** The request_id of a code that was never delivered, and whose time is over. */
  expired: () => Promise<string>
}

/** Does what has to happen before, and says what to ask then. */
export type Scenario<Who = Caller, Asked = Request> = (caller: Who) => Promise<Asked>
