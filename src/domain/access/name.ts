/** Names that people give to accounts and keys: they can be read in a list, and do not pass for one another. */
import { refusedMember } from '../../kit/refusal.ts'

const charactersMax = 64

/** Letters, signs and plain spaces: nothing that a terminal obeys, and nothing that cannot be seen. */
const printable = /^[[\p{L}\p{M}\p{N}\p{P}\p{S} ]--[\p{Default_Ignorable_Code_Point}\u2800]]+$/v

/** Those in everyday use (Unicode Standard Annex 31, table 5). */
const scripts = [
  ...[
    'Arabic',
    'Armenian',
    'Bengali',
    'Bopomofo',
    'Cyrillic',
    'Devanagari',
    'Ethiopic',
    'Georgian',
    'Greek',
    'Gujarati',
  ],
  ...['Gurmukhi', 'Han', 'Hangul', 'Hebrew', 'Hiragana', 'Kannada', 'Katakana', 'Khmer', 'Lao', 'Latin', 'Malayalam'],
  ...['Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
]

/**
 * What the letters of one word may be: of one script, or of those that Chinese, Japanese and Korean are written with, which
 * have no letters in common. This is what Unicode Technical Standard 39 calls highly restrictive, and what browsers ask of
 * a domain's name: a Cyrillic а in a Latin word is a trick or a mistake. A word that is all Cyrillic passes, whatever it
 * looks like.
 */
const together = [
  ...scripts.map((script) => [script]),
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
].map((ones) => new RegExp(`^[${[...ones, 'Common', 'Inherited'].map((one) => `\\p{scx=${one}}`).join('')}]*$`, 'u'))

/**
 * @param whose what the name is of, as a sentence begins with it: "A key"
 * @returns the name as it is kept: in Unicode's composed form, without spaces at its ends, and never two in a row
 * @throws Refusal
 */
export function requireName(whose: string, text: string): string {
  const name = tidy(text)
  if (!printable.test(name) || Array.from(name).length > charactersMax) {
    throw refusedMember('name', `${whose}'s name is one line of 1 to ${charactersMax} characters that can be seen.`)
  }
  const mixed = name.split(/[^\p{L}\p{M}\p{N}]+/u).find((word) => !together.some((letters) => letters.test(word)))
  if (mixed !== undefined) {
    throw refusedMember(
      'name',
      `"${mixed}" has letters of more than one script, or of a rare one, and may look like another name.`,
    )
  }
  return name
}

/** The same for names that differ in nothing but case, spaces, and forms of the same letters. */
export function nameKey(text: string): string {
  // By way of capitals, because some letters have one capital and two small forms.
  return tidy(text).normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

function tidy(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/ +/g, ' ')
}
