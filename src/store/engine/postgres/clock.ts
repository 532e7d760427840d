/**
 * The database server's clock, as this process reckons it: several processes that go by their own would each have limits,
 * codes and `Retry-After` of their own. The server is asked now and then, and between two questions time is counted by a
 * clock that nobody sets.
 */
import { milliseconds, read } from '../session.ts'

export interface Clock {
  /** The server's time; that of this machine until the server has told it. */
  now: () => Date
  /** Takes in what the server answered. Milliseconds: its time, and when by `elapsedMs` it was asked and had answered. */
  note: (serverMs: number, askedAt: number, answeredAt: number) => void
}

/**
 * The answer was made at some moment between question and answer, so each one bounds how far the server's clock is from
 * `elapsedMs`, the better the quicker it came (Cristian's algorithm). What was believed before stays where an answer allows
 * it, and moves as little as it demands: slow answers spoil nothing, and a server's clock that was set, or another server,
 * is followed at once.
 */
export function createClock(elapsedMs: () => number): Clock {
  /** The server's time when `elapsedMs` was 0. */
  let start: number | undefined
  return {
    now: () => (start === undefined ? new Date() : new Date(start + elapsedMs())),
    note: (serverMs, askedAt, answeredAt) => {
      const [earliest, latest] = [serverMs - answeredAt, serverMs - askedAt]
      const believed = start ?? (earliest + latest) / 2
      start = Math.min(Math.max(believed, earliest), latest)
    },
  }
}

/** For a statement that asks for more; the name of its column is `serverMs`. */
export const serverMs = `${milliseconds('clock_timestamp()')} as "serverMs"`

const time = read<{ serverMs: number }>(`select ${serverMs}`)

/** Answers that are asked for at once: the quickest counts most. */
const samplesMax = 5
/** Milliseconds between two times. */
const askMs = 30_000
const lookMs = 1000
/** Milliseconds by which this machine's own clock jumps when it was set, or the machine stood still, which no clock here shows. */
const jumpMs = 200

export interface KeepTimeParts {
  clock: Clock
  ask: (statement: typeof time) => Promise<{ serverMs: number }[]>
}

/** Keeps a clock right until it is stopped. @returns once it is right */
export async function keepTime({ clock, ask }: KeepTimeParts): Promise<{ stop: () => void }> {
  const sample = async () => {
    const askedAt = performance.now()
    const [row] = await ask(time)
    if (row) clock.note(row.serverMs, askedAt, performance.now())
  }
  const measure = async () => {
    for (let count = 0; count < samplesMax; count++) await sample()
  }
  await measure()
  let askedAt = performance.now()
  let machine = Date.now() - askedAt
  const looking = setInterval(() => {
    const now = performance.now()
    const hasJumped = Math.abs(Date.now() - now - machine) > jumpMs
    if (!hasJumped && now - askedAt < askMs) return
    askedAt = now
    machine = Date.now() - now
    // While the server is away, time goes on as it was counted; the next connection brings the server's.
    measure().catch(() => {})
  }, lookMs).unref()
  return { stop: () => clearInterval(looking) }
}
