/** What people write that is more than one phone number, or the rest of one. */

export const holdsTwo = 'holds two numbers'
export const hasExtension = 'has an extension, which no message can reach'
export const hasLetters = 'has letters'

/** In order: what comes first explains the most. Each is read in plain characters. */
const faults: readonly [RegExp, string][] = [
  // `4.91712E+11`
  [/^[^\d\p{L}]*\d([.,]\d+)?e\+?\d{1,2}$/iu, 'is a rounded number of a spreadsheet, which lost its last digits'],
  // `491711234567.0`: a column of numbers in which a cell was empty
  [/^[^.]*\d\.0+$/, 'ends in .0, which a spreadsheet put behind it'],
  // As libphonenumber has them, and as people of more countries write them.
  [
    /\d[^\d+]*(?:;ext=|,,|[#~]|e?xt(?:n|ensi[oó]n)?|x|poste|anexo|int(?:erno)?|ramal|dw|durchwahl|nebenstelle|доб|内線|分机)[^\p{L}\d+]*\d{1,7}\D*$/iu,
    hasExtension,
  ],
  [/\d\D*\+/, holdsTwo],
  // Only the digits that differ: `1234567 / 8`. In one number, a slash stands between the code of an area and five digits at least.
  [/,|\/\D*(\d\D*){0,4}$/u, holdsTwo],
  [/\p{L}/u, hasLetters],
]

/**
 * @param written in plain characters
 * @returns why it is not one number, as the end of a sentence; undefined where only its digits can tell
 */
export function notOnePhone(written: string): string | undefined {
  return faults.find(([form]) => form.test(written))?.[1]
}
