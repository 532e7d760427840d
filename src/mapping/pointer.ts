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

/** Finds the value that a pointer leads to; undefined where there is none. */
export type Find = (value: unknown) => unknown

/** @param text in which `pointerFault` finds no fault */
export function findBy(text: string): Find {
  const steps = pointerParts(text)
  return (value) => {
    let found = value
    for (const step of steps) {
      // An element of XML that has nothing but text is that text.
      if (typeof found === 'string' && step === '#text') continue
      if (typeof found !== 'object' || found === null) return undefined
      // Only what the provider wrote: never what every object of JavaScript has.
      if (!Object.hasOwn(found, step) || isNoPlace(found, step)) return undefined
      found = (found as Record<string, unknown>)[step]
    }
    return found
  }
}

/** A list has places, and a length that is none. */
function isNoPlace(value: object, step: string): boolean {
  return Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(step)
}

/** The names and places that a pointer leads through. @param text in which `pointerFault` finds no fault */
export function pointerParts(text: string): string[] {
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The first of several that leads to a text, a number, true or false, as text. */
export function findTextBy(
  pointers: string | readonly string[] | null | undefined,
): (value: unknown) => string | undefined {
  const finds = [pointers ?? []].flat().map(findBy)
  return (value) => {
    for (const find of finds) {
      const found = textOfValue(find(value))
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** A value as it is compared; undefined for what is empty, a list or an object. */
export function textOfValue(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
