/** Numbers of others: an id is told from the next one, however long it is. */
import { expect, it } from 'vitest'
import { parseBoundedJson, parseExactJson } from '../../src/kit/reading/boundedJson.ts'

it.each([
  ['[1844674407370955161, 9007199254740993]', ['1844674407370955161', '9007199254740993']],
  ['{"a":-90071992547409931,"b":9007199254740991}', { a: '-90071992547409931', b: Number.MAX_SAFE_INTEGER }],
  ['[ 1844674407370955161e1, 1e20, 0.5 ]', [expect.closeTo(1.8446744e19, -13), 1e20, 0.5]],
  ['{"a":"x, 1844674407370955161","b":[{}]}', { a: 'x, 1844674407370955161', b: [{}] }],
])('%s keeps each digit of a whole number', (text, value) => {
  expect(parseExactJson(text)).toEqual(value)
})

it('a name that every object has is a member like any other', () => {
  const limits = { containersMax: 9, membersMax: 9, itemsMax: 9 }
  const value = parseBoundedJson(Buffer.from('{"__proto__":{"id":1844674407370955161}}'), limits)
  expect(Object.keys(value as object)).toEqual(['__proto__'])
  expect((value as { id?: string }).id).toBe(undefined)
})
