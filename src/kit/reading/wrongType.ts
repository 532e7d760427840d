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

/** For what a schema has no words of its own for: no fault of a file is told in the words of a library. */
export function schemaWords(issue: z.core.$ZodRawIssue): string {
  return (
    wrongType(issue) ??
    unknownMembers(issue) ??
    sizeFault(issue) ??
    otherWords[issue.code ?? ''] ??
    'is of another form'
  )
}

function unknownMembers(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined
  const { keys } = issue as { keys: string[] }
  return `has ${keys.length === 1 ? 'a member' : 'members'} that ${keys.length === 1 ? 'is' : 'are'} not known: ${keys.join(', ')}`
}

function sizeFault(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return undefined
  const { code, origin, minimum, maximum } = issue as {
    code: string
    origin?: string
    minimum?: number
    maximum?: number
  }
  const limit = Number(code === 'too_small' ? minimum : maximum)
  const way = code === 'too_small' ? 'at least' : 'at most'
  const unit = { string: 'character', array: 'entry', object: 'member' }[origin ?? '']
  if (unit === undefined) return `must be ${way} ${limit}`
  if (code === 'too_small' && limit === 1) return 'must not be empty'
  return `must have ${way} ${limit} ${limit === 1 ? unit : unit.replace(/y$/, 'ie')}${limit === 1 ? '' : 's'}`
}

const otherWords: Readonly<Record<string, string>> = {
  not_multiple_of: 'must be a whole number',
}
