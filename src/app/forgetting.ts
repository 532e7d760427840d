/** What this process remembers of an account is read again once the process has changed it. */
import type { Changes } from '../domain/access/act.ts'

/** Goes by the noun of each act. */
export function forgetChanged(
  changes: Changes,
  { authentication, delivery, told, known, inlets }: RememberingParts,
): void {
  const forgetters: Readonly<Record<string, (accountId: string) => void>> = {
    key: authentication.forget,
    channels: delivery.connections.forget,
    endpoint: told.forget,
    account: known.wordings.forget,
    wording: known.wordings.forget,
    inlets: inlets.forget,
    protection: known.rules.forget,
  }
  changes.on('act', ({ act, accountId }) => forgetters[act.split('.')[0] ?? '']?.(accountId))
}

interface Remembering {
  forget: (accountId: string) => void
}

interface RememberingParts {
  authentication: Remembering
  delivery: { connections: Remembering }
  told: Remembering
  known: { wordings: Remembering; rules: Remembering }
  inlets: Remembering
}
