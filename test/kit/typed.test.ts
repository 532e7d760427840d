import { expect, it } from 'vitest'
import { oddCharacter, plainText, typedCode } from '../../src/kit/typed.ts'
import { typedCodes } from '../strangers/phones.ts'

it.each(typedCodes)('a code that a person types is read: %s, %j', (_what, written) => {
  expect(typedCode(written)).toBe('123456')
})

it('digits of every script of Unicode are read as 0 to 9, each by its own value', () => {
  const scripts = [
    '٠١٢٣٤٥٦٧٨٩',
    '۰۱۲۳۴۵۶۷۸۹',
    '०१२३४५६७८९',
    '০১২৩৪৫৬৭৮৯',
    '๐๑๒๓๔๕๖๗๘๙',
    '０１２３４５６７８９',
    '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗',
    '𞥐𞥑𞥒𞥓𞥔𞥕𞥖𞥗𞥘𞥙',
  ]
  for (const digits of scripts) expect([digits, plainText(digits)]).toEqual([digits, '0123456789'])
})

it.each([
  ['a\u200bb', 'has U+200B, which cannot be seen, as character 2'],
  ['a b', 'has a space, as character 2'],
  ['a\u202fb', 'has U+202F, as character 2'],
  ['Müller1', undefined],
])('names the first character that people overlook, and no letter or digit: %j', (text, told) => {
  expect(oddCharacter(text)).toBe(told)
})
