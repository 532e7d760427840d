/** The rules of errors: each status of each operation lists its codes, and has an example of each. */
import { answersIn, type DocumentedAnswer, operationsIn, takesIdempotencyKey } from './answers.ts'
import { suggestion } from './nearest.ts'
import { type Context, follow, type Json, namedSchemas, type Resolved } from './walk.ts'

/** The list that explains every code. */
interface Explained extends Resolved {
  codes: string[]
  statuses: Record<string, number>
}

/** Every code has a meaning and a status; and every error of an operation has its own list of them. */
export function requireListedCodes(root: Json, context: Context): void {
  const list = explainedCodes(root, context)
  for (const code of new Set([...list.codes, ...Object.keys(list.statuses)])) {
    if (code in list.statuses && list.codes.includes(code)) continue
    const missing = code in list.statuses ? 'add it to enum' : 'add it to x-statuses, with its HTTP status'
    context.report({ message: `${code} must be both in enum and in x-statuses: ${missing}`, location: list.location })
  }
  for (const answer of answersIn(root, context)) {
    if (Number(answer.status) < 400) continue
    requireCodes(answer, list, context)
    requireExamples(answer, list, context)
  }
}

function explainedCodes(root: Json, context: Context): Explained {
  const { node, location } = namedSchemas(root, context).get('ErrorCode') ?? { node: {}, location: context.location }
  const statuses = (node['x-statuses'] ?? {}) as Record<string, number>
  return { node, location, codes: (node.enum ?? []) as string[], statuses }
}

function requireCodes(answer: DocumentedAnswer, { codes, statuses }: Explained, context: Context): void {
  const { status } = answer
  const { code, isNamed } = findCode(answer, context)
  const report = (message: string) => context.report({ message, location: code.location })
  if (!isNamed || !Array.isArray(code.node.enum) || code.node['x-may-grow'] !== true) {
    report(`the error ${status} needs a schema of its own, in which data.code is an enum with x-may-grow: true`)
  }
  for (const value of listOf(code)) {
    if (!codes.includes(value)) report(unknownCode(value, codes))
    else if (hasOtherStatus(value, status, statuses)) report(`${value} is answered ${statuses[value]}, not ${status}`)
  }
}

/** A code without a status is told at the list. */
function hasOtherStatus(code: string, status: string, statuses: Explained['statuses']): boolean {
  return code in statuses && statuses[code] !== Number(status)
}

/** The codes of an error, and whether its schema is one that has a name. */
function findCode({ content, location }: DocumentedAnswer, context: Context): { code: Resolved; isNamed: boolean } {
  const at = (holder: Resolved, name: string) =>
    follow(context, (holder.node.properties as Json | undefined)?.[name], holder.location.child(['properties', name]))
  const schema = follow(context, content.schema, location.child(['schema']))
  return { code: at(at(schema, 'data'), 'code'), isNamed: '$ref' in ((content.schema ?? {}) as Json) }
}

function unknownCode(code: string, codes: readonly string[]): string {
  return `"${code}" is not in the list of error codes, the schema ErrorCode${suggestion(code, codes)}`
}

function listOf({ node }: Resolved): string[] {
  return (node.enum ?? []) as string[]
}

function requireExamples(answer: DocumentedAnswer, { codes, statuses }: Explained, context: Context): void {
  const { status, content, location } = answer
  const listed = listOf(findCode(answer, context).code)
  // What is wrong in the list would be told of each example again.
  if (listed.some((code) => !codes.includes(code))) return
  const shown = new Set<string>()
  for (const [name, example] of Object.entries((content.examples ?? {}) as Json)) {
    const { node, location: at } = follow(context, example, location.child(['examples', name]))
    const code = (node.value as { data?: { code?: string } } | undefined)?.data?.code ?? ''
    const report = (message: string) => context.report({ message, location: at })
    shown.add(code)
    if (!codes.includes(code)) report(unknownCode(code, codes))
    else if (hasOtherStatus(code, status, statuses)) report(`${code} is answered ${statuses[code]}, not ${status}`)
    else if (!listed.includes(code))
      report(`${code} is not among the codes of this answer, which are ${listed.join(', ')}`)
    else if (name !== code && !name.startsWith(`${code}_`))
      report(`an example of an error must be named by its code: ${code}, not ${name}`)
  }
  const missing = listed.filter((code) => !shown.has(code))
  // One that stands there with another code is told already.
  const isMistaken = [...shown].some((code) => !listed.includes(code))
  if (missing.length > 0 && !isMistaken) {
    context.report({ message: `the answer ${status} has no example of ${missing.join(', ')}`, location })
  }
}

/** What the service itself may answer to any request, whatever the handler does. */
const always: Record<string, string[]> = {
  400: ['invalid_request'],
  401: ['missing_api_key', 'invalid_api_key', 'revoked_api_key', 'expired_api_key'],
  403: ['insufficient_scope'],
  429: ['rate_limited'],
  500: ['internal_error'],
  503: ['service_unavailable'],
}
const withBody: Record<string, string[]> = {
  400: ['invalid_json'],
  413: ['body_too_large'],
  415: ['unsupported_media_type'],
}
const withIdempotency: Record<string, string[]> = { 409: ['idempotency_key_reused', 'idempotency_in_progress'] }

export function requireCodesOfAny(root: Json, context: Context): void {
  for (const operation of operationsIn(root, context)) {
    const rows = [always, ...('requestBody' in operation.node ? [withBody] : [])]
    if (takesIdempotencyKey(operation)) rows.push(withIdempotency)
    for (const [status, codes] of rows.flatMap((row) => Object.entries(row))) {
      const answer = operation.answers.find((found) => found.status === status)
      // It is there, but not as JSON: told already.
      if (!answer && status in ((operation.node.responses ?? {}) as Json)) continue
      const { code } = answer ? findCode(answer, context) : {}
      const missing = codes.filter((value) => !code || !listOf(code).includes(value))
      if (missing.length === 0) continue
      const location = code?.location ?? operation.location.child(['responses'])
      const message = `${operation.node.operationId} may be answered ${status} with ${missing.join(', ')}, and does not document it`
      context.report({ message, location })
    }
  }
}
