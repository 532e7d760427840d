import { describe, expect, it } from 'vitest'
import { isWellFormed, newKey } from '../../../src/domain/access/keyText.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('an API key', () => {
  it.each(['live', 'test'] as const)('of %s mode says so, and is 49 letters and digits long', (mode) => {
    for (let i = 0; i < 200; i++) {
      const key = newKey(mode)
      expect(key).toMatch(new RegExp(`^ww_${mode}_[0-9A-Za-z]{49}$`))
      expect(isWellFormed(key)).toBe(true)
    }
  })

  it('is never made twice', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newKey('live'))).size).toBe(1000)
  })

  it('draws on every letter and digit', () => {
    const secrets = Array.from({ length: 2000 }, () => newKey('live').slice('ww_live_'.length, -6))
    // The first is not quite free: 62 to the power of 43 is a little more than 2 to the power of 256.
    for (let position = 1; position < 43; position++) {
      expect(new Set(secrets.map((secret) => secret[position])).size).toBe(alphabet.length)
    }
  })

  it.each([
    'ww_live_00000000000000000000000000000000000000000001qjdx1',
    'ww_test_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp13xEHcN',
    'ww_test_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf1UWthP',
  ])('keeps the checksum that it was given out with: %s', (key) => {
    expect(isWellFormed(key)).toBe(true)
  })

  it('is refused with any one character changed', () => {
    const key = newKey('live')
    const passed = Array.from(key, (kept, position) =>
      [...`${alphabet}_- é`]
        .filter((other) => other !== kept)
        .map((other) => key.slice(0, position) + other + key.slice(position + 1))
        .filter(isWellFormed),
    ).flat()
    expect(passed).toEqual([])
  })

  it('is refused with a character too many or too few, two neighbours swapped, or the other mode', () => {
    const key = newKey('live')
    const positions = Array.from(key, (_, position) => position)
    const changed = [
      ...positions.map((at) => key.slice(0, at) + key.slice(at + 1)),
      ...positions.map((at) => `${key.slice(0, at)}0${key.slice(at)}`),
      ...positions.slice(1).map((at) => key.slice(0, at - 1) + key[at] + key[at - 1] + key.slice(at + 1)),
      key.replace('live', 'test'),
      key.toUpperCase(),
      `${key}\n`,
      ` ${key}`,
      '',
    ]
    expect(changed.filter((other) => other !== key && isWellFormed(other))).toEqual([])
  })
})
