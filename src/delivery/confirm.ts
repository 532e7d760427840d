/** Tells providers that wish to know it, that a code was right: their figures are made of that. Its failure changes nothing. */

import type { Secrets } from '../domain/access/secret.ts'
import type { Confirm } from '../domain/sending/checks/verificationAttempt.ts'
import { laneOf } from '../domain/sending/dispatch.ts'
import type { Task } from '../jobs/worker.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Job, Queue } from '../store/engine/queue.ts'
import { findLegsOf } from '../store/sending/delivery.ts'
import type { MessageKey } from '../store/sending/message.ts'
import type { OpenConnections } from './openConnections.ts'

export const confirmQueue = 'confirm'

interface Confirmation extends MessageKey {
  /** Sealed, in base64. */
  code: string
}

export interface ConfirmParts {
  commit: Commit
  queue: Queue
  connections: OpenConnections
  secrets: Secrets
  runtime: Pick<Runtime, 'internalErrors'>
}

/** Adds a job for right codes of accounts with such a connection, and does it. */
export function createConfirm({ commit, queue, connections, secrets, runtime }: ConfirmParts): {
  confirm: Confirm
  task: Task
} {
  const confirm: Confirm = {
    isWished: async ({ accountId, mode }) =>
      mode === 'live' && (await connections.ofAccount(accountId)).some(({ channel }) => channel.confirm),
    add: async (tx, list) => {
      const jobs = list.map(({ accountId, id, code }) => {
        const data: Confirmation = { accountId, id, code: secrets.seal(code, contextOf(id)).toString('base64') }
        // Which connections it is about, the job finds out: those of one account share a lane.
        return { data, lane: laneOf({ accountId, connection: '', isLast: true }) }
      })
      if (jobs.length > 0) await queue.add(tx, confirmQueue, jobs)
    },
  }

  const task: Task = {
    queue: confirmQueue,
    jobsMax: 8,
    lanes: { weightMax: 24, weigh: () => 1 },
    run: async ({ id: jobId, data }: Job<Confirmation>) => {
      const code = secrets.open(Buffer.from(data.code, 'base64'), contextOf(data.id))
      for (const { accountId, connection, providerMessageId } of await findLegsOf(commit.reader, [data])) {
        const found = await connections.find({ accountId, mode: 'live', connection })
        await runtime.internalErrors.guard(
          'confirm',
          { account: accountId, connection, message_id: data.id },
          { work: () => found?.channel.confirm?.(providerMessageId, code), instead: () => {} },
        )
      }
      await commit.transaction((tx) => queue.complete(tx, confirmQueue, [jobId]))
    },
  }
  return { confirm, task }
}

function contextOf(id: string): string {
  return `confirm/${id}`
}
