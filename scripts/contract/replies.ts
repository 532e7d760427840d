/** Compiles what the contract says of each answer into functions, for the response guard. */
import { closed } from './closed.ts'
import { type Contract, ContractFault, listOperations, type Response } from './redocly.ts'
import { bundleModule, compile, createCompiler, createShared } from './validators.ts'

type Json = Record<string, unknown>

/**
 * One validator for each status of each operation, and one for an error that answers no operation.
 *
 * @param contract without references
 * @param notice stands at the top of both files
 * @throws ContractFault when an answer is described in a way that is not understood here
 */
export async function makeReplies(contract: Contract, notice: string): Promise<{ js: string; dts: string }> {
  const ajv = createCompiler(contract, { inlineRefs: false, code: { source: true, lines: true } })
  const { add, names } = createShared(ajv)
  const validatorOf = (name: string, body: Json, headers?: Json): string => {
    const properties = {
      ...(headers && { headers: { $ref: add(`${name}.headers`, headers) } }),
      body: { $ref: add(`${name}.body`, closed(body)) },
    }
    const schema = { type: 'object', properties, required: Object.keys(properties) }
    return `exports[${JSON.stringify(add(name, schema))}]`
  }

  const operations = listOperations(contract)
  const rows = operations.flatMap(({ operationId, responses }) => [
    `  ${operationId}: {`,
    ...Object.entries(responses).map(([status, response]) => {
      const name = `${operationId}.${status}`
      if (!/^\d{3}$/.test(status)) throw new ContractFault(`${name} is not checked yet: name the status\n`)
      return `    ${status}: ${validatorOf(name, findReplyBody(name, response), answerHeaders(response.headers ?? {}))},`
    }),
    '  },',
  ])
  const errorResponse = validatorOf('errorResponse', contract['x-error-response'])
  const compiled = compile(ajv, Object.fromEntries(names().map((name) => [name, name])))
  const code = [
    // For Ajv this is a CommonJS module: so only the tables are seen outside.
    'const exports = {}',
    compiled,
    ...['export const replies = {', ...rows, '}'],
    `export const errorResponse = ${errorResponse}`,
  ]
  const ids = operations.map(({ operationId }) => operationId)
  return { js: await bundleModule(code.join('\n'), notice), dts: declarations(ids, notice) }
}

function findReplyBody(name: string, { content = {} }: Response): Json {
  const { 'application/json': json, ...others } = content
  if (!json || Object.keys(others).length > 0)
    throw new ContractFault(`${name} is not checked yet: it is not only JSON\n`)
  return json.schema
}

/** Of an answer before it is written: a number is one still. */
function answerHeaders(headers: Headers): Json {
  return headersSchema(headers, closed)
}

/**
 * Of what is text already.
 *
 * @param name of what has them
 * @throws ContractFault
 */
export function textHeaders(name: string, headers: Headers): Json {
  return headersSchema(headers, (schema) => asText(name, schema))
}

type Headers = NonNullable<Response['headers']>

/** Names are in lower case. Headers that are not described may be there: not all of them are the contract's matter. */
function headersSchema(headers: Headers, schemaOf: (schema: Json) => Json): Json {
  const entries = Object.entries(headers)
  const keyOf = (header: string) => header.toLowerCase()
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([header, { schema }]) => [keyOf(header), schemaOf(schema)])),
    required: entries.filter(([, { required }]) => required).map(([header]) => keyOf(header)),
  }
}

/** A header is text, also when it is described as a number. */
function asText(name: string, schema: Json): Json {
  if (schema.type === 'string') return closed(schema)
  if (schema.type === 'integer' && schema.minimum === 1) return { type: 'string', pattern: '^[1-9][0-9]*$' }
  throw new ContractFault(`${name} is not checked yet: it has a header that is neither text nor an integer from 1\n`)
}

function declarations(operationIds: string[], notice: string): string {
  return [
    `// ${notice}`,
    "import type { ErrorObject } from 'ajv'",
    '',
    '/**',
    ' * Judges an answer as it is written, the names of its headers in lower case. Fields that the contract does not have are',
    ' * faults. When it answers false, `errors` holds every fault until the next call.',
    ' */',
    'export interface ReplyValidator {',
    '  (answer: { headers?: unknown; body?: unknown }): boolean',
    '  errors?: ErrorObject[] | null',
    '}',
    '/** By operationId and status. */',
    'export declare const replies: {',
    ...operationIds.map((id) => `  readonly ${id}: Readonly<Record<number, ReplyValidator>>`),
    '}',
    '/** Of an error that answers no operation. */',
    'export declare const errorResponse: ReplyValidator',
    '',
  ].join('\n')
}
