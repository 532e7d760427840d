/** Compiles the contract's schemas into functions, so that no process needs a compiler of schemas when it runs. */
import { Ajv, type Options } from 'ajv'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import { build } from 'esbuild'
import { asRequested } from './directions.ts'
import { type Contract, ContractFault, listOperations, type Operation, type Parameter, root } from './redocly.ts'

type Json = Record<string, unknown>

/**
 * One validator for each operation, called with `{ path, query, header, requestBody }`, each parameter by the name that the
 * contract writes.
 *
 * @param contract without references
 * @param notice stands at the top of both files
 * @throws ContractFault when a request is described in a way that is not understood here
 */
export async function makeValidators(contract: Contract, notice: string): Promise<{ js: string; dts: string }> {
  const ajv = createCompiler(contract, {
    useDefaults: true,
    discriminator: true,
    code: { source: true, esm: true, lines: true },
  })
  const names: Record<string, string> = {}
  for (const operation of listOperations(contract)) {
    ajv.addSchema(requestSchema(operation), operation.operationId)
    names[operation.operationId] = operation.operationId
  }

  const js = await bundleModule(compile(ajv, names), notice)
  const declarations = [
    `// ${notice}`,
    "import type { ErrorObject } from 'ajv'",
    '',
    '/** Fills in defaults. When it answers false, `errors` holds every fault until the next call. */',
    'export interface RequestValidator {',
    '  (request: { path?: unknown; query?: unknown; header?: unknown; requestBody?: unknown }): boolean',
    '  errors?: ErrorObject[] | null',
    '}',
    ...Object.keys(names).map((id) => `export declare const ${id}: RequestValidator`),
    '',
  ]
  return { js, dts: declarations.join('\n') }
}

/** Reports every fault, and knows all that the contract says beside its schemas. */
export function createCompiler(contract: Contract, options: Options): Ajv {
  const ajv = new Ajv({ allErrors: true, ownProperties: true, strict: true, allowUnionTypes: true, ...options })
  addFormats.default(ajv)
  const remarks = ['example', 'xml', 'externalDocs', ...(options.discriminator ? [] : ['discriminator'])]
  return ajv.addVocabulary([...remarks, ...extensionsIn(contract)])
}

/**
 * The code of validators, by their names.
 *
 * @throws ContractFault when a schema says what is not understood here
 */
export function compile(ajv: Ajv, names: Record<string, string>): string {
  try {
    return standaloneCode.default(ajv, names)
  } catch (error) {
    throw new ContractFault(`A schema cannot be compiled: ${(error as Error).message}\n`)
  }
}

/** Schemas by name, of which those that are alike are compiled once, under the name of the first. */
export function createShared(ajv: Ajv): { add: (name: string, schema: Json) => string; names: () => string[] } {
  const names = new Map<string, string>()
  return {
    add: (name, schema) => {
      const text = JSON.stringify(schema)
      const known = names.get(text)
      if (known !== undefined) return known
      ajv.addSchema(schema, name)
      names.set(text, name)
      return name
    },
    names: () => [...names.values()],
  }
}

/** The module with all that it needs of packages. */
export async function bundleModule(code: string, notice: string): Promise<string> {
  const bundled = await build({
    stdin: { contents: code, resolveDir: root, loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['main'],
    // Its comments name files: the same wherever node_modules really is.
    preserveSymlinks: true,
    banner: { js: `// ${notice}` },
    legalComments: 'none',
  })
  return bundled.outputFiles[0]!.text
}

/** The forms of bodies that a door can read. */
const readable = ['application/json', 'application/x-www-form-urlencoded']

function requestSchema(operation: Operation): Json {
  const parameters = operation.parameters ?? []
  const cookie = parameters.find(({ in: place }) => place === 'cookie')
  if (cookie) throw new ContractFault(`${operation.operationId} has a parameter in a cookie, which nobody reads\n`)
  const [body, ...others] = Object.entries(operation.requestBody?.content ?? {})
  if (others.length > 0 || (body && !readable.includes(body[0])))
    throw new ContractFault(`${operation.operationId} has a body that is not one of ${readable.join(', ')}\n`)
  const properties: Record<string, Json> = {}
  for (const place of ['path', 'query', 'header']) {
    const members = parameters.filter((parameter) => parameter.in === place)
    if (members.length > 0) properties[place] = membersSchema(members)
  }
  // A search that leaves out what it does not know would find too much.
  if (properties.query) properties.query.additionalProperties = false
  const required = Object.keys(properties)
  if (body) {
    properties.requestBody = asJudged(asRequested(body[1].schema))
    if (operation.requestBody?.required) required.push('requestBody')
  }
  return { type: 'object', properties, required }
}

/**
 * As requests are held to it. Patterns that few languages but ECMAScript read stand beside the schema, in `x-ecma-pattern`:
 * clients are generated without them, and here they hold.
 */
function asJudged<Node>(node: Node): Node {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(asJudged) as Node
  const made = Object.fromEntries(Object.entries(node).map(([name, child]) => [name, asJudged(child)]))
  const { 'x-ecma-pattern': pattern, ...rest } = made
  const own = pattern === undefined ? made : { ...rest, pattern }
  return ('discriminator' in own && 'oneOf' in own ? told(own as Choice) : own) as Node
}

interface Choice extends Json {
  oneOf: { properties: Record<string, { enum: string[] }> }[]
  discriminator: { propertyName: string; mapping?: object }
}

/**
 * Of several objects, only the one that the discriminator names is tried: what the others lack is no fault of the request. That
 * each lists its own value, the lint has seen to.
 */
function told({ discriminator: { propertyName: name }, ...choice }: Choice): Json {
  const values = choice.oneOf.flatMap(({ properties }) => properties[name]?.enum ?? [])
  const required = [...((choice.required as string[] | undefined) ?? []), name]
  const properties = { ...(choice.properties as Json | undefined), [name]: { type: 'string', enum: values } }
  return { ...choice, type: 'object', required, properties, discriminator: { propertyName: name } }
}

function membersSchema(members: Parameter[]): Json {
  return {
    type: 'object',
    properties: Object.fromEntries(members.map((parameter) => [parameter.name, parameter.schema])),
    required: members.filter((parameter) => parameter.required).map(({ name }) => name),
  }
}

/** The names of all specification extensions: what they mean is not for a validator. */
function extensionsIn(node: unknown, found = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return found
  for (const [name, child] of Object.entries(node)) {
    if (name.startsWith('x-')) found.add(name)
    extensionsIn(child, found)
  }
  return found
}
