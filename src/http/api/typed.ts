/** The text of a parameter as a value of the contract's type. */

/**
 * @param type of the contract
 * @returns the text itself where it is no such value, or a number beyond 2^53, which could not be told from its neighbours:
 *   for a validator to refuse
 */
export function typed(text: string, type: string | undefined): unknown {
  const form = forms[type as keyof typeof forms]
  if (!form?.test(text)) return text
  const value: unknown = JSON.parse(text)
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? text : value
}

/** Each value has one form: no exponent, no zeros before it, no zero below zero. */
const forms = {
  integer: /^(0|-?[1-9][0-9]*)$/,
  number: /^(0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)\.[0-9]+)$/,
  boolean: /^(true|false)$/,
}
