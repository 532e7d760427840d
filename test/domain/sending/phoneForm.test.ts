import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readNumber } from '../../../src/domain/sending/numberingPlan.ts'
import { lookUpPhone } from '../../../src/domain/sending/phone.ts'
import { listPhoneForms, onePhone } from '../../../src/domain/sending/phoneForm.ts'

describe('a phone that can be called under two numbers', () => {
  it.each([
    ['Buenos Aires', '+541136543210', '+5491136543210'],
    ['Mar del Plata', '+542236543210', '+5492236543210'],
    ['Jawwal', '+972599123456', '+970599123456'],
    ['Ooredoo Palestine', '+972569123456', '+970569123456'],
  ])('is one phone: %s', (_where, other, one) => {
    expect([onePhone(other), onePhone(one)]).toEqual([one, one])
    expect([listPhoneForms(other), listPhoneForms(one)]).toEqual([
      [one, other],
      [one, other],
    ])
    for (const phone of [other, one]) expect(lookUpPhone(phone)).toMatchObject({ phone: one, numberKind: 'MOBILE' })
  })

  it('keeps the country of the number that was written', () => {
    expect(lookUpPhone('+972599123456', { countries: new Set(['IL']) })).toMatchObject({ country: 'IL' })
    expect(lookUpPhone('+970599123456', { countries: new Set(['PS']) })).toMatchObject({ country: 'PS' })
  })

  it.each([
    ['a number of Argentina that no mobile phone has', '+546703506856'],
    ['a network of Israel', '+972502345678'],
    ['a fixed line of Palestine', '+97022234567'],
    ['Mexico', '+525512345678'],
    ['Brazil', '+5511987654321'],
    ['the USA', '+14155552671'],
  ])('is not: %s', (_what, phone) => {
    expect(readNumber(phone)).toBeDefined()
    expect([onePhone(phone), listPhoneForms(phone)]).toEqual([phone, [phone]])
  })

  it.each([
    ['Mexico with a 1', '+5215512345678'],
    ['Brazil without the ninth digit', '+551187654321'],
    ['Ivory Coast with eight digits', '+22507123456'],
    ['Benin with eight digits', '+22961234567'],
  ])('of an old plan is no number any more: %s', (_what, phone) => {
    expect(readNumber(phone)).toBeUndefined()
  })

  it('has one number that stands for it, which can exist, and each of its forms leads to that', () => {
    const digits = fc.stringMatching(/^\d{9,10}$/)
    fc.assert(
      fc.property(fc.constantFrom('+54', '+549', '+9725', '+9705', '+52', '+55'), digits, (beginning, rest) => {
        const phone = `${beginning}${rest}`
        fc.pre(readNumber(phone) !== undefined)
        const one = onePhone(phone)
        expect(readNumber(one)).toBeDefined()
        expect(listPhoneForms(phone)).toContain(phone)
        for (const form of listPhoneForms(phone))
          expect([onePhone(form), listPhoneForms(form)]).toEqual([one, listPhoneForms(phone)])
      }),
      { numRuns: 300 },
    )
  })
})
