/** Numbers in files as people write them. */
import { z } from 'zod'

/** The reader of files leaves them as they are written, because `007` may be a code. */
const written = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,2})?$/i
/** One for some, and a thousand for others. */
const unclear = /^[-+]?\d{1,3}\.000$/

/** Takes `.5`, `0.50` and `1e3` too. */
export function numeric(form: z.ZodType<number>): z.ZodType<number, number> {
  const read = z.preprocess((value, context) => {
    if (typeof value !== 'string' || !written.test(value)) return value
    if (!unclear.test(value)) return Number(value)
    context.addIssue({ code: 'custom', message: 'may be read as one or as a thousand: write it without a point' })
    return z.NEVER
  }, form)
  return read as z.ZodType<number, number>
}
