/** What people type and paste, in plain characters: digits of any script, full-width forms, without marks that cannot be seen. */
function plain(typed: unknown): string {
  return String(typed)
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]/gu, '')
    .replace(/\p{Nd}/gu, digitOf)
}

/** In E.164 form, if it is a whole number with its country code: `+44 (0)7975 556677` is `+447975556677`. */
export function phoneIn(typed: unknown): string {
  return plain(typed)
    .replace(/^\s*tel:/i, '')
    .replace(/\(0\)/, '')
    .replace(/[^\p{L}\p{N}+*#]/gu, '')
    .replace(/^00/, '+')
}

/** `123-456`, `١٢٣٤٥٦` and `123 456` are the same code. */
export function codeIn(typed: unknown): string {
  return plain(typed).replace(/[\s\p{Pd}.]/gu, '')
}

/** Unicode has the ten digits of a script side by side, from its zero on. */
function digitOf(character: string): string {
  const point = character.codePointAt(0) ?? 0
  let before = 0
  while (/^\p{Nd}$/u.test(String.fromCodePoint(point - before - 1))) before++
  return String(before % 10)
}
