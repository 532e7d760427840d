/** What callers are told of a fault: a sentence in our words, whatever the contract asks for. */
import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import contract from '../../generated/contract.json' with { type: 'json' }
import twilioContract from '../../generated/twilio-verify/contract.json' with { type: 'json' }
import { invalidRequest } from '../../src/http/api/validation.ts'

/** The end of a sentence, without the signs of a regular expression and without the words of a library. */
const sentence = /^(must|is|has) [^\\^$[\]{}|*]*$/
const foreign = /pattern|NOT have|should|schema|expected|Invalid|regular expression|contract describes/

interface Schema {
  [keyword: string]: unknown
}

const constraints = ['pattern', 'x-ecma-pattern', 'format', 'minimum', 'maximum', 'minLength', 'maxLength', 'enum']

/** Every schema of both contracts that asks something of a value. */
function* schemasIn(node: unknown, place: string): Generator<[place: string, schema: Schema]> {
  if (typeof node !== 'object' || node === null) return
  const schema = node as Schema
  if (typeof schema.type === 'string' && constraints.some((name) => Object.hasOwn(schema, name))) yield [place, schema]
  for (const [name, child] of Object.entries(node)) {
    if (name !== 'example' && name !== 'examples') yield* schemasIn(child, `${place}/${name}`)
  }
}

const wrongs: unknown[] = [
  ...[
    '',
    ' ',
    '\u202a+44 7975 556677',
    '+44 7975',
    '(0)',
    '００４４',
    'x'.repeat(5000),
    '^[a-z]$',
    'Bob\u2019s \u{1f98a}',
    '2026-13-40',
  ],
  ...[-1, 0.5, 1e9, null, true, [], [1, 1], {}, { a: 1 }],
]

function listMessages(schema: Schema): string[] {
  const ajv = new Ajv({ allErrors: true, strict: false, allowUnionTypes: true })
  addFormats.default(ajv)
  const { 'x-ecma-pattern': own = schema.pattern } = schema
  const validate = ajv.compile({
    type: 'object',
    properties: {
      requestBody: { type: 'object', properties: { field: { ...schema, ...(own ? { pattern: own } : {}) } } },
    },
  })
  return wrongs.flatMap((field) => {
    const request = { requestBody: { field } }
    if (validate(request)) return []
    return invalidRequest(validate.errors as ErrorObject[], request).details!.map(({ message }) => message)
  })
}

describe('what a caller is told of a value that breaks a schema', () => {
  const schemas = [...schemasIn(contract, 'openapi'), ...schemasIn(twilioContract, 'twilio')]

  it('is a sentence in our own words, for every schema of both contracts', () => {
    expect(schemas.length).toBeGreaterThan(100)
    const bad = schemas.flatMap(([place, schema]) =>
      listMessages(schema)
        .filter((message) => !sentence.test(message) || foreign.test(message))
        .map((message) => ({ place, message })),
    )
    expect(bad).toEqual([])
  })

  it.each([
    [{ type: 'array', minItems: 1 }, [], 'must have at least 1 item'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'must have at most 1 item'],
    [
      { type: 'array', uniqueItems: true },
      ['a', 'b', 'a'],
      'must not have the same item twice: items 1 and 3 are the same',
    ],
    [{ type: 'string', format: 'uuid' }, 'x', 'must be a UUID, like 4bf92f35-77b3-4da6-a3ce-929d0e0e4736'],
    [{ type: 'string', format: 'date' }, 'x', 'must be a date, like 2026-11-21'],
    [{ type: 'string', format: 'date-time' }, 'x', 'must be a date and time with its zone, like 2026-11-21T09:30:00Z'],
    [{ type: 'integer', multipleOf: 5 }, 7, 'must be a multiple of 5'],
    [{ type: 'object', minProperties: 1 }, {}, 'must have at least 1 member'],
    [{ type: 'string', minLength: 1 }, '', 'must have at least 1 character'],
  ])('says what an operation may ask for one day: %j', (schema, field, message) => {
    const ajv = new Ajv({ allErrors: true })
    addFormats.default(ajv)
    const validate = ajv.compile({
      type: 'object',
      properties: { requestBody: { type: 'object', properties: { field: schema } } },
    })
    const request = { requestBody: { field } }
    expect(validate(request)).toBe(false)
    expect(invalidRequest(validate.errors!, request).details).toMatchObject([{ field: '/field', message }])
  })
})

describe('what a caller is told of a phone that is not in E.164 form', () => {
  const asked = 'must be in E.164 form: + and the country code, then the number, without spaces, like +14155550100'

  it.each([
    ['\u202a+447975556677', 'has U+202A, which cannot be seen, as character 1'],
    ['+44 7975 556677', 'has a space, as character 4'],
    ['+44\u00a07975556677', 'has U+00A0, as character 4'],
    ['+44(0)7975556677', 'has "(", as character 4'],
    ['447975556677', 'does not begin with +'],
    ['＋447975556677', 'has U+FF0B, as character 1'],
    ['+٤٤٧٩٧٥٥٥٦٦٧٧', 'has digits that are not 0 to 9'],
    ['+44797555667O', 'has letters'],
    ['+0447975556677', 'has a 0 where the country code begins'],
    ['+4479755566771234', 'has more than 15 digits'],
    ['', 'is empty'],
  ])('names what is wrong with this one, and none of its digits: %j', (phone, seen) => {
    const ajv = new Ajv({ allErrors: true })
    const { pattern } = contract.components.schemas.Phone
    const validate = ajv.compile({
      type: 'object',
      properties: { requestBody: { type: 'object', properties: { phone: { type: 'string', pattern } } } },
    })
    const request = { requestBody: { phone } }
    validate(request)
    expect(invalidRequest(validate.errors!, request).details).toMatchObject([
      { field: '/phone', code: 'wrong_format', message: `${asked}; it ${seen}` },
    ])
  })
})
