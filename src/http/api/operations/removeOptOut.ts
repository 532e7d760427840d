import type { OptOutState } from '../../../domain/sending/phones/optOutChange.ts'
import type { Handler } from '../handler.ts'
import { optOutReply } from './forms/optOutReply.ts'

export const removeOptOut: Handler<'removeOptOut', OptOutState> = {
  act: ({ body: { phone }, caller, once }, { optOuts }) => optOuts.remove({ caller, once, phone }),

  reply: (state): ReturnType<typeof optOutReply> => optOutReply(state),
}
