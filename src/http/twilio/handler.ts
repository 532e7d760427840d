/** What the wire of Twilio Verify makes of a handler. */
import type { operations } from '../../../generated/twilio-verify/types.ts'
import type { SuccessIn } from '../../contract/operation.ts'
import type { TwilioOperationId } from '../../contract/twilioDocument.ts'
import { type Keyed, type KeyedOutcome, Replay } from '../../domain/sending/idempotency.ts'
import { serviceSidOf } from '../../domain/twilioSid.ts'
import { Problem } from '../../kit/problem.ts'
import type { AnyHandler, InputOf, Services } from '../api/handler.ts'

export type TwilioReply<Id extends TwilioOperationId> = SuccessIn<operations[Id]>

export interface TwilioHandler<Id extends TwilioOperationId, Done = unknown> {
  act(input: InputOf<operations[Id]>, services: Services): Promise<KeyedOutcome<Done>>
  reply(done: Done): TwilioReply<Id>
}

/** A handler for each operation, none missing and none too many. */
export type TwilioHandlers = { [Id in TwilioOperationId]: TwilioHandler<Id> }

/** The same handlers, which find nothing in a service of another account. */
export function ofOwnService(handlers: TwilioHandlers): Record<string, AnyHandler> {
  const entries = Object.entries(handlers) as [string, TwilioHandler<TwilioOperationId>][]
  return Object.fromEntries(
    entries.map(([id, { act, reply }]) => [
      id,
      {
        act: async (input, services) => {
          const given = input as InputOf<operations[TwilioOperationId]>
          const isOwn = given.path.ServiceSid === serviceSidOf(given.caller.accountId)
          return isOwn ? act(given as never, services) : new Problem('verification_not_found')
        },
        reply,
      } satisfies AnyHandler,
    ]),
  )
}

/**
 * Has the domain work under the caller's key, and tells what came of it in the words of this contract: so it is answered, and so
 * it is kept for a repeat.
 */
export async function retold<Done extends object, Told extends object>(
  { once }: Keyed,
  work: (keyed: Keyed) => Promise<KeyedOutcome<Done>>,
  tell: (done: Done) => Told | Problem,
): Promise<KeyedOutcome<Told>> {
  const toldOf = (outcome: KeyedOutcome<Done>): KeyedOutcome<Told> =>
    outcome instanceof Problem || outcome instanceof Replay ? outcome : tell(outcome as Done)
  const keyed = once && {
    ...once,
    answerTo: (outcome: unknown) => once.answerTo(toldOf(outcome as KeyedOutcome<Done>)),
  }
  return toldOf(await work({ once: keyed }))
}
