/**
 * One of several processes that serve together: all is as in a process that is alone, but that the primary counts for all, and has the
 * operations port, if that is a port of its own.
 */
import cluster from 'node:cluster'
import { type App, createApp } from '../../app/app.ts'
import { endAfter, onStopSignal } from '../../kit/stopping.ts'
import type { ProcessParts } from '../processParts.ts'
import { giveBackMemory } from '../startMemory.ts'
import { createLine, type MemberCalls, type PrimaryCalls } from './line.ts'
import { createSharedRate } from './sharedRate.ts'

/** Milliseconds for the metrics of all: the primary asks each, and waits for the answers. */
const metricsMs = 5000

export async function startMember({ config, roles, output, onLog }: ProcessParts): Promise<void> {
  const worker = cluster.worker!
  let app: App | undefined
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    // Before it has opened all, nothing is under way.
    endAfter(async () => app?.close(), app?.log)
  }
  onStopSignal(stop)
  worker.once('disconnect', () => {
    // Node would end this process where it is.
    worker.exitedAfterDisconnect = true
    if (!stopping) app?.log.error('the process that started this one has gone: this one stops')
    stop()
  })
  const operations = () => {
    if (!app) throw new Error('still starting')
    return app.operations
  }
  const ask = createLine<PrimaryCalls>(worker, {
    checkReady: () => operations().checkReady(),
    sandboxMessages: (phone) => operations().sandboxMessages(phone),
    snapshot: () => operations().metrics.snapshot(),
    beat: () => {},
  } satisfies MemberCalls)

  app = await createApp(config, {
    logDestination: output,
    logBase: { pid: process.pid },
    countRequest: createSharedRate((keys) => ask('countRequests', keys)),
    metricsOfAll: { render: () => ask('renderMetrics', undefined, metricsMs) },
  })
  onLog(app.log)
  giveBackMemory()
  const ports = await app.listen({ ...roles, ops: false }).catch(async (error: unknown) => {
    await app?.close()
    throw error
  })
  app.log.info('serving')
  output.flush()
  await ask('serving', ports)
}
