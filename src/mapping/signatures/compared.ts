/** What all schemes compare in the same way: texts in constant time, and times. */
import { timingSafeEqual } from 'node:crypto'

/** In constant time for texts of the same length. The length of a signature is no secret. */
export function isSame(given: string, own: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(own)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Every pair is compared, so that the time does not tell which one is right. */
export function isAnySame(given: readonly string[], own: readonly string[]): boolean {
  return given.flatMap((one) => own.map((other) => isSame(one, other))).includes(true)
}

/** Whether a text of seconds of Unix time is no more than `toleranceSeconds` away from now, on either side. */
export function isFresh(
  text: string | undefined,
  { toleranceSeconds, now }: { toleranceSeconds: number; now: Date },
): boolean {
  if (text === undefined || !/^\d{1,12}$/.test(text)) return false
  return Math.abs(now.getTime() / 1000 - Number(text)) <= toleranceSeconds
}
