import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readQuery } from '../../../src/http/api/query.ts'

const types = { limit: 'integer', deep: 'boolean', phone: 'string' }
const valuesOf = (text: string) => readQuery(text, types).values
const faultsOf = (text: string) => readQuery(text, types).faults.map(({ field, code }) => `${field} ${code}`)

describe('a query', () => {
  it('is read by its names, each value of the type that the contract gives it', () => {
    expect(valuesOf('limit=5&deep=true&phone=5&')).toEqual({ limit: 5, deep: true, phone: '5' })
    expect(valuesOf('')).toEqual({})
  })

  it.each(['5.0', '1e1', '0x10', ' 5', '', '५', 'Infinity', '--5', '05', '-0', '9007199254740993', 'true'])(
    'leaves %j, which is no integer, as text',
    (text) => {
      expect(valuesOf(`limit=${encodeURIComponent(text)}`)).toEqual({ limit: text })
    },
  )

  it('keeps a plus sign, written as it is or encoded', () => {
    expect(valuesOf('phone=+14155550100')).toEqual({ phone: '+14155550100' })
    expect(valuesOf('phone=%2B14155550100')).toEqual({ phone: '+14155550100' })
  })

  it('keeps what nobody asked for, so that it can be refused, whatever its name is', () => {
    expect(Object.keys(valuesOf('order=id&__proto__=1&constructor&a=b=c'))).toEqual([
      'order',
      '__proto__',
      'constructor',
      'a',
    ])
    expect(valuesOf('a=b=c')).toEqual({ a: 'b=c' })
  })

  it('has each parameter once: the name of one that is repeated is told, also when it is the same', () => {
    expect(faultsOf('limit=5&limit=5&phone=1&limit=6')).toEqual(['query:limit repeated', 'query:limit repeated'])
    expect(faultsOf('limit=5&%6cimit=5')).toEqual(['query:limit repeated'])
  })

  it('is at fault where it is not percent-encoded UTF-8', () => {
    expect(faultsOf('phone=%ff&%zz=1&limit=%')).toEqual([
      'query:phone wrong_format',
      'query: wrong_format',
      'query:limit wrong_format',
    ])
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void readQuery(text, types)))
  })
})
