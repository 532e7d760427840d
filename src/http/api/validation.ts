/** Turns what a generated validator found into the contract's `details`. */
import type { ErrorObject } from 'ajv'
import { detailsMax, type ErrorDetail, escapePointer, Problem } from '../../kit/problem.ts'

/** @param faults what is wrong beside that; of a field that has several, the first is told */
export function invalidRequest(errors: readonly ErrorObject[], faults: readonly ErrorDetail[] = []): Problem {
  return new Problem('invalid_request', { details: firstOfEach(joined(faults, errors)) })
}

function* firstOfEach(details: Iterable<ErrorDetail>): Generator<ErrorDetail, void> {
  const fields = new Set<string>()
  for (const detail of details) {
    if (!fields.has(detail.field)) yield detail
    fields.add(detail.field)
  }
}

function* joined(faults: readonly ErrorDetail[], errors: readonly ErrorObject[]): Generator<ErrorDetail, void> {
  yield* faults
  yield* detailsOf(errors)
}

function* detailsOf(errors: readonly ErrorObject[]): Generator<ErrorDetail, void> {
  const byField = new Map<string, ErrorObject[]>()
  for (const error of errors) {
    // Of the whole object; that its discriminator is missing or unknown, is told of that field.
    if (error.keyword === 'discriminator') continue
    const field = fieldOf(error)
    const found = byField.get(field)
    if (found) found.push(error)
    else if (byField.size < detailsMax) byField.set(field, [error])
    else break
  }
  for (const [field, found] of byField) for (const error of relevant(found)) yield detailOf(field, error)
}

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const member =
    keyword === 'required' ? params.missingProperty : keyword === 'additionalProperties' && params.additionalProperty
  const pointer = typeof member === 'string' ? `${instancePath}/${escapePointer(member)}` : instancePath
  const [, place, ...rest] = pointer.split('/')
  const name = rest.join('/')
  if (place === 'path' || place === 'query' || place === 'header') return `${place}:${name}`
  return rest.length > 0 ? `/${name}` : ''
}

/** Of a field that fits none of several schemas: what is wrong with the one whose type it has, or that none has it. */
function relevant(errors: ErrorObject[]): ErrorObject[] {
  const choice = errors.find((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf')
  if (!choice) return errors
  const closest = errors.filter((error) => error !== choice && error.keyword !== 'type')
  return closest.length > 0 ? closest : [choice]
}

function detailOf(field: string, { keyword, params }: ErrorObject): ErrorDetail {
  switch (keyword) {
    case 'required':
      return { field, code: 'missing', message: 'is required' }
    case 'additionalProperties':
      return {
        field,
        code: 'unknown',
        message: `is not a ${field.startsWith('query:') ? 'parameter' : 'field'} of this request`,
      }
    case 'type':
      return { field, code: 'wrong_type', message: `must be of type ${params.type}` }
    case 'anyOf':
    case 'oneOf':
      return { field, code: 'wrong_type', message: 'is of none of the types that are allowed here' }
    case 'enum':
      return { field, code: 'wrong_format', message: `must be one of ${params.allowedValues.join(', ')}` }
    case 'pattern':
      return { field, code: 'wrong_format', message: `must match the pattern ${params.pattern}` }
    case 'minLength':
      return { field, code: 'too_short', message: `must have at least ${params.limit} characters` }
    case 'maxLength':
      return { field, code: 'too_long', message: `must have at most ${params.limit} characters` }
    case 'minimum':
      return { field, code: 'too_small', message: `must be at least ${params.limit}` }
    case 'maximum':
      return { field, code: 'too_large', message: `must be at most ${params.limit}` }
    case 'maxProperties':
      return { field, code: 'too_many', message: `must have at most ${params.limit} members` }
    default:
      return { field, code: 'wrong_format', message: 'is not of the form that the contract describes' }
  }
}
