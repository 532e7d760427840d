/** Values of the kinds that break parsers, stores and terminals. */
import fc from 'fast-check'
import type { FieldSchema } from './targets.ts'

export const unknownId = `req_${'0'.repeat(26)}`

export const nastyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    '\0',
    'a\0b',
    '\ud800',
    'x\udfffy',
    '\u202eevil',
    '\u2066\u2069',
    '﷽',
    '\ufeff',
    "' or 1=1 --",
    '$(reboot)',
    '{{name}}',
    '<script>',
    '../../etc/passwd',
    '+1415555010\u0660',
    ' +14155550100',
    '+14155550100\n',
    'req_',
    `${unknownId}\n`,
    unknownId.toLowerCase(),
    '9'.repeat(400),
    'é'.repeat(5000),
  ),
)

const nastyNumber = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(-0, 2 ** 53, -(2 ** 63), 1e308, Number.MIN_VALUE, 3, 9, 6.5),
)

/** Written as JSON cannot be, or as no machine can hold it. */
export const strangeNumbers = ['1e400', '-1e400', '1'.repeat(400), '0x10', '1e', '.5', '01', 'NaN', '-Infinity']

export const prototypeNames = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty')

const nested = fc.integer({ min: 1, max: 1500 }).map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)))

/** As many faults as a body has room for: what refuses them must not be larger than what brought them. */
export const manyFaults = fc
  .tuple(fc.integer({ min: 100, max: 2500 }), fc.constantFrom<unknown>(0, null, '\0', '\ud800', []))
  .map(([count, value]) => Object.fromEntries(Array.from({ length: count }, (_, i) => [i.toString(36), value])))

export const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  nastyNumber,
  fc.boolean(),
  fc.constant(null),
  fc.array(nastyText, { maxLength: 3 }),
  fc.dictionary(fc.oneof(nastyText, prototypeNames), fc.oneof(nastyText, nastyNumber, fc.constant(null)), {
    maxKeys: 60,
  }),
  nested,
  manyFaults,
)

export const anyBody: fc.Arbitrary<string | Uint8Array<ArrayBuffer>> = fc.oneof(
  fc.json(),
  nastyText,
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Uint8Array.from(bytes)),
  nastyValue.map((value) => JSON.stringify(value) ?? ''),
  // More deeply than a stack is high.
  fc.integer({ min: 4000, max: 8180 }).map((depth) => `${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}`),
)

/** Values at and just beyond what the contract allows a field. */
export function aroundBounds({
  minimum,
  maximum,
  minLength,
  maxLength,
  maxProperties,
}: FieldSchema): fc.Arbitrary<unknown> {
  const around = (bound: number | undefined) => (bound === undefined ? [] : [bound - 1, bound, bound + 1])
  const bounds: unknown[] = [minimum, maximum].flatMap(around)
  for (const length of [minLength, maxLength].flatMap(around)) {
    bounds.push('a'.repeat(Math.max(0, length)), '🦊'.repeat(Math.max(0, length)))
  }
  if (maxProperties !== undefined) {
    for (const count of [maxProperties, maxProperties + 1]) {
      bounds.push(Object.fromEntries(Array.from({ length: count }, (_, i) => [`v${i}`, 'x'.repeat(1025)])))
    }
  }
  return bounds.length > 0 ? fc.constantFrom(...bounds) : nastyValue
}
