/** What people type and paste, in plain characters: digits of any script, full-width forms, marks that nobody sees. */

const isDigit = /^\p{Nd}$/u

/** In one line, without what cannot be seen, with the digits 0 to 9, plain dashes and plain spaces. */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{M}]/gu, (mark) => (/\s/.test(mark) ? ' ' : ''))
    .replace(/[^\P{Nd}0-9]/gu, toDigit)
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\u2795/g, '+')
    .replace(/\s+/g, ' ')
    .trim()
}

/** `123-456`, `١٢٣٤٥٦` or `123 456`, as the digits of a code. What else is in it stays, and is no code. */
export function typedCode(text: string): string {
  return plainText(text).replace(/[ \-.·]/g, '')
}

/**
 * Names the first character outside of ASCII, which people overlook: they paste it, and cannot see it.
 *
 * @param isAllowed what the text may hold all the same
 * @returns the end of a sentence; undefined where there is none. Letters and digits are not named: they may be meant, or be secret
 */
export function oddCharacter(text: string, isAllowed = (_character: string) => false): string | undefined {
  const characters = Array.from(text)
  const isOdd = (one: string) => /[^\x21-\x7e\p{L}\p{N}\p{M}]/u.test(one) || isUnseen.test(one)
  const at = characters.findIndex((one) => isOdd(one) && !isAllowed(one))
  const found = characters[at]
  if (found === undefined) return undefined
  const name = found === ' ' ? 'a space' : `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
  const note = isUnseen.test(found) ? ', which cannot be seen' : ''
  return `has ${name}${note}, as character ${at + 1}`
}

const isUnseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/u

/** Unicode has the ten digits of a script side by side, from its zero on. */
function toDigit(character: string): string {
  const point = character.codePointAt(0) as number
  let before = 0
  while (isDigit.test(String.fromCodePoint(point - before - 1))) before++
  return String(before % 10)
}
