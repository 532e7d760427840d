/** What each pattern of the contracts asks for, in words that callers are told: from its `x-pattern-words`. */
import contract from '../../generated/contract.json' with { type: 'json' }
import twilioContract from '../../generated/twilio-verify/contract.json' with { type: 'json' }

const words = wordsIn([contract, twilioContract], new Map())

/** The form of a phone, of which more is said. */
export const phonePattern: string = contract.components.schemas.Phone.pattern

/** @returns the words, which begin with `must`; undefined for a pattern of no contract */
export function wordsOfPattern(pattern: string): string | undefined {
  return words.get(pattern)
}

function wordsIn(node: unknown, found: Map<string, string>): Map<string, string> {
  if (typeof node !== 'object' || node === null) return found
  const { pattern, 'x-ecma-pattern': own = pattern, 'x-pattern-words': told } = node as Record<string, unknown>
  if (typeof own === 'string' && typeof told === 'string') found.set(own, told)
  for (const child of Object.values(node)) wordsIn(child, found)
  return found
}
