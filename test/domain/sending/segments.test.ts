import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countSegments } from '../../../src/domain/sending/wordings/segments.ts'

const gsm7 =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'

describe('the segments of a text message', () => {
  it.each([
    ['an empty text', '', 'gsm7', 1],
    ['every character of the GSM-7 alphabet', gsm7, 'gsm7', 1],
    ['160 characters', 'a'.repeat(160), 'gsm7', 1],
    ['161 characters', 'a'.repeat(161), 'gsm7', 2],
    ['two full segments', 'a'.repeat(306), 'gsm7', 2],
    ['one character more', 'a'.repeat(307), 'gsm7', 3],
    ['80 characters of the extension, which count two each', '€'.repeat(80), 'gsm7', 1],
    ['81 of them', '€'.repeat(81), 'gsm7', 2],
    [
      'an extended character that does not fit at the end of a segment',
      `${'a'.repeat(152)}€${'a'.repeat(152)}`,
      'gsm7',
      3,
    ],
    ['the same length without it', `${'a'.repeat(306)}`, 'gsm7', 2],
    ['the whole extension', '\f^{}\\[~]|€'.repeat(8), 'gsm7', 1],
    ['70 characters of another script', 'я'.repeat(70), 'ucs2', 1],
    ['71 of them', 'я'.repeat(71), 'ucs2', 2],
    ['two full segments of them', 'я'.repeat(134), 'ucs2', 2],
    ['one more than that', 'я'.repeat(135), 'ucs2', 3],
    ['one foreign letter in a long text', `${'a'.repeat(70)}я`, 'ucs2', 2],
    ['a small ç, which GSM-7 has as a capital alone', 'ç', 'ucs2', 1],
    ['a grave accent', '`', 'ucs2', 1],
    ['35 emoji, of two units each', '😀'.repeat(35), 'ucs2', 1],
    ['36 emoji', '😀'.repeat(36), 'ucs2', 2],
    ['an emoji that does not fit at the end of a segment', '😀'.repeat(67), 'ucs2', 3],
    ['half of an emoji', `${'a'.repeat(69)}\ud83d`, 'ucs2', 1],
  ])('are counted as phones and providers do: %s', (_what, text, encoding, segments) => {
    expect(countSegments(text)).toEqual({ encoding, segments })
  })

  it('are never fewer for a longer text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'aé€я😀\n'), maxLength: 300 })
    fc.assert(
      fc.property(text, fc.constantFrom(...'aé€я😀\n'), (shorter, more) => {
        expect(countSegments(shorter + more).segments).toBeGreaterThanOrEqual(countSegments(shorter).segments)
      }),
    )
  })
})
