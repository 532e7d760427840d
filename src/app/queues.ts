/** The queues of all jobs. */
import { deliveryQueues } from '../delivery/delivery.ts'
import { purgeQueues } from '../jobs/purge.ts'
import type { QueueOptions } from '../store/queue.ts'

export const queues: readonly QueueOptions[] = [...deliveryQueues, ...purgeQueues]
