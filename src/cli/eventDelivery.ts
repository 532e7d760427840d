import { type Command, InvalidArgumentError } from 'commander'
import { table } from '../kit/terminal.ts'
import type { EventDelivery } from '../store/webhooks/eventDelivery.ts'
import { command, type Output, print, type Shell, seconds } from './shell.ts'

export const idHelp = 'id from endpoints list: ep_…'

/** Adds what is done with the events of an endpoint. */
export function addDeliveries(endpoints: Command, { administer }: Shell): void {
  command(endpoints, 'test', 'sends a sample of each event type; ids in samples are all zeros')
    .argument('<id>', idHelp)
    .action((id: string, options: Output) =>
      administer(async (admin) => {
        const samples = await admin.endpoints.test(await admin.endpoints.require(id))
        const sent = samples.map(({ id: event, type }) => ({ event, type }))
        print(options, { id, sent }, table(sent))
      }),
    )

  command(endpoints, 'deliveries', 'shows all attempts for the latest events of an endpoint')
    .argument('<id>', idHelp)
    .option('--last <count>', 'how many events', whole, 50)
    .action((id: string, options: Output & { last: number }) =>
      administer(async (admin) => {
        const found = await admin.endpoints.deliveries(await admin.endpoints.require(id), options.last)
        print(options, found.map(deliveryJson), table(found.flatMap(deliveryLines)))
      }),
    )

  const replay = command(endpoints, 'replay', 'sends events to an endpoint again: --since or --event')
    .argument('<id>', idHelp)
    .option('--since <time>', 'how far back: 24h, 5d, 30m', seconds)
    .option('--event <id>', 'one event: evt_…')
    .action((id: string, { since, event, ...options }: Output & { since?: number; event?: string }) => {
      if ((since === undefined) === (event === undefined)) replay.error('error: give either --since or --event')
      return administer(async (admin) => {
        const key = await admin.endpoints.require(id)
        const from = new Date(admin.now().getTime() - (since ?? 0) * 1000)
        let done = await admin.endpoints.replay(key, event === undefined ? { since: from } : { eventId: event })
        let replayed = done.count
        while (done.next) {
          process.stderr.write(`Events sent again so far: ${replayed}.\n`)
          done = await admin.endpoints.replay(key, { since: done.next })
          replayed += done.count
        }
        print(options, { id, replayed }, `Events sent again: ${replayed}.`)
      })
    })
}

const eventsMax = 1000

function whole(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= eventsMax) return count
  throw new InvalidArgumentError(`Write a whole number from 1 to ${eventsMax}.`)
}

function deliveryJson({ eventId, type, at, state, dueAt, attempts }: EventDelivery) {
  return {
    event: eventId,
    type,
    at: at.toISOString(),
    state,
    next_at: dueAt?.toISOString() ?? null,
    attempts: attempts.map(({ at: attemptedAt, status, error, durationMs, answer }) => {
      return { at: attemptedAt.toISOString(), status, error, duration_ms: durationMs, answer }
    }),
  }
}

/** A line for each attempt, the latest first; of what comes next, the first of them tells. */
function deliveryLines({ eventId: event, type, state, dueAt, attempts }: EventDelivery): Record<string, unknown>[] {
  const next = state === 'due' ? (dueAt?.toISOString() ?? 'now') : state
  if (attempts.length === 0) return [{ at: '-', event, type, result: '-', ms: '-', next }]
  return attempts.toReversed().map(({ at, status, error, durationMs }, index) => ({
    at: at.toISOString(),
    event,
    type,
    result: [status, error].filter((part) => part !== null).join(' '),
    ms: durationMs,
    next: index === 0 ? next : '',
  }))
}
