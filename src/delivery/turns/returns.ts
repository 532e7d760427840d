/**
 * When messages come back that a connection has no turn for: so many in a second, and whoever is more comes later. However many
 * wait, what it takes to look at them again stays the same.
 */

/**
 * @param seconds after which it might come
 * @returns seconds after which it comes
 */
export type ComeBack = (seconds: number, now: Date) => number

/** Seconds by which a message comes later at most. */
const spreadMax = 300

/** @param perSecond how many; at least one */
export function createReturns(perSecond: () => number): ComeBack {
  const counts = new Map<number, number>()
  let lookedAt = 0
  const forgetBefore = (now: number) => {
    if (now === lookedAt) return
    lookedAt = now
    for (const second of counts.keys()) if (second < now) counts.delete(second)
  }
  return (seconds, now) => {
    const nowSeconds = Math.floor(now.getTime() / 1000)
    forgetBefore(nowSeconds)
    const wanted = nowSeconds + Math.ceil(seconds)
    let second = wanted
    while (second < wanted + spreadMax && (counts.get(second) ?? 0) >= perSecond()) second += 1
    counts.set(second, (counts.get(second) ?? 0) + 1)
    return seconds + second - wanted
  }
}
