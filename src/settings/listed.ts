/** Settings that are lists. */
import { z } from 'zod'

/** Entries between commas, with blanks and line ends around them; a comma behind the last one adds none. */
export const listed = z.string().transform((text) =>
  text
    .replace(/,\s*$/, '')
    .split(',')
    .map((entry) => entry.trim()),
)
