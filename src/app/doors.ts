/** The doors for callers and for people, which do not listen yet. A process that only delivers does not load them. */
import { createPostIntake } from '../inlets/inlets.ts'
import type { Config } from '../settings/config.ts'
import { type ApiServerParts, createApiServer } from './apiServer.ts'
import type { Overrides, Parts } from './parts.ts'
import { createSending } from './sending.ts'

type DoorParts = Pick<ApiServerParts, 'isForUs' | 'crowd' | 'isStopping'> & { apiUrl: () => string }

export async function createDoors(
  config: Config,
  { timeouts, countRequest }: Overrides,
  parts: Parts,
  { isForUs, crowd, isStopping, apiUrl }: DoorParts,
) {
  const { runtime, metrics, receipts, worker, inlets, strangers, posts } = parts
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
  const { dashboardPort } = config
  if (dashboardPort === undefined) return { api, dashboard: undefined }
  const { createDashboardDoor } = await import('./dashboardDoor.ts')
  const open = { ...parts, services, apiUrl, isStopping, crowd, timeouts }
  return { api, dashboard: createDashboardDoor({ ...config, dashboardPort }, open) }
}
