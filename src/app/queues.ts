/** The queues of all jobs. */
import { deliveryQueues } from '../delivery/delivery.ts'
import { purgeQueues } from '../jobs/purge.ts'
import type { QueueOptions } from '../store/engine/queue.ts'

export const queues: readonly QueueOptions[] = [...deliveryQueues, ...purgeQueues]
