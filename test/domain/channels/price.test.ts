import { describe, expect, it } from 'vitest'
import { toPrice } from '../../../src/domain/channels/price.ts'

describe('a price', () => {
  it.each([
    ['0.0333', '0.0333'],
    ['0.03330000', '0.0333'],
    ['00.5', '0.5'],
    ['12', '12'],
    ['100', '100'],
    ['1200.00', '1200'],
    ['0', '0'],
    ['000.000', '0'],
    ['999999.99', '999999.99'],
    ['0.30000000000000004', '0.30000000000000004'],
  ])('of %s is %s: the same number, without zeros that say nothing', (given, amount) => {
    expect(toPrice(given, 'EUR')).toEqual({ amount, currency: 'EUR' })
  })

  it.each([
    ...['', ' ', '.5', '1.', '1,5', '0x10', '1e5', '+1', '-1', '−1', 'NaN', 'Infinity', '1000000', '١', '1\n'],
    ...['0.000000000000000000001', `1.${'0'.repeat(200)}`, '9'.repeat(100_000)],
  ])('is not %j', (given) => {
    expect(toPrice(given, 'EUR')).toBeUndefined()
  })

  it.each([undefined, '', 'eur', 'EURO', 'QQQ', '€', 'EUR ', 'EUR'.repeat(400)])('is in no currency %j', (currency) => {
    expect(toPrice('1', currency)).toBeUndefined()
  })
})
