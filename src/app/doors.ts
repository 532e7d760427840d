/** The doors for callers and for people, which do not listen yet. A process that only delivers does not load them. */
import type { Guest } from '../http/guest.ts'
import { createPostIntake } from '../inlets/inlets.ts'
import type { Config } from '../settings/config.ts'
import { type ApiServerParts, createApiServer } from './apiServer.ts'
import type { DashboardDoor, DashboardDoorParts } from './dashboardDoor.ts'
import type { Overrides, Parts } from './parts.ts'
import { createSending } from './sending.ts'

type DoorParts = Pick<ApiServerParts, 'isForUs' | 'crowd' | 'isStopping'> & {
  /** The operations, where they are the guest of another door. */
  ops: Guest | undefined
  apiUrl: () => string
}

export async function createDoors(
  config: Config,
  { timeouts, countRequest }: Overrides,
  parts: Parts,
  { isForUs, crowd, isStopping, ops, apiUrl }: DoorParts,
) {
  const { runtime, metrics, receipts, worker, inlets, strangers, posts } = parts
  const services = createSending(config, {
    ...parts,
    // A sandbox has no public address: its own is the one that can be asked for its keys.
    issuer: () => (config.sandboxKey === undefined ? config.publicUrl : apiUrl()),
  })
  const dashboard = await createDashboard(config, { ...parts, services, apiUrl, isStopping })
  const { opsShare, dashboardShare } = config
  const createGuests = (host: 'api' | 'dashboard') => [
    ...(ops && opsShare === host ? [ops] : []),
    ...(dashboard && dashboardShare === 'api' && host === 'api' ? [dashboard] : []),
  ]
  const api = await createApiServer(config, {
    ...parts,
    services,
    countRequest,
    isForUs,
    isStopping,
    guests: createGuests('api'),
    crowd,
    timeouts,
    reports: {
      accept: receipts.accept,
      knows: receipts.knows,
      isFull: receipts.isFull,
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
  if (!dashboard || dashboardShare === 'api') return { api, dashboard }
  const { createDashboardServer } = await import('../http/dashboard/dashboard.ts')
  return {
    api,
    dashboard,
    dashboardServer: createDashboardServer(dashboard, { guests: createGuests('dashboard'), crowd, timeouts }),
  }
}

/** Loaded where there is one. */
async function createDashboard(config: Config, parts: DashboardDoorParts): Promise<DashboardDoor | undefined> {
  if (config.dashboardPort === undefined) return undefined
  const { createDashboardDoor } = await import('./dashboardDoor.ts')
  return createDashboardDoor(config, parts)
}
