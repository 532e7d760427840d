/** A text with `{{name}}` places, and the variables that fill it. */
import { type ErrorDetail, escapePointer, Problem } from '../../../kit/problem.ts'

/** A variable's name. */
const place = /\{\{\s*([a-z][a-z0-9_]{0,63})\s*\}\}/g

/** The variables that a text names, each once, in order. */
export function variablesOf(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(place), (match) => match[1]!))]
}

export function withoutPlaces(text: string): string {
  return text.replace(place, '')
}

/** A text in its parts: what stands there, and the names of the variables between. */
export function partsOf(text: string): ({ text: string } | { variable: string })[] {
  // Every second one is what the pattern has caught.
  return text.split(place).map((part, index) => (index % 2 === 0 ? { text: part } : { variable: part }))
}

/** The text with a value in each place. */
export function withValues(text: string, valueFor: (variable: string) => string): string {
  return text.replace(place, (_place, name: string) => valueFor(name))
}

/**
 * Fills every place. Numbers and booleans become what JSON writes for them; a value is never looked into for places.
 *
 * @param charactersMax code points that the filled text may have; a longer one is never made
 * @returns or Problem `invalid_variables`, which names every variable that is missing and every one that is unknown, or
 * says that the text is too long
 */
export function fillTemplate(
  text: string,
  values: Readonly<Record<string, string | number | boolean>>,
  charactersMax: number,
): { variables: Record<string, string>; text: string } | Problem<'invalid_variables'> {
  const names = variablesOf(text)
  const known = new Set(names)
  const details = [
    ...names
      .filter((name) => !Object.hasOwn(values, name))
      .map((name) => detail(name, 'missing', 'is required by the template')),
    ...Object.keys(values)
      .filter((name) => !known.has(name))
      .map((name) => detail(name, 'unknown', 'is not a variable of the template')),
  ]
  if (details.length > 0) return new Problem('invalid_variables', { details })
  const variables = Object.fromEntries(names.map((name) => [name, String(values[name])]))
  if (filledLength(text, variables) > charactersMax) {
    const message = `must fill the template to at most ${charactersMax} characters`
    return new Problem('invalid_variables', {
      message: 'The variables fill the template to a text that is too long.',
      details: [{ field: '/variables', code: 'too_long', message }],
    })
  }
  return { variables, text: withValues(text, (name) => variables[name]!) }
}

function filledLength(text: string, variables: Record<string, string>): number {
  const lengths = new Map(Object.entries(variables).map(([name, value]) => [name, characters(value)]))
  const fixed = characters(withoutPlaces(text))
  return Array.from(text.matchAll(place)).reduce((sum, [, name]) => sum + lengths.get(name!)!, fixed)
}

export function characters(text: string): number {
  return Array.from(text).length
}

function detail(name: string, code: ErrorDetail['code'], message: string): ErrorDetail {
  return { field: `/variables/${escapePointer(name)}`, code, message }
}
