/** The one error of the service. What is not a `Problem` is a bug, and reaches a client as `internal_error`. */
import contract from '../../generated/contract.json' with { type: 'json' }
import type { components } from '../../generated/types.ts'

export type ErrorCode = components['schemas']['ErrorCode']
export type ErrorDetail = components['schemas']['ErrorDetail']

/** HTTP status of a code, as the contract has it. */
export function statusOfCode(code: ErrorCode): number {
  return statuses[code]
}

const statuses: Record<ErrorCode, number> = contract.components.schemas.ErrorCode['x-statuses']

const { ErrorDetails: details, ErrorDetail: detail } = contract.components.schemas

/** A request with more faults than this is answered with the first of them. */
export const detailsMax = details.maxItems
const fieldLengthMax = detail.properties.field.maxLength

interface Extra {
  /** Written for a developer; the contract's example of the code when left out. Holds no code, key, variable or phone. */
  message?: string | undefined
  /** Asked for no more of them than an answer may hold: a generator has no work for the others. */
  details?: Iterable<ErrorDetail>
  /** Whole seconds, at least 1; also the header `Retry-After`. */
  retryAfterSeconds?: number
  /** The methods of a path, for the header `Allow`. */
  allow?: string[]
  /** In place of the code's own: the request was meant for another host, and no path of that one is here. */
  status?: 421
  cause?: unknown
}

/** The codes are in its type, so that an operation answers only those that the contract documents for it. */
export class Problem<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'Problem'
  readonly code: Code
  readonly status: number
  readonly details: ErrorDetail[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly allow: string[] | undefined

  constructor(code: Code, extra: Extra = {}) {
    const { stackTraceLimit } = Error
    // A refusal is no bug: where it was made, nobody asks, and to find out costs more than the refusal. A cause has its own.
    Error.stackTraceLimit = 0
    super(extra.message ?? messageOf(code), extra.cause === undefined ? undefined : { cause: extra.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.status = extra.status ?? statuses[code]
    this.details = extra.details && Iterator.from(extra.details).take(detailsMax).map(cut).toArray()
    this.retryAfterSeconds = extra.retryAfterSeconds
    this.allow = extra.allow
  }
}

/** The database is away, has no place in time, or takes too long: come again in a second. */
export function unavailable(cause?: unknown): Problem<'service_unavailable'> {
  return new Problem('service_unavailable', { retryAfterSeconds: 1, cause })
}

/** Names can be as long as a body, and would be in the answer once for each fault below them. */
function cut({ field, ...detail }: ErrorDetail): ErrorDetail {
  if (field.length <= fieldLengthMax) return { field, ...detail }
  // Half of a surrogate pair is no character.
  return { field: `${field.slice(0, fieldLengthMax - 1).replace(/[\ud800-\udbff]$/, '')}…`, ...detail }
}

/** A name as a part of a JSON pointer (RFC 6901), for the `field` of a detail. */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The sentence that the contract's examples give to each code. */
const messages = findExamples(contract)

/** What is said of a code where nothing else was said. */
export function messageOf(code: ErrorCode): string {
  return messages[code] ?? code
}

function findExamples(
  node: unknown,
  found: Partial<Record<ErrorCode, string>> = {},
): Partial<Record<ErrorCode, string>> {
  if (typeof node !== 'object' || node === null) return found
  const { success, data } = node as { success?: unknown; data?: { code: ErrorCode; message: string } }
  if (success === false && data) found[data.code] ??= data.message
  for (const child of Object.values(node)) findExamples(child, found)
  return found
}
