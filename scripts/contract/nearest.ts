/** What somebody may have meant who wrote a name that is not there. */
import { closestMatch } from 'leven'

/** @returns `; did you mean …?`, or nothing where no name is near */
export function suggestion(name: string, names: readonly string[]): string {
  const found = nearest(name, names)
  return found === undefined ? '' : `; did you mean ${found}?`
}

/** Undefined where every name differs in more than a third of its letters. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  return closestMatch(name, names, { maxDistance: Math.ceil(name.length / 3) })
}
