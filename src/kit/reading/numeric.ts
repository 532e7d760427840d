/** Numbers in files as people write them. */
import { z } from 'zod'

/** The reader of files leaves them as they are written, because `007` may be a code. */
const written = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,2})?$/i

/** Takes `.5`, `0.50` and `1e3` too. */
export function numeric(form: z.ZodType<number>): z.ZodType<number, number> {
  const read = z.preprocess((value) => (typeof value === 'string' && written.test(value) ? Number(value) : value), form)
  return read as z.ZodType<number, number>
}
