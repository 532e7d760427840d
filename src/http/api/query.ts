/** Reads the query of a request: each parameter once, and of the type that the contract gives it. */
import type { ErrorDetail } from '../../kit/problem.ts'
import { typed } from './typed.ts'

/** The types of an operation's query parameters, by their names. */
export type QueryTypes = Readonly<Record<string, string>>

export interface Query {
  /** For the validator: a text that is no number stays one, and a parameter that is unknown stays in it. */
  values: Record<string, unknown>
  /** What a validator cannot see. */
  faults: ErrorDetail[]
}

/** @param text what stands behind the question mark; a plus sign in it is a plus sign, as in every URL that is no form */
export function readQuery(text: string, types: QueryTypes): Query {
  const values = new Map<string, unknown>()
  const faults: ErrorDetail[] = []
  for (const part of text.split('&')) {
    if (part === '') continue
    const sign = part.indexOf('=')
    const name = decoded(sign === -1 ? part : part.slice(0, sign))
    const value = decoded(sign === -1 ? '' : part.slice(sign + 1))
    if (name === undefined || value === undefined) {
      const message = 'must be percent-encoded UTF-8'
      faults.push({ field: `query:${name ?? ''}`, code: 'wrong_format', message })
    } else if (values.has(name)) faults.push({ field: `query:${name}`, code: 'repeated', message: 'must come once' })
    else values.set(name, Object.hasOwn(types, name) ? typed(value, types[name]) : value)
  }
  return { values: Object.fromEntries(values), faults }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
