/** For parts under test that nobody listens to. */
import type { Events } from '../../src/domain/webhooks/event.ts'

export const silence: Events = {
  isAwaited: async () => false,
  tellMoves: () => {},
  tellDecided: () => {},
  tellRefused: () => {},
  noteFound: () => {},
  tellBudgets: () => {},
  tellDisabled: () => {},
}
