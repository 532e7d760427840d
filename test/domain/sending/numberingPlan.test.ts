/** The quick way to what a number is: it must say what the library says, of every number. */
import { getCountries, getCountryCallingCode, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, it } from 'vitest'
import { findNationalDigits, readNumber } from '../../../src/domain/sending/numberingPlan.ts'

const countries = getCountries()
const metadata = new Metadata() as unknown as { nonGeographic: () => Record<string, unknown> }
const callingCodes = [
  ...new Set<string>([
    ...countries.map((country) => getCountryCallingCode(country)),
    ...Object.keys(metadata.nonGeographic()),
  ]),
]

function byLibrary(phone: string) {
  const parsed = parsePhoneNumberFromString(phone)
  const kind = parsed?.getType()
  if (!parsed || !kind || parsed.number !== phone) return undefined
  return { country: parsed.country, callingCode: parsed.countryCallingCode, kind }
}

function nationalByLibrary(phone: string) {
  const parsed = parsePhoneNumberFromString(phone)
  return parsed?.number === phone ? parsed.formatNational().replace(/\D/g, '') : undefined
}

/** The same in each run. */
function createDigits(seed: number) {
  let state = seed
  return (count: number) => {
    let digits = ''
    while (digits.length < count) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      digits += (state >>> 24) % 10
    }
    return digits
  }
}

/** The library's example of each country, and others that look like it or are too long or short. */
function mobileNumbers() {
  const digits = createDigits(11)
  return countries.map((country) => {
    const whole = `+${getCountryCallingCode(country)}${examples[country]}`
    const like = Array.from({ length: 12 }, (_, index) => whole.slice(0, -(index % 6) - 1) + digits((index % 6) + 1))
    return { whole, beside: [...like, `${whole}0`, whole.slice(0, -1)] }
  })
}

describe('what a number is', () => {
  it('is what the library says, of numbers of any form with every calling code', () => {
    const digits = createDigits(7)
    const phones = callingCodes.flatMap((code) =>
      Array.from({ length: 60 }, (_, index) => `+${code}${digits(4 + (index % 8))}`),
    )
    for (const phone of phones) expect([phone, readNumber(phone)]).toEqual([phone, byLibrary(phone)])
  }, 60_000)

  it('is what the library says, of mobile numbers of every country and of those beside them', () => {
    for (const { whole, beside } of mobileNumbers()) {
      for (const phone of [whole, ...beside]) expect([phone, readNumber(phone)]).toEqual([phone, byLibrary(phone)])
      expect(readNumber(whole)).toBeDefined()
    }
  }, 60_000)

  it.each(['', '+', '4915123456789', '+49 151 23456789', '+4915123456789;ext=1', '+0123456789', '+999123456789'])(
    'is nothing where %j is no number in E.164 form',
    (text) => expect(readNumber(text)).toBeUndefined(),
  )
})

describe('what is dialed inside of the country', () => {
  it('is what the library writes, of mobile numbers of every country and of those beside them', () => {
    for (const { whole, beside } of mobileNumbers()) {
      for (const phone of [whole, ...beside])
        expect([phone, findNationalDigits(phone)]).toEqual([phone, nationalByLibrary(phone)])
      expect(findNationalDigits(whole)).toBeDefined()
    }
  }, 60_000)

  it('is what the library writes, of numbers of any form with every calling code', () => {
    const digits = createDigits(13)
    const phones = callingCodes.flatMap((code) =>
      Array.from({ length: 60 }, (_, index) => `+${code}${digits(4 + (index % 8))}`),
    )
    for (const phone of phones) expect([phone, findNationalDigits(phone)]).toEqual([phone, nationalByLibrary(phone)])
  }, 60_000)
})
