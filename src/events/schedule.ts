/** When an event is tried again that was not taken. */

export interface RefusedEvent {
  eventId: string
  /** How often it was tried, this time too. */
  attempts: number
  /** What the endpoint asks for. */
  retryAfterSeconds?: number | undefined
  /** It has too much to do: it said so, or had not answered in time. */
  isBusy: boolean
}

const [minute, hour] = [60, 3600]
const stepSeconds = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
/** The part of a step by which it may be shorter or longer. */
const spread = 0.2
const busySeconds = 60

/** @returns undefined when it is not tried any more */
export function secondsToNextAttempt({
  eventId,
  attempts,
  retryAfterSeconds,
  isBusy,
}: RefusedEvent): number | undefined {
  const step = stepSeconds[attempts - 1]
  if (step === undefined) return undefined
  const seconds =
    retryAfterSeconds === undefined
      ? step * (1 + spread * (2 * computeChance(eventId, attempts) - 1))
      : Math.min(Math.max(retryAfterSeconds, step), 2 * step)
  return isBusy ? Math.max(seconds, busySeconds) : seconds
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** From 0 to 1, another one for each event and attempt: out of the random part of the id, so that events do not march in step. */
function computeChance(eventId: string, attempt: number): number {
  const digit = (place: number) => Math.max(0, alphabet.indexOf(eventId.at(-place) ?? ''))
  return (digit(attempt) * alphabet.length + digit(attempt + 1)) / (alphabet.length ** 2 - 1)
}
