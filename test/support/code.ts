/** The digits of a code in the text that a phone got. */
export function codeOn(text: string): string {
  return /\d{4,8}/.exec(text)![0]
}
