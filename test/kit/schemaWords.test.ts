/** What is said of a value that has not the form that a schema wants. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { schemaWords } from '../../src/kit/reading/wrongType.ts'

type Case = readonly [form: z.ZodType, value: unknown, words: string]

const secret = 's3cret'
const size = z.string().min(2).max(3)

/** The compiler asks for every code that the library can have. */
const cases: Record<z.core.$ZodIssueCode, readonly Case[]> = {
  invalid_type: [
    [z.string(), undefined, 'is missing'],
    [z.string(), 7, 'must be a text'],
    [z.number(), secret, 'must be a number'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.boolean(), secret, 'must be true or false'],
    [z.object({}), secret, 'must be a mapping'],
    [z.array(z.string()), secret, 'must be a list'],
    [z.date(), secret, 'must be of another form'],
  ],
  too_small: [
    [z.string().min(1), '', 'must not be empty'],
    [size, 'a', 'must have at least 2 characters'],
    [z.array(z.string()).min(2), ['a'], 'must have at least 2 entries'],
    [z.number().min(2), 1, 'must be at least 2'],
    [z.number().gt(2), 2, 'must be more than 2'],
  ],
  too_big: [
    [size, secret, 'must have at most 3 characters'],
    [z.array(z.string()).max(1), [secret, secret], 'must have at most 1 entry'],
    [z.set(z.string()).max(1), new Set(['a', secret]), 'must have at most 1 entry'],
    [z.number().max(2), 3, 'must be at most 2'],
    [z.number().lt(2), 2, 'must be less than 2'],
  ],
  invalid_format: [
    [z.string().regex(/^[a-z]{1,5}$/), secret, 'is of another form'],
    [z.email(), secret, 'is of another form'],
    [z.url(), secret, 'is of another form'],
    [z.uuid(), secret, 'is of another form'],
  ],
  not_multiple_of: [
    [z.number().multipleOf(1), 1.5, 'must be a whole number'],
    [z.number().multipleOf(5), 7, 'must be a multiple of 5'],
  ],
  unrecognized_keys: [
    [z.strictObject({}), { colour: secret }, 'has a member that is not known: colour'],
    [z.strictObject({}), { colour: secret, shape: 1 }, 'has members that are not known: colour, shape'],
  ],
  invalid_union: [
    [z.union([z.number(), z.boolean()]), secret, 'is of another form'],
    [z.object({ of: z.union([z.number(), z.boolean()]) }), {}, 'is missing'],
    [z.discriminatedUnion('is', [z.object({ is: z.literal('a') })]), { is: secret }, 'is of another form'],
  ],
  invalid_key: [[z.record(z.string().max(2), z.string()), { [secret]: '' }, 'has a member whose name is not allowed']],
  invalid_element: [[z.map(z.date(), z.number()), new Map([[new Date(0), secret]]), 'has an entry of another form']],
  invalid_value: [
    [z.enum(['a', 'b', 'c']), secret, 'must be one of a, b, c'],
    [z.enum(['a', 'b']), secret, 'must be a or b'],
    [z.literal(true), secret, 'must be true'],
    [z.object({ of: z.enum(['a']) }), {}, 'is missing'],
  ],
  custom: [
    [z.string().refine(() => false), secret, 'is of another form'],
    [z.string().refine(() => false, 'must be true love'), secret, 'must be true love'],
  ],
}

it.each(
  Object.entries(cases).flatMap(([code, list]) => list.map(([form, value, words]) => ({ code, form, value, words }))),
)(
  'of a fault of the code $code, it is said in words of ours, without the value: $words',
  ({ code, form, value, words }) => {
    const { issues = [] } = form.safeParse(value, { error: schemaWords }).error ?? {}
    expect(issues.map((issue) => [issue.code, issue.message])).toEqual([[code, words]])
  },
)
