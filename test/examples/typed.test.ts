/** What people type into the pages of the examples, read as the service reads it. */
import { describe, expect, it } from 'vitest'
import * as betterAuth from '../../examples/better-auth/typed.ts'
import * as login from '../../examples/login/typed.ts'
import { noPhones, pastedPhones, typedCodes } from '../strangers/phones.ts'

describe.each([
  ['login', login],
  ['better-auth', betterAuth],
])('in examples/%s', (_example, { codeIn, phoneIn }) => {
  it.each(typedCodes)('a code is read that is written %s: %j', (_what, written) => {
    expect(codeIn(written)).toBe('123456')
  })

  it.each(pastedPhones)('a phone is read that comes %s: %j', (_what, written, phone) => {
    expect(phoneIn(written)).toBe(phone)
  })

  it.each(noPhones)('no phone is made of what comes %s: %j', (_what, written) => {
    expect(phoneIn(written)).not.toMatch(/^\+[1-9][0-9]{6,14}$/)
  })
})
