/** `${NAME}` in a file: a value that is not in it, but in the environment of who applies it. */
import type { Fault } from '../../domain/channels/connectionEntry.ts'

/** `$${` is written for a `${` that is meant. */
const place = /\$\$\{|\$\{([^}]*)\}?/g
const nameForm = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Fills the places in every text of a value; not in names of members. What is filled in is not looked into.
 *
 * @returns the value, and for each text what could not be filled in; an empty variable counts as one that is not set
 */
export function fillPlaces(
  value: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): { value: unknown; missing: Fault[] } {
  const missing: Fault[] = []
  return { value: fill(value, []), missing }

  function fill(part: unknown, path: readonly PropertyKey[]): unknown {
    if (typeof part === 'string') return fillText(part, path)
    if (Array.isArray(part)) return part.map((member, index) => fill(member, [...path, index]))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, fill(member, [...path, name])]))
  }

  function fillText(text: string, path: readonly PropertyKey[]): string {
    return text.replace(place, (written, name: string | undefined) => {
      if (name === undefined) return '${'
      // What is no name may be a secret with a dollar in front.
      const isPlace = nameForm.test(name) && written.endsWith('}')
      const found = isPlace && Object.hasOwn(environment, name) ? environment[name] : undefined
      if (found && !found.includes('\ufffd')) return found
      const fault = found ? `${name} in the environment is not UTF-8` : `${name} is not set in the environment`
      missing.push({ path, fault: isPlace ? fault : notAPlace })
      return ''
    })
  }
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: as it is written in a file
const notAPlace = 'there is a "${" without a name and "}" behind it: write ${NAME}, or $${ for the characters'
