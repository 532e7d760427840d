import { describe, expect, it } from 'vitest'
import { type TestOutcome, testOutcome } from '../../../src/delivery/channels/sandbox/kind.ts'
import { lookUpPhone } from '../../../src/domain/sending/phone.ts'

describe('a number of the test range', () => {
  it.each<[string, TestOutcome]>([
    ['+1415555010', 'delivered'],
    ['+1415555011', 'read'],
    ['+1415555012', 'not_on_channel'],
    ['+1415555013', 'silent'],
    ['+1415555014', 'slow'],
    ['+1415555015', 'flaky'],
    ['+1415555016', 'cooldown'],
  ])('%sx has the outcome "%s", and is one that can be sent to', (prefix, outcome) => {
    for (let last = 0; last < 10; last++) {
      expect(testOutcome(`${prefix}${last}`)).toBe(outcome)
      const phone = `${prefix}${last}`
      expect(lookUpPhone(phone)).toEqual({ country: 'US', numberKind: 'FIXED_LINE_OR_MOBILE', phone })
    }
  })

  it.each(['+14155550170', '+14155550099', '+14155552671', '+442071838750', '+1415555016', '+141555501600'])(
    'is not %s, which gets its message like every other',
    (phone) => {
      expect(testOutcome(phone)).toBe('delivered')
    },
  )
})
