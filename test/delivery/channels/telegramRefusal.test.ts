/** What Telegram's errors are to the service, and what is kept of their words. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tooMany, toTelegramRefusal } from '../../../src/delivery/channels/telegram/refusal.ts'

const token = 'AAH_test_token'

describe('an error of Telegram', () => {
  it.each([
    ['PHONE_NUMBER_INVALID', 'failed', 'rejected_by_channel'],
    ['PHONE_NUMBER_NOT_FOUND', 'failed', 'not_on_channel'],
    ['PHONE_NUMBER_NOT_AVAILABLE', 'failed', 'not_on_channel'],
    ['ACCESS_TOKEN_INVALID', 'down', undefined],
    ['ACCESS_TOKEN_REQUIRED', 'down', undefined],
    ['BALANCE_NOT_ENOUGH', 'down', undefined],
    ['SENDER_USERNAME_INVALID', 'down', undefined],
    ['SENDER_NOT_VERIFIED', 'down', undefined],
    ['SENDER_NOT_OWNED', 'down', undefined],
    ['CALLBACK_URL_INVALID', 'down', undefined],
    ['REQUEST_ID_INVALID', 'retry', undefined],
    ['MESSAGE_ALREADY_SENT', 'unknown', undefined],
    ['INTERNAL_ERROR', 'unknown', undefined],
  ])('%s: %s', (error, kind, code) => {
    const refusal = toTelegramRefusal(error, token)
    expect(refusal).toEqual({
      kind,
      reason: expect.stringMatching(/^\w[\w ,]+$/),
      providerCode: error,
      ...(code && { code }),
    })
  })

  it('says of a number that is not on Telegram: number not on Telegram', () => {
    expect(toTelegramRefusal('PHONE_NUMBER_NOT_AVAILABLE', token).reason).toBe('number not on Telegram')
  })

  it.each([
    ['FLOOD_WAIT_30', 30],
    ['FLOOD_WAIT_1', 1],
    ['FLOOD_WAIT_0', 1],
    ['FLOOD_WAIT_999999999', 86_400],
    ['FLOOD_WAIT', undefined],
  ])('%s: to be asked again after %s seconds', (error, afterSeconds) => {
    const refusal = { kind: 'retry', reason: 'too many at a time', providerCode: 'FLOOD_WAIT' }
    expect(toTelegramRefusal(error, token)).toEqual(afterSeconds === undefined ? refusal : { ...refusal, afterSeconds })
  })

  it('that nobody has met fails the message, and is kept word for word', () => {
    const kept = { kind: 'failed', code: 'rejected_by_channel' }
    expect(toTelegramRefusal('TTL_INVALID', token)).toEqual({
      ...kept,
      reason: 'refused: TTL_INVALID',
      providerCode: 'TTL_INVALID',
    })
    expect(toTelegramRefusal('Bad Request: too odd', token)).toEqual({
      ...kept,
      reason: 'refused: Bad Request: too odd',
    })
    for (const name of ['__proto__', 'constructor', 'FLOOD_WAIT_x']) {
      expect(toTelegramRefusal(name, token)).toEqual({ ...kept, reason: `refused: ${name}` })
    }
  })

  it('is kept without its digits, the token, and what cannot be shown', () => {
    const reasonOf = (error: string) => toTelegramRefusal(error, token).reason
    expect(reasonOf('FLOOD_WAIT_048213 of +39 (123) 456-7890')).toBe('refused: FLOOD_WAIT_****** of +** (***) ***-****')
    expect(reasonOf(`Bearer ${token} is not known`)).toBe('refused: Bearer * is not known')
    expect(reasonOf('a\nb\u0000c\u202ed é\ud800')).toBe('refused: a?b?c?d ??')
    expect(reasonOf('x'.repeat(10_000))).toBe(`refused: ${'x'.repeat(200)}`)
  })

  it('has an outcome whatever it says, and none that quotes a code, a phone or the token', () => {
    const word = fc.oneof(
      fc.constantFrom('046813', '+14155552671', '14155552671', token, 'FLOOD_WAIT_', 'PHONE_NUMBER_INVALID', ' ', '_'),
      fc.string({ unit: 'binary' }),
      fc.nat().map(String),
    )
    fc.assert(
      fc.property(
        fc.array(word).map((words) => words.join('')),
        (error) => {
          const { reason, ...rest } = toTelegramRefusal(error, token)
          expect(reason).toMatch(/^[\x20-\x7e]{1,210}$/)
          expect(rest.providerCode ?? 'NONE').toMatch(/^[A-Z_]{1,100}$/)
          for (const secret of ['046813', '4155552671', token]) expect(reason + rest.providerCode).not.toContain(secret)
        },
      ),
      { numRuns: 500 },
    )
  })
})

it('a wait of any length is whole seconds, at least one and at most a day', () => {
  expect(tooMany('429', 0.2)).toMatchObject({ afterSeconds: 1 })
  expect(tooMany('429', 1e9)).toMatchObject({ afterSeconds: 86_400 })
  expect(tooMany('429', undefined)).not.toHaveProperty('afterSeconds')
})
