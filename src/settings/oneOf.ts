/** A setting that has one of a few words. */
import { z } from 'zod'

export function oneOf<const Word extends string>(words: readonly Word[]) {
  const [last, ...others] = words.toReversed()
  return z.enum(words, { error: `must be ${[others.toReversed().join(', '), last].filter(Boolean).join(' or ')}` })
}
