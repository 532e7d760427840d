/** Puts deliveries together: connections, the tasks of the worker, and the queues that they need. */

import type { Secrets } from '../domain/access/secret.ts'
import type { Confirm } from '../domain/sending/checks/verificationAttempt.ts'
import { createDispatch, type Dispatch, queueOf } from '../domain/sending/dispatch.ts'
import { createMove, type Move } from '../domain/sending/message.ts'
import type { OptOuts } from '../domain/sending/phones/optOut.ts'
import type { InboundReplies } from '../domain/sending/phones/reply.ts'
import type { FindRoute } from '../domain/sending/route.ts'
import type { Events } from '../domain/webhooks/event.ts'
import type { Task } from '../jobs/worker.ts'
import type { Runtime } from '../kit/runtime.ts'
import { type ConnectionRevision, restConnections, wakeConnections } from '../store/channels/connection.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Queue, QueueOptions } from '../store/engine/queue.ts'
import type { Mode } from '../store/schema/schema.ts'
import { abandonedQueue, createAbandoned } from './abandoned.ts'
import type { Channel } from './channel.ts'
import { kindNames, kindsWith } from './channels/kinds.ts'
import { createSandbox } from './channels/sandbox/sandbox.ts'
import { confirmQueue, createConfirm } from './confirm.ts'
import { createDeliver, type DeliverParts } from './deliver.ts'
import { createFailover, failoverQueue } from './failover.ts'
import { createFollow, followQueue } from './follow.ts'
import { createOpenConnections, type OpenConnections, type OpenConnectionsParts } from './openConnections.ts'
import { createPulses } from './pulse.ts'
import { createLaterReports, createReceipts, type Receipts, reportQueue } from './receipts.ts'
import { createEarlyRoom, earlyQueue } from './reports/early.ts'
import { createReportedFaults } from './reports/reportedFault.ts'
import { createReportRoom } from './reports/reportRoom.ts'
import type { Resting } from './rest.ts'
import { createFindRoute } from './route.ts'
import { createTemplateWatch, templateWatchQueues } from './templates/watch.ts'
import { findFull } from './turns/capacity.ts'
import { createTakeTurn } from './turns/caps.ts'
import { createPace } from './turns/pace.ts'

/** The kind of the connection that test keys take, and its id. */
const sandboxId = 'sandbox'
const forTests = { id: sandboxId, kind: sandboxId }
const ofTestKeys: ReadonlyMap<string, string> = new Map([[sandboxId, sandboxId]])

/** The deliveries that never end go to the first of them. */
export const deliveryQueues: readonly QueueOptions[] = [
  { name: abandonedQueue, isLast: true },
  { name: reportQueue },
  { name: earlyQueue },
  { name: failoverQueue },
  { name: followQueue },
  { name: confirmQueue },
  ...templateWatchQueues,
  ...kindNames.map((kind) => ({ name: queueOf(kind), deadLetter: abandonedQueue })),
]

export interface DeliveryParts
  extends Pick<OpenConnectionsParts, 'kinds' | 'openSettings' | 'publicUrl' | 'sandboxLive'> {
  commit: Commit
  queue: Queue
  secrets: Secrets
  runtime: Runtime
  events: Pick<Events, 'tellMoves' | 'tellTemplates'>
  optOuts: OptOuts
  replies: InboundReplies
  /** Jobs of one kind of connections that are done at once. */
  jobsMax: { local: number; remote: number }
  answerMs?: DeliverParts['answerMs']
  /** By their kinds, in place of the built-in ones. */
  replaced?: Readonly<Record<string, Channel>> | undefined
  onOutcome: NonNullable<DeliverParts['onOutcome']>
  /** That the providers of one account may report. */
  receiptsPerSecond: number
  /** Shows what a sandbox phone receives. */
  onSandboxText?: ((phone: string, text: string) => void) | undefined
}

export interface DeliveryService {
  /** What the worker does for deliveries. */
  tasks: Task[]
  move: Move
  dispatch: Dispatch
  route: FindRoute
  /** What the connections of an account are, by their ids. @throws when the database is out of reach */
  kindsOf: (of: { accountId: string; mode: Mode }) => Promise<ReadonlyMap<string, string>>
  confirm: Confirm
  connections: OpenConnections
  receipts: Receipts
  /** Of the connections that were in use lately. */
  states: () => { accountId: string; connection: string; up: boolean; balance: number | undefined }[]
}

