/** JSON Pointers (RFC 6901): where a value is in an answer or a report. */

/** More than any provider needs: one that is longer is a fault of the file. */
const stepsMax = 32

/** @returns what is wrong with a pointer, without quoting it */
export function pointerFault(text: string): string | undefined {
  if (!text.startsWith('/')) return 'must be a JSON Pointer: it begins with "/"'
  if (/~(?![01])/.test(text)) return 'must be a JSON Pointer: "~" is written "~0", and "/" in a name "~1"'
  if (text.split('/').length - 1 > stepsMax) return `must have at most ${stepsMax} steps`
  return undefined
}
