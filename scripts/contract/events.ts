/** Compiles what the contract says of each event into functions, for whoever makes events and whoever tests them. */
import { closed } from './closed.ts'
import { type Contract, ContractFault, eventsOf, type Webhook } from './redocly.ts'
import { textHeaders } from './replies.ts'
import { bundleModule, compile, createCompiler, createShared } from './validators.ts'

/**
 * One validator for each type of event.
 *
 * @param contract without references
 * @param notice stands at the top of both files
 * @throws ContractFault when an event is described in a way that is not understood here
 */
export async function makeEvents(contract: Contract, notice: string): Promise<{ js: string; dts: string }> {
  const ajv = createCompiler(contract, { inlineRefs: false, code: { source: true, lines: true } })
  const events = eventsOf(contract)
  const { add, names } = createShared(ajv)
  const rows = events.map(
    ({ type, webhook }) => `  '${type}': exports[${JSON.stringify(addEvent(add, type, webhook))}],`,
  )
  const compiled = compile(ajv, Object.fromEntries(names().map((name) => [name, name])))
  // For Ajv this is a CommonJS module: so only the table is seen outside.
  const code = ['const exports = {}', compiled, 'export const events = {', ...rows, '}']
  const types = events.map(({ type }) => type)
  return { js: await bundleModule(code.join('\n'), notice), dts: declarations(types, notice) }
}

type Json = Record<string, unknown>
type Add = (name: string, schema: Json) => string

/** @returns the name of its validator */
function addEvent(add: Add, type: string, { parameters, requestBody }: Webhook): string {
  const { 'application/json': json, ...others } = requestBody.content
  if (!json || Object.keys(others).length > 0)
    throw new ContractFault(`${type} is not checked yet: it is not only JSON\n`)
  const body = closed(json.schema)
  const parts = Object.entries((body.properties ?? {}) as Record<string, Json>)
  const shared = parts.map(([name, part]) => [name, { $ref: add(`${type}.${name}`, part) }])
  const headers = Object.fromEntries(parameters.map(({ name, ...header }) => [name, header]))
  return add(type, {
    type: 'object',
    properties: {
      headers: { $ref: add(`${type}.headers`, textHeaders(type, headers)) },
      body: { ...body, properties: Object.fromEntries(shared) },
    },
    required: ['body'],
  })
}

function declarations(types: string[], notice: string): string {
  return [
    `// ${notice}`,
    "import type { ErrorObject } from 'ajv'",
    '',
    '/**',
    ' * Judges an event as it is sent, the names of its headers in lower case; without headers, what is to be sent. Fields',
    ' * that the contract does not have are faults. When it answers false, `errors` holds the faults until the next call.',
    ' */',
    'export interface EventValidator {',
    '  (event: { headers?: unknown; body: unknown }): boolean',
    '  errors?: ErrorObject[] | null',
    '}',
    '/** By type. */',
    'export declare const events: {',
    ...types.map((type) => `  readonly '${type}': EventValidator`),
    '}',
    '',
  ].join('\n')
}
