import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' }
import { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import { describe, expect, it } from 'vitest'
import { phoneFault, readPhone, readTyped } from '../../../src/domain/sending/phones/typedPhone.ts'

describe('the mobile number of each country', () => {
  const mobiles = getCountries().flatMap((country) => getExampleNumber(country, examples) ?? [])

  it('is read as its country groups it, with spaces, dashes or dots', () => {
    expect(mobiles.length).toBeGreaterThan(200)
    for (const mobile of mobiles) {
      const written = mobile.formatInternational()
      const forms = [written, written.replaceAll(' ', '-'), written.replaceAll(' ', '.'), mobile.getURI()]
      expect([mobile.number, ...forms.map((form) => readPhone(form))]).toEqual([
        mobile.number,
        ...forms.map(() => mobile.number),
      ])
    }
  })

  it('is read no further than to its end: with another one behind it, it is refused', () => {
    for (const { number } of mobiles)
      for (const between of [' ', ' / ', ', ', '; ', ' – ', ' or ', '\n'])
        expect([number, between, readPhone(`${number}${between}${number}`)]).toEqual([number, between, undefined])
  })
})

describe('digits behind a dash', () => {
  it.each([
    ['of a desk, behind the number of a German company', '+49 30 1234567-12', '+4930123456712'],
    ['of an Austrian one', '+43 1 1234567-100', '+4311234567100'],
    ['of a group of the number', '+7 912 345-67-89', '+79123456789'],
  ])('are read as part of the number: %s', (_what, written, phone) => {
    expect(readTyped(written)).toEqual({ phone })
  })

  it.each([
    ['that is whole in a country where all have one length', '+1 415 555 2671-12', 'has an extension'],
    ['of a mobile', '+49 171 1234567-8', 'has digits behind a whole number'],
  ])('are refused behind a number %s', (_what, written, fault) => {
    expect(readTyped(written).fault).toContain(fault)
    expect(readTyped(written.replace('+', ''), { isPlusImplied: true }).fault).toContain(fault)
  })
})

it('no reason has a digit of what was written', () => {
  const texts = [
    '+49 30 7777 – +49 30 7777',
    '7.77777E+17',
    '+777777777777777777',
    '777 77',
    '+77 77',
    '+1 7777777777-77',
  ]
  for (const text of texts) {
    expect(readTyped(text).fault).not.toContain('7')
    expect(phoneFault(text) ?? '').not.toContain('7')
  }
})
