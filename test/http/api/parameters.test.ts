import { describe, expect, it } from 'vitest'
import { readParameters } from '../../../src/http/api/parameters.ts'

const types = {
  path: { id: 'string', page: 'integer' },
  query: { ratio: 'number' },
  header: { 'X-Deep': 'boolean', 'User-Agent': 'string' },
}

/** @param raw names and values of headers by turns, as they come */
function read({ url = '/', raw = [] as string[], path = { id: '1', page: '-1' } } = {}) {
  const headers: Record<string, string> = {}
  for (let at = 0; at < raw.length; at += 2) headers[raw[at]!.toLowerCase()] ??= raw[at + 1]!
  return readParameters({ url, headers, rawHeaders: raw }, path, types)
}

describe('the parameters of a request', () => {
  it('are read in each place, of the type that the contract gives them there, and nothing else is', () => {
    const raw = ['x-DEEP', 'true', 'X-Other', '1', 'user-agent', 'curl']
    expect(read({ url: '/v1?ratio=2.5', raw })).toEqual({
      path: { id: '1', page: -1 },
      query: { ratio: 2.5 },
      header: { 'X-Deep': true, 'User-Agent': 'curl' },
      faults: [],
    })
  })

  it.each(['1e3', '.5', '5.', '00.5', '-', '+1', ' 1', '', '1,5', 'NaN', '9007199254740993', '9'.repeat(400)])(
    'stay text where %j is no number',
    (text) => {
      expect(read({ url: `/?ratio=${encodeURIComponent(text)}` }).query).toEqual({ ratio: text })
    },
  )

  it.each(['TRUE', 'True', '1', 'yes', '', 'true,true'])('stay text where %j is no boolean', (text) => {
    expect(read({ raw: ['X-Deep', text] }).header).toEqual({ 'X-Deep': text })
  })

  it('a repeated header is named as the contract writes it, whatever became of its second value', () => {
    const raw = ['x-deep', 'true', 'X-Deep', 'true', 'User-Agent', 'a', 'user-agent', 'b']
    const { header, faults } = read({ url: '/?ratio=1&ratio=1', raw })
    expect(header).toEqual({})
    expect(faults.map(({ field, code }) => `${field} ${code}`)).toEqual([
      'query:ratio repeated',
      'header:X-Deep repeated',
      'header:User-Agent repeated',
    ])
  })

  it('are not looked at in a place that has none', () => {
    const request = { url: '/?ratio=%ff', headers: { 'x-deep': 'x' }, rawHeaders: ['X-Deep', 'x'] }
    expect(readParameters(request, {}, {})).toEqual({ path: {}, query: undefined, header: undefined, faults: [] })
  })
})
