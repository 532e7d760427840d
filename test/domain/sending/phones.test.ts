/** What a reply means, and whose it is. */
import { describe, expect, it } from 'vitest'
import { plainWord, readMeaning } from '../../../src/domain/sending/phones/keyword.ts'
import { readSender } from '../../../src/domain/sending/phones/sender.ts'

describe('a reply', () => {
  it.each([
    'STOP',
    'stop',
    ' Stop. ',
    '“Stop!”',
    'STOP ALL',
    'opt-out',
    'Arrêt',
    'ARRET',
    'baja',
    'Parar',
    'ＳＴＯＰ',
    'стоп',
    'Stopp',
  ])('is an opt-out: %s', (text) => expect(readMeaning(text)).toBe('stop'))

  it.each(['START', 'Unstop', 'opt in'])('is an opt-in: %s', (text) => expect(readMeaning(text)).toBe('start'))

  it.each([
    ...[
      '',
      'Stop please',
      'please do not stop',
      'bus stop 5',
      'stopwatch',
      'The end',
      'yes',
      'STOP STOP',
      `stop${' '.repeat(50)}`,
    ],
  ])('means nothing else than what it is: "%s"', (text) => expect(readMeaning(text)).toBe('other'))
})

it('words that only signs of their script tell apart are two', () => {
  expect(plainWord('रोको')).not.toBe(plainWord('रुको'))
  expect(plainWord('Отпи́сан')).toBe('ОТПИСАН')
})

describe('the sender of a reply', () => {
  it.each([
    ['+14155550100', undefined, '+14155550100'],
    ['14155550100', undefined, '+14155550100'],
    ['0049 151 23456789', undefined, '+4915123456789'],
    [' 49 151 2345 6789', undefined, '+4915123456789'],
    // As dialed inside the country of the number that was answered to.
    ['0151 23456789', '4915550000000', '+4915123456789'],
    ['4155550100', '+14155550199', '+14155550100'],
    // What is an international number is never taken for a national one.
    ['4915123456789', '+14155550199', '+4915123456789'],
  ])('%s, to %s, is %s', (from, to, phone) => expect(readSender(from, to)).toBe(phone))

  it.each([
    // In Cuba, an international one.
    ['5321234567', ['TR'], '+905321234567'],
    ['05321234567', ['TR'], '+905321234567'],
    ['905321234567', ['TR'], '+905321234567'],
    ['33612345678', ['DE', 'FR'], '+33612345678'],
    ['4155550100', ['US', 'CA'], '+14155550100'],
    ['4915123456789', ['US'], '+4915123456789'],
    ['28901', ['US'], undefined],
  ])('%s, of a gateway that sends to %j, is %s', (from, countries, phone) =>
    expect(readSender(from, '3399', countries)).toBe(phone),
  )

  it.each([
    ['0151 23456789', undefined],
    ['0151 23456789', '28901'],
    ['28901', '+254711000111'],
    ['Acme', '+14155550199'],
    ['1'.repeat(5000), '+14155550199'],
  ])('%s, to %s, is not known', (from, to) => expect(readSender(from, to)).toBeUndefined())
})
