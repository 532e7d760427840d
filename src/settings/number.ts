/** Settings that are whole numbers. */
import { z } from 'zod'

export const wholeWithin = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}, in digits alone`)
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))

export const whole = (min: number, max: number, standard: number) => wholeWithin(min, max).default(standard)
