/** For parts under test that nobody listens to. */
import type { OptOuts } from '../../src/domain/sending/phones/optOut.ts'
import type { Events } from '../../src/domain/webhooks/event.ts'

export const silence: Events = {
  isAwaited: async () => false,
  tellMoves: () => {},
  tellDecided: () => {},
  tellRefused: () => {},
  noteFound: () => {},
  tellBudgets: () => {},
  tellOptOuts: () => {},
  tellTemplates: () => {},
  tellDisabled: () => {},
}

/** Remembers no one who opted out. */
export const noOptOuts: Pick<OptOuts, 'remember'> = { remember: async () => {} }
