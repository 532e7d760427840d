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

/** For what a schema has no words of its own for: no fault is told in the words of a library. @returns the end of a sentence */
export function schemaWords(issue: z.core.$ZodRawIssue): string {
  return wordsByCode[issue.code as z.core.$ZodIssueCode]?.(issue) ?? otherForm
}

const otherForm = 'is of another form'

type WordsOf = (issue: z.core.$ZodRawIssue) => string | undefined

/** What a schema can find wrong. */
const wordsByCode: Readonly<Record<z.core.$ZodIssueCode, WordsOf>> = {
  invalid_type: wrongType,
  too_small: sizeFault,
  too_big: sizeFault,
  invalid_format: () => undefined,
  not_multiple_of: ({ divisor }) =>
    divisor === 1 ? 'must be a whole number' : `must be a multiple of ${String(divisor)}`,
  unrecognized_keys: unknownMembers,
  invalid_union: ({ input }) => missing(input),
  invalid_key: () => 'has a member whose name is not allowed',
  invalid_element: () => 'has an entry of another form',
  invalid_value: ({ input, values }) => missing(input) ?? `must be ${oneOf(values as readonly unknown[])}`,
  custom: () => undefined,
}

function missing(input: unknown): string | undefined {
  return input === undefined ? 'is missing' : undefined
}

/** Of the schema's own: they are no secret. */
function oneOf(values: readonly unknown[]): string {
  const names = values.map(String)
  return names.length > 2 ? `one of ${names.join(', ')}` : names.join(' or ')
}

function unknownMembers(issue: z.core.$ZodRawIssue): string | undefined {
  const { keys } = issue as { keys: string[] }
  return `has ${keys.length === 1 ? 'a member' : 'members'} that ${keys.length === 1 ? 'is' : 'are'} not known: ${keys.join(', ')}`
}

function sizeFault(issue: z.core.$ZodRawIssue): string | undefined {
  const { code, origin, minimum, maximum, inclusive } = issue as {
    code: string
    origin?: string
    minimum?: number
    maximum?: number
    inclusive?: boolean
  }
  const limit = Number(code === 'too_small' ? minimum : maximum)
  const unit = { string: 'character', array: 'entry', set: 'entry', object: 'member', map: 'member' }[origin ?? '']
  if (unit === undefined && inclusive === false)
    return `must be ${code === 'too_small' ? 'more' : 'less'} than ${limit}`
  const way = code === 'too_small' ? 'at least' : 'at most'
  if (unit === undefined) return `must be ${way} ${limit}`
  if (code === 'too_small' && limit === 1) return 'must not be empty'
  return `must have ${way} ${limit} ${limit === 1 ? unit : unit.replace(/y$/, 'ie')}${limit === 1 ? '' : 's'}`
}
