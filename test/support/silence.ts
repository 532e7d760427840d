/** For parts under test that nobody listens to. */
import type { Events } from '../../src/domain/event.ts'

export const silence: Events = {
  isAwaited: async () => false,
  tellMoves: () => {},
  tellDecided: () => {},
  tellDisabled: () => {},
}
