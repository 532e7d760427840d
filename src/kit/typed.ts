/** What people type and paste, in plain characters: digits of any script, full-width forms, marks that nobody sees. */

const isDigit = /^\p{Nd}$/u

/** In one line, without what cannot be seen, with the digits 0 to 9, plain dashes and plain spaces. */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{M}]/gu, (mark) => (/\s/.test(mark) ? ' ' : ''))
    .replace(/[^\P{Nd}0-9]/gu, digitOf)
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\u2795/g, '+')
    .replace(/\s+/g, ' ')
    .trim()
}

/** `123-456`, `١٢٣٤٥٦` or `123 456`, as the digits of a code. What else is in it stays, and is no code. */
export function typedCode(text: string): string {
  return plainText(text).replace(/[ \-.·]/g, '')
}

/** Unicode has the ten digits of a script side by side, from its zero on. */
function digitOf(character: string): string {
  const point = character.codePointAt(0) as number
  let before = 0
  while (isDigit.test(String.fromCodePoint(point - before - 1))) before++
  return String(before % 10)
}
