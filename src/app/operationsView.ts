/** What the operators' port is about, whichever process has that port. */

import type { Config } from '../settings/config.ts'
import { listSandboxMessages } from '../store/channels/sandboxMessage.ts'
import { requireUsable } from '../store/engine/migrate.ts'
import type { Parts } from './parts.ts'

/** Messages of a sandbox phone that are shown, at most: a test of load may have sent it half a million. */
const sandboxMessagesMax = 1000

/** What the operations port tells of a process. */
export type OperationsView = ReturnType<typeof createOperationsView>

export function createOperationsView(
  { commit, runtime, metrics }: Parts,
  { sandboxLive }: Pick<Config, 'sandboxLive'>,
) {
  return {
    metrics,
    checkReady: () => requireUsable(commit.reader),
    sandboxMessages: (phone: string) =>
      listSandboxMessages(commit.reader, { phone, now: runtime.now(), count: sandboxMessagesMax, sandboxLive }),
  }
}