export function createDelivery(parts: DeliveryParts): DeliveryService {
  const { commit, queue, secrets, runtime, events } = parts
  const report = createLaterReports(queue)
  const sandbox = parts.replaced?.sandbox ?? createSandbox({ ...parts, report, onText: parts.onSandboxText })
  const kinds = kindsWith(parts.kinds, { ...parts.replaced, sandbox })
  const connections = createOpenConnections({
    ...parts,
    kinds,
    forTests: { kind: sandboxId, channel: sandbox },
    startPulse: createPulses({ commit, log: runtime.log }),
    onRest: keepRests(parts),
  })
  const dispatch = createDispatch({
    queue,
    kindOf: (message) => connections.known(message)?.kind ?? sandboxId,
  })
  const move = createMove({ dispatch, events, optOuts: parts.optOuts })
  const templateWatch = openTemplateWatch(parts, connections)
  const receipts = createReceipts({
    ...{ commit, queue, move, replies: parts.replies, onTemplates: templateWatch.take },
    tracing: runtime.tracing,
    channelOf: async (reporter) => (await connections.findForStranger(reporter))?.channel,
    onReport: ({ accountId, connection }) =>
      connections.known({ accountId, mode: 'live', connection })?.pulse.reported(runtime.now()),
    onDown: createReportedFaults({ connections, runtime }),
    earlyRoom: createEarlyRoom(runtime),
    room: createReportRoom(parts),
    queued: sandbox,
  })
  const { confirm, task: confirmTask } = createConfirm({ commit, queue, connections, secrets, runtime })
  const tasksOf = createDeliver({
    ...parts,
    dispatch,
    move,
    connections,
    pace: createPace(parts),
    takeTurn: createTakeTurn(parts),
    jobsMax: (kind) => parts.jobsMax[kinds[kind]?.isLocal ? 'local' : 'remote'],
  })
  const tasks = [
    ...Object.keys(kinds).flatMap(tasksOf),
    ...receipts.tasks,
    createFailover({ commit, queue, move, runtime }),
    createFollow({ commit, queue, move, connections, runtime }),
    confirmTask,
    templateWatch.task,
    createAbandoned({ commit, queue, move, runtime }),
  ]
  return {
    tasks,
    move,
    dispatch,
    route: createFindRoute({ ofAccount: connections.ofAccount, kinds, forTests, refusesTest: sandbox.refuses }),
    kindsOf: kindsBy(connections),
    confirm,
    connections,
    receipts,
    states: () => listStates(connections, runtime.now()),
  }
}

function openTemplateWatch(parts: DeliveryParts, { forget }: Pick<OpenConnections, 'forget'>) {
  return createTemplateWatch({ ...parts, connections: { open: parts.openSettings }, onChange: forget })
}

function kindsBy({ ofAccount }: Pick<OpenConnections, 'ofAccount'>): DeliveryService['kindsOf'] {
  return async ({ accountId, mode }) => {
    if (mode === 'test') return ofTestKeys
    return new Map((await ofAccount(accountId)).map(({ id, kind }) => [id, kind]))
  }
}

function listStates({ inUse }: Pick<OpenConnections, 'inUse'>, now: Date): ReturnType<DeliveryService['states']> {
  return inUse().map((connection) => ({
    ...{ accountId: connection.accountId, connection: connection.id, balance: connection.balance },
    up: !connection.rest.resting(now) && !findFull(connection, now)?.isOfDay,
  }))
}

/** So that other processes, and who lists the connections, know of it. */
function keepRests({ commit, runtime: { log } }: Pick<DeliveryParts, 'commit' | 'runtime'>) {
  return (connection: ConnectionRevision, resting: Resting | undefined): void => {
    const { accountId: account, id } = connection
    if (resting) log.warn({ account, connection: id, ...resting }, 'a connection is paused')
    else log.info({ account, connection: id }, 'a connection is up again')
    commit
      .transaction((tx) =>
        resting ? restConnections(tx, [{ ...connection, ...resting }]) : wakeConnections(tx, [connection]),
      )
      .catch((error) => log.warn({ err: error, account, connection: id }, 'could not save that a connection is paused'))
  }
}
