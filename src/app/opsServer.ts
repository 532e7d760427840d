/** The server of the operators' port, which every role has. */
import { createHostCheck } from '../http/host.ts'
import { createOps, type ServingState } from '../http/ops/ops.ts'
import type { BoundedServer } from '../http/server.ts'
import type { Config } from '../settings/config.ts'
import { listSandboxMessages } from '../store/channels/sandboxMessage.ts'
import { requireUsable } from '../store/engine/migrate.ts'
import type { Overrides, Parts } from './parts.ts'

/** Messages of a sandbox phone that are shown, at most: a test of load may have sent it half a million. */
const sandboxMessagesMax = 1000

/** What the operations port tells of a process. */
export type OperationsView = ReturnType<typeof operationsViewOf>

export function operationsViewOf({ commit, runtime, metrics }: Parts) {
  return {
    metrics,
    checkReady: () => requireUsable(commit.reader),
    sandboxMessages: (phone: string) =>
      listSandboxMessages(commit.reader, { phone, now: runtime.now(), count: sandboxMessagesMax }),
  }
}

/** @returns the server, which does not listen yet */
export function createOpsServer(
  config: Config,
  { timeouts }: Overrides,
  { operations, state, log }: { operations: OperationsView; state: () => ServingState; log: Parts['runtime']['log'] },
): BoundedServer {
  const isForUs = createHostCheck([config.host, config.opsHost, ...config.opsHosts])
  const crowd = { connectionsMax: config.connectionsPerAddress, log }
  return createOps({ ...operations, state, isForUs, log, crowd, timeouts })
}
