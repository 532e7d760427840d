/** Bodies that are forms: `To=%2B14155550100&Channel=sms`. */
import { detailsMax, type ErrorDetail, escapePointer, Problem } from '../../kit/problem.ts'
import type { Media } from '../api/body.ts'

export const formMedia: Media = {
  type: 'application/x-www-form-urlencoded',
  unreadable: (fault, cause) =>
    new Problem('invalid_request', { message: `The body is not a form in UTF-8: ${fault}.`, cause }),
  valueOf: readForm,
}

/** @throws Problem `invalid_request` for text that cannot be kept, and for a field that comes twice */
function readForm(text: string): Record<string, string> {
  const fields = new Map<string, string>()
  const faults: ErrorDetail[] = []
  for (const part of text.split('&')) {
    if (part === '') continue
    const sign = part.indexOf('=')
    const name = decoded(sign === -1 ? part : part.slice(0, sign))
    const value = decoded(sign === -1 ? '' : part.slice(sign + 1))
    const field = `/${escapePointer(name ?? '')}`
    if (name === undefined || value === undefined) {
      const message = 'must be percent-encoded UTF-8, without U+0000'
      faults.push({ field, code: 'wrong_format', message })
    } else if (fields.has(name)) faults.push({ field, code: 'repeated', message: 'must come once' })
    else fields.set(name, value)
    if (faults.length >= detailsMax) break
  }
  if (faults.length > 0) throw new Problem('invalid_request', { details: faults })
  return Object.fromEntries(fields)
}

/** In a form, a plus sign is a space. Undefined for what is no text that can be kept. */
function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text.replaceAll('+', ' '))
    return value.includes('\0') ? undefined : value
  } catch {
    return undefined
  }
}
