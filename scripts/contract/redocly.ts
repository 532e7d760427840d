/** Runs Redocly on the contract: to resolve its references, and to look at it. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inOpenApi30, isTextOf30 } from './openapi31.ts'

export const root = join(import.meta.dirname, '../..')
export const contractFile = 'openapi.yaml'
/** The wire of Twilio Verify. */
export const twilioContractFile = 'twilio-verify.yaml'
/** Every contract that is written by hand. */
export const contractFiles = [contractFile, twilioContractFile]

/** For a contract of somebody else's, which may be made to take for ever. */
const minutesMax = 5

export interface Ran {
  code: number
  /** What it found. */
  output: string
  /** What it says beside that. */
  errors: string
}

export function redocly(command: string, ...options: string[]): Promise<Ran> {
  const bin = join(root, 'node_modules/.bin/redocly')
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    // It is run again and again, and would be compiled again each time.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/redocly'),
  }
  return new Promise((resolve) => {
    const settings = { cwd: root, env, maxBuffer: 64 * 1024 * 1024, timeout: minutesMax * 60_000 }
    execFile(process.execPath, [bin, command, ...options], settings, (error, output, errors) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output, errors }),
    )
  })
}

type Json = Record<string, unknown>

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  schema: Json
  example?: unknown
}

type Examples = Record<string, { summary: string; value: unknown }>

export interface Operation {
  operationId: string
  summary: string
  'x-required-scope': string
  'x-max-body-bytes'?: number
  security?: object[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Json; examples: Examples }> }
  responses: Record<string, Response>
}

export interface Response {
  headers?: Record<string, { required?: boolean; schema: Json }>
  content: Record<string, { schema: Json; examples: Examples }>
}

/** What the service sends to others. */
export interface Webhook {
  summary: string
  parameters: Parameter[]
  requestBody: { content: Response['content'] }
}

export interface Contract extends Json {
  security?: object[]
  'x-max-body-bytes': number
  'x-max-event-bytes'?: number
  /** The schema of an error that answers no operation. */
  'x-error-response': Json
  /** By the type of the event. */
  'x-webhooks'?: Record<string, { post: Webhook }>
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; parameters?: Record<string, Parameter> }
}

/** The contract could not be read. Its message is for the person who wrote it. */
export class ContractFault extends Error {
  override readonly name = 'ContractFault'
}

/**
 * The contract in one document, the same from however many files it is put together and whichever OpenAPI it is written in:
 * OpenAPI 3.0, with components in the order of their use.
 *
 * @param options.dereferenced puts a copy of what it names in the place of every reference
 * @param options.file another contract than the one of this checkout
 * @throws ContractFault
 */
export async function bundle({ dereferenced = false, file = contractFile } = {}): Promise<Contract> {
  const scratch = await mkdtemp(join(tmpdir(), 'watchword-bundle-'))
  const read = async (from: string, ...options: string[]): Promise<Contract> => {
    const output = join(scratch, 'contract.json')
    const { code, errors } = await redocly('bundle', from, '--output', output, ...options)
    if (code !== 0) throw new ContractFault(errors)
    return JSON.parse(await readFile(output, 'utf8'))
  }
  // To run Redocly takes a second: twice only where it must.
  const dereference = async (): Promise<Contract> => {
    // What cannot be read, Redocly tells.
    if (isTextOf30(await readFile(resolve(root, file), 'utf8').catch(() => ''))) return read(file, '--dereferenced')
    const bundled = join(scratch, 'bundled.json')
    await writeFile(bundled, JSON.stringify(inOpenApi30(await read(file))))
    return read(bundled, '--dereferenced')
  }
  try {
    const contract = await (dereferenced ? dereference() : read(file).then(inOpenApi30))
    return { ...contract, components: byUse(contract) }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Its components in the order in which the paths come to them first, and then, by name, those that no path comes to. */
function byUse({ components, ...rest }: Contract): Contract['components'] {
  const sections = components as Record<string, Record<string, unknown>>
  const ordered: typeof sections = {}
  const add = (section: string, name: string) => {
    const component = sections[section]?.[name]
    ordered[section] ??= {}
    const names = ordered[section]
    if (component === undefined || name in names) return
    names[name] = component
    visit(component)
  }
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { $ref } = value as Json
    const [, section, name] = (typeof $ref === 'string' && /^#\/components\/(\w+)\/(.+)$/.exec($ref)) || []
    if (section !== undefined && name !== undefined) add(section, name)
    Object.values(value).forEach(visit)
  }
  visit(rest)
  for (const section of Object.keys(sections).toSorted()) {
    for (const name of Object.keys(sections[section]!).toSorted()) add(section, name)
  }
  return ordered as unknown as Contract['components']
}

/** Every operation, in the contract's order. */
export function listOperations({ paths }: Contract): (Operation & { method: string; path: string })[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, operation]) => ({ ...operation, method, path })),
  )
}

/** Every event, in the contract's order. */
export function eventsOf({ 'x-webhooks': webhooks = {} }: Contract): { type: string; webhook: Webhook }[] {
  return Object.entries(webhooks).map(([type, { post }]) => ({ type, webhook: post }))
}
