// biome-ignore-all lint/suspicious/noTemplateCurlyInString: places as they are written in files
import { describe, expect, it } from 'vitest'
import { fillPlaces } from '../../src/cli/files/places.ts'

const environment = { TOKEN: 'EAAG', lower_1: 'l', EMPTY: '', NESTED: '${TOKEN}', DOLLAR: '$&$1' }

describe('a place in a file', () => {
  it.each([
    ['${TOKEN}', 'EAAG'],
    ['Bearer ${TOKEN}!', 'Bearer EAAG!'],
    ['${TOKEN}${lower_1}', 'EAAGl'],
    ['$${TOKEN}', '${TOKEN}'],
    ['$$${TOKEN}', '$${TOKEN}'],
    ['a $ b $$ $TOKEN {TOKEN}', 'a $ b $$ $TOKEN {TOKEN}'],
    ['${NESTED}', '${TOKEN}'],
    ['${DOLLAR}', '$&$1'],
  ])('is filled from the environment: %s', (text, filled) => {
    expect(fillPlaces(text, environment)).toEqual({ value: filled, missing: [] })
  })

  it('is filled wherever there is a text, and nowhere else', () => {
    const value = [{ a: '${TOKEN}', '${TOKEN}': 1, b: [true, null, { c: '${TOKEN}' }] }, 5]
    expect(fillPlaces(value, environment)).toEqual({
      value: [{ a: 'EAAG', '${TOKEN}': 1, b: [true, null, { c: 'EAAG' }] }, 5],
      missing: [],
    })
    expect(fillPlaces(JSON.parse('{"__proto__": "${TOKEN}"}'), environment).value).toEqual(
      JSON.parse('{"__proto__": "EAAG"}'),
    )
  })

  it.each(['NOBODY', 'EMPTY', 'toString', '__proto__'])(
    'that nothing is set for is named with its place: %s',
    (name) => {
      const { missing } = fillPlaces([{ a: ['x', `\${${name}}`] }], environment)
      expect(missing).toEqual([{ path: [0, 'a', 1], fault: `${name} is not set in the environment` }])
    },
  )

  it('that Node has read from bytes that are not UTF-8 is named, and not filled', () => {
    expect(fillPlaces(['${LATIN}'], { LATIN: 'p\ufffdss' }).missing).toEqual([
      { path: [0], fault: 'LATIN in the environment is not UTF-8' },
    ])
  })

  it.each(['${', '${}', '${TOKEN', '${ TOKEN }', '${hunter-2}', '${1}', 'a ${b c} d'])(
    'that has no name is told, and not repeated: %s',
    (text) => {
      const { missing } = fillPlaces([text], environment)
      expect(missing).toEqual([{ path: [0], fault: expect.stringMatching(/^there is a "\$\{" without a name/) }])
      expect(missing[0]!.fault).not.toContain('hunter')
    },
  )
})
