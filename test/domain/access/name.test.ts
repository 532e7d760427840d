import { describe, expect, it } from 'vitest'
import { nameKey, requireName } from '../../../src/domain/access/name.ts'
import { refusedMember } from '../../../src/kit/refusal.ts'

describe('a name', () => {
  it.each([
    ['shop', 'shop'],
    ['  shop   (backend)  #1 ', 'shop (backend) #1'],
    ['Mu\u0308ller & So\u0308hne', 'Müller & Söhne'],
    ['ООО Ромашка 24', 'ООО Ромашка 24'],
    ['Acme-Россия', 'Acme-Россия'],
    ['株式会社ソニー', '株式会社ソニー'],
    ['SK하이닉스', 'SK하이닉스'],
    ['हिन्दी', 'हिन्दी'],
    ['متجر 5', 'متجر 5'],
    ['🦊 £5', '🦊 £5'],
    ['x'.repeat(64), 'x'.repeat(64)],
  ])('is kept in one form: %j', (text, kept) => {
    expect(requireName('A key', text)).toBe(kept)
  })

  it.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['65 characters', 'x'.repeat(65)],
    ['a line end', 'a\nb'],
    ['a tab', 'a\tb'],
    ['an escape code', 'a\u001b[2Jb'],
    ['a control character beyond ASCII', 'a\u009b2Jb'],
    ['a change of direction', 'a\u202eb'],
    ['a sign without width', 'a\u200bb'],
    ['a letter that cannot be seen', 'a\u3164'],
    ['another space', 'a\u00a0b'],
    ['half a character', 'a\ud800'],
    ['a character of nobody', 'a\ue000'],
  ])('is refused with %s', (_what, text) => {
    expect(() => requireName('A key', text)).toThrow(
      refusedMember('name', "A key's name is one line of 1 to 64 characters that can be seen."),
    )
  })

  it.each(['\u0430cme', 'acm\u0435 inc', 'pa\u03c5l', '\u13aacme'])(
    'is refused with letters of two scripts in one word, or of a rare one: %s',
    (text) => {
      expect(() => requireName('An account', text)).toThrow(/has letters of more than one script, or of a rare one/)
    },
  )

  it.each([
    ['acme', 'ACME'],
    ['acme', ' acme '],
    ['a b', 'a  b'],
    ['Müller', 'MU\u0308LLER'],
    ['straße', 'STRASSE'],
    ['σας', 'ΣΑΣ'],
    ['acme', '𝐚𝐜𝐦𝐞'],
    ['acme', 'ａｃｍｅ'],
  ])('of which the key is the same: %j and %j', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other))
  })

  it.each([
    ['acme', 'acne'],
    ['acme', 'ac me'],
    ['uber', 'über'],
  ])('of which the key is another: %j and %j', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other))
  })
})
