/** How long the mock waits before an answer, as it is written in its options and in a request. */

/** Milliseconds. Each wait is a random one between the two. */
export interface Delay {
  from: number
  to: number
}

/** Milliseconds. The server ends a connection on which nothing moves for 30 s. */
const delayMax = 20_000
export const delayForm = `a whole number of milliseconds up to ${delayMax}, like 800, or two, like 200-800`

/** @returns undefined for a text of another form */
export function readDelay(text: string): Delay | undefined {
  const [, from, to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? []
  if (from === undefined || Number(from) > Number(to) || Number(to) > delayMax) return undefined
  return { from: Number(from), to: Number(to) }
}
