/** Which answers of the contracts have no scenario, and which scenarios no answer. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suggestion } from '../contract/nearest.ts'
import { root } from '../contract/redocly.ts'

/** Where the scenarios of a contract stand, and the function that lists them. */
interface Played {
  contract: string
  file: string
  list: string
}

const contracts: readonly Played[] = [
  { contract: 'generated/contract.json', file: 'test/contract/scenarios.ts', list: 'namedScenarios' },
  {
    contract: 'generated/twilio-verify/contract.json',
    file: 'test/contract/twilioScenarios.ts',
    list: 'namedTwilioScenarios',
  },
]
/** With the one that they take scenarios from. */
export const scenarioFiles: readonly string[] = [
  ...contracts.map(({ file }) => file),
  'scripts/conformance/scenarios.ts',
]

/** Run in a process of its own, because it is loaded again each time. */
const lists = `
const names = []
for (const { file, list } of ${JSON.stringify(contracts)})
  names.push([...(await import(${JSON.stringify(`${root}/`)} + file))[list]().keys()])
process.stdout.write(JSON.stringify(names), () => process.exit())`

/**
 * @param signal ends it, when nobody wants to know any more
 * @returns a line for each
 */
export async function missingScenarios(signal: AbortSignal): Promise<string[]> {
  const options = ['--import', join(root, 'src/loading.js'), '--input-type=module', '--eval', lists]
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: root, signal })
  const played = JSON.parse(stdout) as string[][]
  const documented = await Promise.all(contracts.map(({ contract }) => documentedAnswers(contract)))
  return contracts.flatMap(({ file }, index) => differences(file, documented[index]!, played[index]!))
}

function differences(file: string, documented: string[], played: string[]): string[] {
  const missing = documented.filter((name) => !played.includes(name))
  const strange = played.filter((name) => !documented.includes(name))
  return [
    ...[...Map.groupBy(missing, operationIdOf)].flatMap(([id, names]) =>
      // One that is new has none yet, and need not be told of each.
      played.some((name) => operationIdOf(name) === id)
        ? names.map((name) => `${file} has no scenario for ${name}, which the contract documents`)
        : [`${file} has no scenarios for ${id}`],
    ),
    ...strange.map((name) => `${file} has ${name}, which the contract does not document${suggestion(name, missing)}`),
  ]
}

function operationIdOf(name: string): string {
  return name.split(' ', 1)[0]!
}

/** As scenarios are called: operationId, status, example. */
async function documentedAnswers(contract: string): Promise<string[]> {
  const { paths, components } = JSON.parse(await readFile(join(root, contract), 'utf8')) as Documented
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
