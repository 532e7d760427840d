/** What is said of a value of the wrong type, in the words of those who write YAML. */
import type { z } from 'zod'

/** For what a schema has no words of its own for. @returns the end of a sentence, without the value; undefined for other faults */
export function wrongType({ code, input, expected }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'invalid_type') return undefined
  return input === undefined ? 'is missing' : `must be ${forms[expected as string] ?? 'of another form'}`
}

const forms: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
  tuple: 'a list',
}
