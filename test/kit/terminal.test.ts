import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonLine, table, visible } from '../../src/kit/terminal.ts'

const nasty = fc.string({
  unit: fc.constantFrom(
    'a',
    '"',
    '\\',
    '\n',
    '\r',
    '\t',
    '\u001b',
    '\u007f',
    '\u009b',
    '\u2028',
    '\u202e',
    '\u{e0001}',
    '\ud800',
    '🦊',
  ),
})
const orders = /[\p{C}\p{Zl}\p{Zp}]/u

describe('a table', () => {
  it('has a line for each record, whatever is in one', () => {
    expect(
      table([
        { id: 1, name: 'a\u001b[2J\n2   forged' },
        { id: 2, name: null },
      ]),
    ).toBe(['id  name', '1   a\\u001b[2J\\n2   forged', '2   -'].join('\n'))
    fc.assert(
      fc.property(nasty, nasty, (id, name) => {
        const lines = table([{ id, name }]).split('\n')
        expect(lines).toHaveLength(2)
        expect(lines.join('')).not.toMatch(orders)
      }),
    )
  })
})

describe('a line of JSON', () => {
  it('is the same value, without what a terminal obeys', () => {
    fc.assert(
      fc.property(nasty, nasty, (name, text) => {
        const line = jsonLine({ [name]: text })
        expect(line).not.toMatch(orders)
        expect(JSON.parse(line)).toEqual({ [name]: text })
      }),
    )
  })
})

it('what can be printed stays as it is', () => {
  for (const text of ['Müller & Söhne', 'ليلى', '🦊 £5', '株式会社']) expect(visible(text)).toBe(text)
})
