/** Turns what a generated validator found into the contract's `details`. */
import type { ErrorObject } from 'ajv'
import { phonePattern, wordsOfPattern } from '../../contract/words.ts'
import { phoneFault } from '../../domain/sending/phones/typedPhone.ts'
import { detailsMax, type ErrorDetail, escapePointer, Problem } from '../../kit/problem.ts'
import { oddCharacter } from '../../kit/typed.ts'

/**
 * @param request what was judged
 * @param faults what is wrong beside that; of a field that has several, the first is told
 */
export function invalidRequest(
  errors: readonly ErrorObject[],
  request: unknown,
  faults: readonly ErrorDetail[] = [],
): Problem {
  return new Problem('invalid_request', { details: firstOfEach(joined(faults, listDetails(errors, request))) })
}

function* firstOfEach(details: Iterable<ErrorDetail>): Generator<ErrorDetail, void> {
  const fields = new Set<string>()
  for (const detail of details) {
    if (!fields.has(detail.field)) yield detail
    fields.add(detail.field)
  }
}

function* joined(...lists: Iterable<ErrorDetail>[]): Generator<ErrorDetail, void> {
  for (const list of lists) yield* list
}

function* listDetails(errors: readonly ErrorObject[], request: unknown): Generator<ErrorDetail, void> {
  const byField = new Map<string, ErrorObject[]>()
  for (const error of errors) {
    // Of the whole object; that its discriminator is missing or unknown, is told of that field.
    if (error.keyword === 'discriminator') continue
    const field = nameField(error)
    const found = byField.get(field)
    if (found) found.push(error)
    else if (byField.size < detailsMax) byField.set(field, [error])
    else break
  }
  for (const [field, found] of byField) for (const error of relevant(found)) yield toDetail(field, error, request)
}

function nameField({ instancePath, keyword, params }: ErrorObject): string {
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

function toDetail(field: string, error: ErrorObject, request: unknown): ErrorDetail {
  const { keyword, params } = error
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
      return { field, code: 'wrong_type', message: typeFault(params.type, valueAt(request, error.instancePath)) }
    case 'anyOf':
    case 'oneOf':
      return { field, code: 'wrong_type', message: 'is of none of the types that are allowed here' }
    case 'enum':
      return { field, code: 'wrong_format', message: `must be one of ${params.allowedValues.join(', ')}` }
    case 'pattern':
      return {
        field,
        code: 'wrong_format',
        message: patternFault(params.pattern, valueAt(request, error.instancePath)),
      }
    case 'minLength':
      return { field, code: 'too_short', message: `must have at least ${counted(params.limit, 'character')}` }
    case 'maxLength':
      return { field, code: 'too_long', message: `must have at most ${counted(params.limit, 'character')}` }
    case 'minimum':
      return { field, code: 'too_small', message: `must be at least ${params.limit}` }
    case 'maximum':
      return { field, code: 'too_large', message: `must be at most ${params.limit}` }
    case 'maxProperties':
      return { field, code: 'too_many', message: `must have at most ${counted(params.limit, 'member')}` }
    case 'maxItems':
      return { field, code: 'too_many', message: `must have at most ${counted(params.limit, 'item')}` }
    default:
      return { field, code: 'wrong_format', message: otherFault(error) }
  }
}

/** For what has no code of its own among those that clients know. */
function otherFault({ keyword, params }: ErrorObject): string {
  switch (keyword) {
    case 'format':
      return formats[params.format] ?? 'has another form than this field takes'
    case 'minItems':
      return `must have at least ${counted(params.limit, 'item')}`
    case 'minProperties':
      return `must have at least ${counted(params.limit, 'member')}`
    case 'uniqueItems':
      return `must not have the same item twice: items ${params.j + 1} and ${params.i + 1} are the same`
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`
    case 'exclusiveMaximum':
      return `must be less than ${params.limit}`
    case 'const':
      return `must be ${params.allowedValue}`
    case 'propertyNames':
      return 'has a member with a name that is not allowed'
    default:
      return 'has a value that this field does not take'
  }
}

const formats: Readonly<Record<string, string>> = {
  'date-time': 'must be a date and time with its zone, like 2026-11-21T09:30:00Z',
  date: 'must be a date, like 2026-11-21',
  time: 'must be a time with its zone, like 09:30:00Z',
  uuid: 'must be a UUID, like 4bf92f35-77b3-4da6-a3ce-929d0e0e4736',
  email: 'must be an email address, like ada@example.com',
  uri: 'must be a URL, like https://example.com/',
  ipv4: 'must be an IPv4 address, like 203.0.113.7',
  ipv6: 'must be an IPv6 address, like 2001:db8::7',
}

/** Clients that are generated for other contracts send null for what is not set. */
function typeFault(type: string, value: unknown): string {
  const words = `must be of type ${type}`
  return value === null ? `${words}, not null: leave out what is not set` : words
}

/** @param value what was sent; nothing of it is in the words but where a character is that people overlook */
function patternFault(pattern: string, value: unknown): string {
  const words = wordsOfPattern(pattern) ?? 'has another form than this field takes'
  if (typeof value !== 'string') return words
  const form = new RegExp(pattern, 'u')
  const odd = oddCharacter(value, (one) => form.test(`a${one}b`))
  const seen = (pattern === phonePattern ? phoneFault(value) : undefined) ?? odd
  return seen === undefined ? words : `${words}; it ${seen}`
}

function valueAt(request: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
    request,
  )
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
