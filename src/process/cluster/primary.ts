/**
 * The process that starts the others, keeps them running, and has the operations port of them all. It serves nobody itself: where the
 * operations share a port, whichever process is asked there gets the metrics of all from here.
 */
import cluster from 'node:cluster'
import { createRates } from '../../http/api/throttle.ts'
import { createHostCheck } from '../../http/host.ts'
import { createOps, type OpsOptions, type ServingState } from '../../http/ops/ops.ts'
import { type Listening, listen } from '../../http/server.ts'
import { createLog } from '../../kit/runtime.ts'
import { endAfter, endOnSignal, patienceMs, stopMs } from '../../kit/stopping.ts'
import type { Config } from '../../settings/config.ts'
import { sharesOps } from '../../settings/ports.ts'
import type { ProcessParts } from '../processParts.ts'
import { giveBackMemory } from '../startMemory.ts'
import { createKeeper, type Keeper } from './keeper.ts'
import { createTotals, type Totals } from './totals.ts'

export async function startPrimary({ config, roles, output, onLog, onReady }: ProcessParts): Promise<void> {
  const { processes: count } = config
  const log = createLog(config.logLevel, output, { pid: process.pid })
  onLog(log)
  // Keeps times and what is no number, which JSON does not.
  cluster.setupPrimary({ serialization: 'advanced' })
  const rate = createRates(config)
  let state: ServingState = 'starting'
  const keeper = createKeeper({
    count,
    countRequests: (keys) => Promise.all(keys.map(rate)),
    renderMetrics: () => operations.metrics.render(),
    log,
    onReady: (ports) => {
      state = 'serving'
      onReady(log, { ...ports, ...(door && { opsPort: door.port }) })
    },
    onEnd: (process) => totals.end(process),
    onReplaced: () => totals.replaced(),
    onHopeless: () => {
      // With 1: whoever started this must see it.
      endAfter(() => close().then(() => process.exit(1)), log)
    },
  })
  const totals = createTotals(() => {
    const { size: serving } = keeper.serving()
    return { serving, starting: count - serving }
  })
  const operations = createOperations(keeper, totals)
  const door = sharesOps(config, roles) ? undefined : await openOps(config, { ...operations, state: () => state, log })
  const close = async () => {
    state = 'stopping'
    const until = performance.now() + patienceMs
    await keeper.stop().finally(() => door?.shut(0, until))
  }
  endOnSignal(close, log, stopMs + 400)
  giveBackMemory()
  keeper.start()
}

async function openOps(config: Config, parts: Operations & Pick<OpsOptions, 'state' | 'log'>): Promise<Listening> {
  const { host, opsHost, opsHosts, opsPort, opsToken: token, opsShare, connectionsPerAddress: connectionsMax } = config
  const isForUs = createHostCheck([host, opsHost, ...opsHosts])
  const crowd = { connectionsMax, log: parts.log }
  return listen(createOps({ ...parts, isForUs, token, isShared: opsShare !== undefined }, { crowd }), opsPort, opsHost)
}

type Operations = Pick<OpsOptions, 'metrics' | 'checkReady' | 'sandboxMessages'>

/** What the operations port tells, as the processes that serve tell it. */
export function createOperations({ serving }: Pick<Keeper, 'serving'>, totals: Totals): Operations {
  /** The first of them that can, does. @throws Error when none can */
  const anyOf = async <T>(asked: Promise<T>[]): Promise<T> => {
    if (asked.length === 0) throw new Error('no process serves')
    return Promise.any(asked).catch((error: AggregateError) => {
      throw error.errors[0]
    })
  }
  const note = async (process: number) => {
    const snapshot = await serving().get(process)?.('snapshot', undefined)
    // What comes from one that has ended by now, is counted already.
    if (snapshot && serving().has(process)) totals.note(process, snapshot)
  }
  return {
    // As long as one serves, this machine does: who asks must not send everybody elsewhere because another is being replaced.
    checkReady: () => anyOf(Array.from(serving().values(), (ask) => ask('checkReady', undefined))),
    // One is enough, all read the same database: an answer that nobody waits for could fail with nobody to notice.
    sandboxMessages: (phone) => anyOf(Array.from(serving().values().take(1), (ask) => ask('sandboxMessages', phone))),
    metrics: {
      contentType: totals.contentType,
      render: async () => {
        // Of one that does not answer, there is what it told last.
        await Promise.allSettled(Array.from(serving().keys(), note))
        return totals.render()
      },
    },
  }
}
