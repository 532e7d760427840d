/**
 * Makes `generated/` from `openapi.yaml`: types for the compiler, validators for the running process, and the bundled
 * contract as JSON. With `--check` it writes nothing and fails when a file is not what it would write.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import { build } from 'esbuild'
import openapiTypescript, { astToString } from 'openapi-typescript'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'generated')
const notice = 'Made from openapi.yaml by `npm run generate`. Do not edit.'

const [contract, dereferenced] = await Promise.all([bundle(), bundle('--dereferenced')])
const files: Record<string, string> = {
  'contract.json': `${JSON.stringify({ 'x-generated': notice, ...contract }, null, 2)}\n`,
  'types.ts': await types(contract),
  ...(await validators(dereferenced)),
}

if (process.argv.includes('--check')) {
  const stale: string[] = []
  for (const [name, content] of Object.entries(files)) {
    const current = await readFile(join(folder, name), 'utf8').catch(() => '')
    if (current !== content) stale.push(`generated/${name}`)
  }
  if (stale.length > 0) {
    process.stderr.write(`Not what openapi.yaml makes: ${stale.join(', ')}. Run: npm run generate\n`)
    process.exitCode = 1
  }
} else {
  await mkdir(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
}

type Json = Record<string, unknown>
interface Parameter {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  schema: Json
}
interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Json }> }
}
interface Contract extends Json {
  paths: Record<string, Record<string, unknown>>
}

/** Resolves references to other files, so that `openapi.yaml` may be split without anything here noticing. */
async function bundle(...options: string[]): Promise<Contract> {
  const scratch = await mkdtemp(join(tmpdir(), 'watchword-bundle-'))
  try {
    const output = join(scratch, 'contract.json')
    await promisify(execFile)(
      process.execPath,
      [join(root, 'node_modules/.bin/redocly'), 'bundle', 'openapi.yaml', '--output', output, ...options],
      { cwd: root, env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    ).catch((error: { stderr?: string }) => {
      process.stderr.write(error.stderr ?? String(error))
      process.exit(1)
    })
    return JSON.parse(await readFile(output, 'utf8')) as Contract
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function types(document: Contract): Promise<string> {
  const nodes = await openapiTypescript(document as never, { alphabetize: false, immutable: true })
  return `/** ${notice} */\n\n${astToString(nodes)}`
}

/**
 * One validator for each operation, called with `{ path, header, requestBody }`. Header names are lower-case, as Node
 * gives them. The bundle needs no Ajv at run time.
 */
async function validators(document: Contract): Promise<Record<string, string>> {
  const ajv = new Ajv({
    allErrors: true,
    ownProperties: true,
    useDefaults: true,
    strict: true,
    allowUnionTypes: true,
    code: { source: true, esm: true, lines: true },
  })
  addFormats.default(ajv)
  ajv.addVocabulary(['example', 'xml', 'externalDocs', 'discriminator', 'x-statuses'])

  const names: Record<string, string> = {}
  for (const operation of operationsOf(document)) {
    ajv.addSchema(requestSchema(operation), operation.operationId)
    names[operation.operationId] = operation.operationId
  }

  const bundled = await build({
    stdin: { contents: standaloneCode.default(ajv, names), resolveDir: root, loader: 'js' },
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
  const declarations = Object.keys(names).map((id) => `export declare const ${id}: RequestValidator`)
  return {
    'validators.js': bundled.outputFiles[0]!.text,
    'validators.d.ts': [
      `// ${notice}`,
      "import type { ErrorObject } from 'ajv'",
      '',
      '/** Fills in defaults. When it answers false, `errors` holds every fault until the next call. */',
      'export interface RequestValidator {',
      '  (request: { path?: unknown; header?: unknown; requestBody?: unknown }): boolean',
      '  errors?: ErrorObject[] | null',
      '}',
      ...declarations,
      '',
    ].join('\n'),
  }
}

function operationsOf(document: Contract): Operation[] {
  return Object.values(document.paths)
    .flatMap((item) => Object.values(item) as Operation[])
    .filter((operation) => operation.operationId !== undefined)
}

function requestSchema(operation: Operation): Json {
  const parameters = operation.parameters ?? []
  const unsupported = parameters.find((parameter) => parameter.in !== 'path' && parameter.in !== 'header')
  if (unsupported) {
    throw new Error(
      `${operation.operationId}: ${unsupported.in} parameters are not validated yet; teach scripts/generate`,
    )
  }
  const properties: Record<string, Json> = {}
  for (const place of ['path', 'header']) {
    const members = parameters.filter((parameter) => parameter.in === place)
    if (members.length > 0) properties[place] = membersSchema(members)
  }
  const required = Object.keys(properties)
  const body = operation.requestBody?.content['application/json']?.schema
  if (body) {
    properties.requestBody = body
    if (operation.requestBody?.required) required.push('requestBody')
  }
  return { type: 'object', properties, required }
}

function membersSchema(members: Parameter[]): Json {
  const keyOf = (parameter: Parameter) => (parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name)
  return {
    type: 'object',
    properties: Object.fromEntries(members.map((parameter) => [keyOf(parameter), parameter.schema])),
    required: members.filter((parameter) => parameter.required).map(keyOf),
  }
}
