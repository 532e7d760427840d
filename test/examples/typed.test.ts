/** What people type into the page of `examples/login`, read as the service reads it. */
import { expect, it } from 'vitest'
import { codeIn, phoneIn } from '../../examples/login/typed.ts'
import { pastedPhones, typedCodes } from '../strangers/phones.ts'

it.each(typedCodes)('a code is read that is written %s: %j', (_what, written) => {
  expect(codeIn(written)).toBe('123456')
})

// A trunk zero that is not in brackets, and a heavy plus, need the numbering plans.
const plain = pastedPhones.filter(([what]) => what !== 'with the trunk zero' && what !== 'with a heavy plus')

it.each(plain)('a phone is read that comes %s: %j', (_what, written, phone) => {
  expect(phoneIn(written)).toBe(phone)
})
