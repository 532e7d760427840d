/** What is made of the contracts: everything in `generated/`, and the tables of the README and of `docs/` that repeat it. */
import { globSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { upgrade } from '@scalar/openapi-upgrader'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { asAnswered, asRequested } from './directions.ts'
import { makeEvents } from './events.ts'
import { withExclusiveBounds } from './exclusiveBounds.ts'
import {
  bundle,
  type Contract,
  contractFile,
  listOperations,
  type Parameter,
  root,
  twilioContractFile,
} from './redocly.ts'
import { makeReplies } from './replies.ts'
import { readStories, storiesFile } from './stories.ts'
import { fillTables } from './tables.ts'
import { makeValidators } from './validators.ts'
import type { Json } from './walk.ts'

const noticeOf = (file: string) => `Made from ${file} by \`npm run generate\`. Do not edit.`

/**
 * The text of each file, by its path.
 *
 * @throws ContractFault
 */
export async function generate(): Promise<Record<string, string>> {
  const [own, twilio] = await Promise.all([read(contractFile), read(twilioContractFile)])
  const notice = noticeOf(contractFile)
  const events = await makeEvents(own.dereferenced, notice)
  const files = {
    ...(await makeFiles('generated', own)),
    ...(await makeFiles('generated/twilio-verify', twilio)),
    'generated/contract.3.1.json': json({ 'x-generated': notice, ...upgraded(own.contract) }),
    'generated/stories.json': json({ 'x-generated': noticeOf(storiesFile), stories: await readStories() }),
    'generated/events.js': events.js,
    'generated/events.d.ts': events.dts,
  }
  // Last, because people write in it too.
  return { ...files, ...fillTables(await readPages(), own.dereferenced) }
}

interface Read {
  file: string
  contract: Contract
  dereferenced: Contract
}

async function read(file: string): Promise<Read> {
  const [contract, dereferenced] = await Promise.all([bundle({ file }), bundle({ file, dereferenced: true })])
  return { file, contract, dereferenced: withExclusiveBounds(dereferenced) }
}

/** What the service needs of any contract. */
async function makeFiles(folder: string, { file, contract, dereferenced }: Read): Promise<Record<string, string>> {
  const notice = noticeOf(file)
  const validators = await makeValidators(dereferenced, notice)
  const replies = await makeReplies(dereferenced, notice)
  return {
    [`${folder}/contract.json`]: json({ 'x-generated': notice, ...contract }),
    [`${folder}/types.ts`]: await types(withSides(contract, dereferenced), notice),
    [`${folder}/validators.js`]: validators.js,
    [`${folder}/validators.d.ts`]: validators.dts,
    [`${folder}/replies.js`]: replies.js,
    [`${folder}/replies.d.ts`]: replies.dts,
  }
}

/** The text of the README and of each page of `docs/`, by its path. */
async function readPages(): Promise<Record<string, string>> {
  const paths = ['README.md', ...globSync('docs/*.md', { cwd: root })]
  const texts = await Promise.all(paths.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const))
  return Object.fromEntries(texts)
}

/** The files that are not what the contracts make. */
export async function staleFiles(files: Record<string, string>): Promise<string[]> {
  const current = await Promise.all(
    Object.keys(files).map((path) => readFile(join(root, path), 'utf8').catch(() => '')),
  )
  return Object.keys(files).filter((path, index) => files[path] !== current[index])
}

/** Writes what has changed, and leaves alone what has not: others watch these files. */
export async function writeGenerated(files: Record<string, string>): Promise<void> {
  for (const path of await staleFiles(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), files[path]!)
  }
}

/** The same contract as OpenAPI 3.1, which has a place of its own for events: `webhooks`. */
export function upgraded(contract: Contract): object {
  return withConstants(upgrade(structuredClone(contract) as never, '3.1'))
}

/**
 * What is always the same as a constant, which 3.0 does not have: some generators tell an error only by these. And all examples of a
 * schema, of which 3.0 has one.
 */
function withConstants<Node>(node: Node): Node {
  if (typeof node !== 'object' || node === null) return node
  for (const child of Object.values(node)) withConstants(child)
  const isWhole = 'type' in node && !('x-may-grow' in node)
  if (isWhole && 'enum' in node && Array.isArray(node.enum) && node.enum.length === 1) {
    Object.assign(node, { const: node.enum[0] })
    delete node.enum
  }
  if ('x-examples' in node) {
    Object.assign(node, { examples: node['x-examples'] })
    delete node['x-examples']
  }
  if ('x-always' in node) {
    Object.assign(node, { const: node['x-always'] })
    delete node['x-always']
  }
  return node
}

async function types(contract: Contract, notice: string): Promise<string> {
  const nodes = await openapiTypescript(withDefaultsFilledIn(contract) as never, {
    alphabetize: false,
    immutable: true,
  })
  return `/** ${notice} */\n\n${astToString(nodes)}`
}

/** As handlers see it: a body is without what answers alone have, and an answer without what requests alone have. */
function withSides(contract: Contract, dereferenced: Contract): Contract {
  const copy = structuredClone(contract)
  const whole = listOperations(dereferenced)
  for (const [index, { requestBody, responses }] of listOperations(copy).entries()) {
    keepSide(requestBody, whole[index]!.requestBody, asRequested)
    for (const [status, response] of Object.entries(responses))
      keepSide(response, whole[index]!.responses[status], asAnswered)
  }
  return copy
}

interface Documented {
  $ref?: string
  content?: Record<string, { schema: Json }>
}

/** What has nothing of the other side keeps its name. */
function keepSide(
  documented: Documented | undefined,
  whole: Documented | undefined,
  sideOf: (schema: Json) => Json,
): void {
  const own = Object.entries(whole?.content ?? {}).map(
    ([type, { schema }]) => [type, { schema: sideOf(schema) }] as const,
  )
  if (!documented || own.every(([type, { schema }]) => isDeepStrictEqual(schema, whole!.content![type]!.schema))) return
  Object.assign(documented, whole, { content: Object.fromEntries(own) })
  delete documented.$ref
}

/** As handlers see it: a parameter that has a default is always there. */
function withDefaultsFilledIn(contract: Contract): Contract {
  const copy = structuredClone(contract)
  const shared = Object.values(copy.components.parameters ?? {})
  for (const parameter of [...listOperations(copy).flatMap(({ parameters = [] }) => parameters), ...shared])
    if (parameter.schema && 'default' in resolveSchema(parameter, copy)) parameter.required = true
  return copy
}

/** Behind the reference, if it is one. */
function resolveSchema({ schema }: Parameter, { components: { schemas } }: Contract): object {
  const name = typeof schema.$ref === 'string' && schema.$ref.split('/').at(-1)
  return (name && schemas[name]) || schema
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
