/** The doors of a process, which do not listen yet. */

import { createHostCheck } from '../http/host.ts'
import { createOps, type ServingState } from '../http/ops/ops.ts'
import { createPostIntake } from '../inlets/inlets.ts'
import type { Config } from '../settings/config.ts'
import { listSandboxMessages } from '../store/channels/sandboxMessage.ts'
import { requireUsable } from '../store/engine/migrate.ts'
import { createApiServer } from './apiServer.ts'
import { createDashboardServer } from './dashboardServer.ts'
import type { Overrides, Parts } from './parts.ts'
import { createSending } from './sending.ts'

/** Messages of a sandbox phone that are shown, at most: a test of load may have sent it half a million. */
const sandboxMessagesMax = 1000

/** What the operations port tells of a process. */
export type OperationsView = Awaited<ReturnType<typeof createDoors>>['operations']

export async function createDoors(
  config: Config,
  { timeouts, countRequest }: Overrides,
  parts: Parts,
  { state, apiUrl }: { state: () => ServingState; apiUrl: () => string },
) {
  const isStopping = () => state() === 'stopping'
  const { commit, runtime, metrics, receipts, worker, inlets, strangers, posts } = parts
  const crowd = { connectionsMax: config.connectionsPerAddress, log: runtime.log }
  const isForUs = createHostCheck([config.host, config.opsHost, ...config.opsHosts])
  const services = createSending(config, parts)
  const api = await createApiServer(config, {
    ...parts,
    services,
    countRequest,
    isForUs,
    isStopping,
    crowd,
    timeouts,
    reports: {
      accept: receipts.accept,
      handshake: receipts.handshake,
      onReport: (report) => {
        metrics.reported(report)
        // It may have begun the next leg.
        if (report.status === 200) worker.wake()
      },
    },
    inlets: (count) => ({
      ...createPostIntake({ inlets, strangers, countRequest: count, send: services.sendPosted, posts, runtime }),
      onAnswered: (answered) => {
        metrics.posted(answered)
        if (answered.refused === undefined) worker.wake()
      },
    }),
    onAnswer: (answer) => {
      metrics.answered(answer)
      if (answer.method === 'POST' && (answer.status === 200 || answer.status === 201)) worker.wake()
    },
  })
  const operations = {
    metrics,
    checkReady: () => requireUsable(commit.reader),
    sandboxMessages: (phone: string) =>
      listSandboxMessages(commit.reader, { phone, now: runtime.now(), count: sandboxMessagesMax }),
  }
  const ops = createOps({ ...operations, state, isForUs, log: runtime.log, crowd, timeouts })
  const dashboard = await createDashboardServer(config, { ...parts, services, apiUrl, isStopping, crowd, timeouts })
  return { api, ops, operations, dashboard }
}
