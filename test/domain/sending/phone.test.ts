import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readNumber } from '../../../src/domain/sending/numberingPlan.ts'
import { lookUpPhone, maskPhone } from '../../../src/domain/sending/phone.ts'
import { Problem } from '../../../src/kit/problem.ts'

describe('a phone number', () => {
  it.each(['+14155552671', '+14155550100', '+442071838750', '+4915123456789', '+819012345678', '+80012345678'])(
    'that can exist is taken: %s',
    (phone) => {
      expect(lookUpPhone(phone)).not.toBeInstanceOf(Problem)
    },
  )

  it.each([
    ['too short for its country', '+1415555267'],
    ['too long for its country', '+141555526711'],
    ['in no area of its country', '+10005552671'],
    ['of the right length, in no range that its country gives out', '+491234567890'],
    ['of no country', '+9991234567'],
    ['without its plus sign', '14155552671'],
    ['with an international prefix in place of the plus sign', '0014155552671'],
    ['with an extension', '+14155552671;ext=5'],
    ['with a space', '+1 4155552671'],
    ['with other digits', '+١٤١٥٥٥٥٢٦٧١'],
    ['with a national zero', '+4402071838750'],
    ['empty', ''],
  ])('%s is refused: %s', (_title, phone) => {
    expect(lookUpPhone(phone)).toEqual(
      expect.objectContaining({
        code: 'invalid_phone',
        status: 400,
        details: [expect.objectContaining({ field: '/phone', code: 'wrong_format' })],
      }),
    )
  })

  it.each([
    ['premium rate', 'US 900', '+19002345678'],
    ['premium rate', 'GB 09', '+449098790000'],
    ['premium rate', 'GB 0871', '+448712345678'],
    ['premium rate', 'DE 0900', '+499001234567'],
    ['premium rate', 'FR 0899', '+33899123456'],
    ['premium rate', 'JP 0990', '+81990123456'],
    ['premium rate', 'AU 1900', '+611900123456'],
    ['premium rate', 'of all countries', '+979123456789'],
    ['shared cost', 'DE 0180', '+491805123456'],
    ['shared cost', 'FR 082', '+33820123456'],
    ['shared cost', 'AU 1300', '+611300123456'],
    ['shared cost', 'IN 1860', '+9118601234567'],
    ['shared cost', 'of all countries', '+80812345678'],
    ['personal', 'US 500', '+15002345678'],
    ['personal', 'GB 070', '+447012345678'],
    ['personal', 'DE 0700', '+4970012345678'],
    ['personal', 'of all countries', '+878101234567890'],
    ['pager', 'GB 076', '+447640123456'],
    ['satellite', 'Inmarsat', '+870773123456'],
    ['satellite', 'Iridium', '+881612345678'],
    ['satellite', 'Globalstar', '+881812345678'],
    ['satellite', 'Thuraya', '+8821621234567'],
    ['of an international network', '883', '+883510012345678'],
  ])('that charges its caller is refused: %s, %s, %s', (_kind, _where, phone) => {
    expect(readNumber(phone)).toBeDefined()
    expect(lookUpPhone(phone)).toEqual(
      expect.objectContaining({
        code: 'invalid_phone',
        message: 'This service does not send to phone numbers of this kind.',
        details: [{ field: '/phone', code: 'wrong_format', message: 'is of a kind that charges its caller' }],
      }),
    )
  })

  it.each([
    ['freephone', '+18002345678'],
    ['freephone of all countries', '+80012345678'],
    ['of a company', '+443031231234'],
    ['of a company', '+81570123456'],
    ['of the internet', '+445612345678'],
    ['of a fixed line', '+390637893789'],
    ['mobile beside pagers', '+447624369230'],
    ['mobile with the digits of premium rate elsewhere', '+4790012345'],
  ])('of another kind is taken: %s, %s', (_kind, phone) => {
    expect(lookUpPhone(phone)).not.toBeInstanceOf(Problem)
  })

  it('is not repeated in its refusal', () => {
    const { message, details } = lookUpPhone('+10005552671') as Problem
    expect(JSON.stringify([message, details])).not.toContain('5552671')
  })
})

describe('the list of allowed countries', () => {
  const refused = expect.objectContaining({ code: 'country_not_allowed', status: 403 })

  it('lets its own pass', () => {
    const allowed = new Set(['US', 'DE'])
    expect(lookUpPhone('+14155552671', { countries: allowed })).not.toBeInstanceOf(Problem)
    expect(lookUpPhone('+4915123456789', { countries: allowed })).not.toBeInstanceOf(Problem)
  })

  it.each([
    ['another country', '+442071838750'],
    ['another country of the same calling code', '+16045552671'],
    ['no country at all', '+80012345678'],
  ])('refuses a number of %s', (_title, phone) => {
    expect(lookUpPhone(phone)).not.toBeInstanceOf(Problem)
    expect(lookUpPhone(phone, { countries: new Set(['US', 'DE']) })).toEqual(refused)
  })

  it('is asked after the number: one that cannot exist is invalid, wherever it would be', () => {
    expect(lookUpPhone('+1415555267', { countries: new Set(['DE']) })).toEqual(
      expect.objectContaining({ code: 'invalid_phone' }),
    )
  })

  it('lets nothing pass when it is empty', () => {
    expect(lookUpPhone('+14155552671', { countries: new Set() })).toEqual(refused)
  })
})

describe('what a log may hold of a phone number', () => {
  it('is its first five and last two characters', () => {
    expect(maskPhone('+14155550123')).toBe('+1415•••••23')
  })

  it('is never more, and nothing of a short one', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+[1-9]\d{4,14}$/), (phone) => {
        const masked = maskPhone(phone)
        if (phone.length < 9) expect(masked).toBe('•••')
        else {
          expect(masked).toMatch(/^\+\d{4}•{2,}\d{2}$/)
          expect(masked).toHaveLength(phone.length)
        }
      }),
    )
  })
})
