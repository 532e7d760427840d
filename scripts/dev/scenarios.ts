/** Which answers of the contract have no scenario in `test/contract/scenarios.ts`, and which scenarios no answer. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suggestion } from '../contract/nearest.ts'
import { root } from '../contract/redocly.ts'

const scenariosFile = 'test/contract/scenarios.ts'
/** With the one that it takes scenarios from. */
export const scenarioFiles: readonly string[] = [scenariosFile, 'scripts/conformance/scenarios.ts']

/** Run in a process of its own, because it is loaded anew each time. */
const list = `
const { namedScenarios } = await import(${JSON.stringify(join(root, scenariosFile))})
process.stdout.write(JSON.stringify([...namedScenarios().keys()]), () => process.exit())`

/**
 * @param signal ends it, when nobody wants to know any more
 * @returns a line for each
 */
export async function missingScenarios(signal: AbortSignal): Promise<string[]> {
  const documented = await documentedAnswers()
  const options = ['--import', join(root, 'src/loading.js'), '--input-type=module', '--eval', list]
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: root, signal })
  const played = JSON.parse(stdout) as string[]
  const missing = documented.filter((name) => !played.includes(name))
  const strange = played.filter((name) => !documented.includes(name))
  return [
    ...[...Map.groupBy(missing, operationIdOf)].flatMap(([id, names]) =>
      // One that is new has none yet, and need not be told of each.
      played.some((name) => operationIdOf(name) === id)
        ? names.map((name) => `${scenariosFile} has no scenario for ${name}, which the contract documents`)
        : [`${scenariosFile} has no scenarios for ${id}`],
    ),
    ...strange.map(
      (name) => `${scenariosFile} has ${name}, which the contract does not document${suggestion(name, missing)}`,
    ),
  ]
}

function operationIdOf(name: string): string {
  return name.split(' ', 1)[0]!
}

/** As scenarios are called: operationId, status, example. */
async function documentedAnswers(): Promise<string[]> {
  const { paths, components } = JSON.parse(await readFile(join(root, 'generated/contract.json'), 'utf8')) as Documented
  return Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, response]) => {
        const { content } = '$ref' in response ? components.responses[response.$ref.split('/').at(-1)!]! : response
        return Object.keys(content['application/json'].examples).map((example) => `${operationId} ${status} ${example}`)
      }),
    )
}

interface Documented {
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, DocumentedAnswer | Reference> }>
  >
  components: { responses: Record<string, DocumentedAnswer> }
}

interface DocumentedAnswer {
  content: { 'application/json': { examples: object } }
}

interface Reference {
  $ref: string
}
