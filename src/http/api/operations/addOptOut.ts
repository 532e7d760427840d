import type { OptOutState } from '../../../domain/sending/phones/optOutChange.ts'
import type { Handler } from '../handler.ts'
import { optOutReply } from './forms/optOutReply.ts'

export const addOptOut: Handler<'addOptOut', OptOutState> = {
  act: ({ body: { phone, category }, caller, once }, { optOuts }) => optOuts.add({ caller, once, phone, category }),

  reply: (state): ReturnType<typeof optOutReply> => optOutReply(state),
}
