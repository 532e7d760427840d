/** The hourly purge, as a job: of all the workers, one does it. */
import type { Purged } from '../domain/retention.ts'
import type { Log } from '../runtime.ts'
import type { Session } from '../store/connect.ts'
import type { Job, Queue } from '../store/queue.ts'

/** @returns handles `purge` jobs; several that piled up are done as one */
export function createPurgeTask(session: Session, queue: Queue, purge: () => Promise<Purged>, log: Log) {
  return async (jobs: Job[]): Promise<void> => {
    log.info(await purge(), 'purged')
    await queue.complete(
      session,
      'purge',
      jobs.map((job) => job.id),
    )
  }
}
