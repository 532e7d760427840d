/** Client teams: what their generators make of the contract compiles, lets no mistake pass, and works. */
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../scripts/contract/redocly.ts'
import { type ContractEvent, eventTypes, listEventExamples } from '../../src/contract/event.ts'
import { allBlocksOf, blocksOf, pageOf } from '../support/docs.ts'
import { expected, type Outcome } from './outcome.ts'
import { drivers, generate, openStage, type Stage, withVersion } from './stage.ts'

interface Generator {
  packages: string[]
  driver: string
  /** Run beside the driver; both forms of the contract lie in the folder above. */
  command: [tool: string, ...options: string[]]
  /** Files that the command reads. */
  files?: string[]
  /** What its code needs of a compiler that is otherwise set as strictly as the service's. */
  compiler?: ts.CompilerOptions
}

/** `BodyInit`, `HeadersInit` and `document` are names of the browser's, not of Node's. */
const withDom: ts.CompilerOptions = { lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'] }

const generators: Generator[] = [
  {
    packages: ['openapi-typescript', 'openapi-fetch'],
    driver: 'openapi-typescript.ts',
    // Without the flag, a request has to give every field that has a default.
    command: ['openapi-typescript', '../openapi.json', '--default-non-nullable=false', '-o', 'generated/types.ts'],
  },
  {
    packages: ['@hey-api/openapi-ts'],
    driver: 'hey-api.ts',
    command: ['openapi-ts', '-i', '../openapi.json', '-o', 'generated', '--no-log-file'],
    // The fetch client that it copies beside the types does not keep to that option: hey-api/hey-api#2363.
    compiler: { ...withDom, exactOptionalPropertyTypes: false },
  },
  {
    packages: ['@redocly/cli'],
    driver: 'redocly.ts',
    command: ['redocly', 'generate-client', '../openapi.json', '-o', 'generated/client.ts', '--error-mode', 'result'],
    compiler: withDom,
  },
  {
    packages: ['orval'],
    driver: 'orval.ts',
    command: ['orval', '--config', 'orval.config.js'],
    files: ['orval.config.js'],
  },
  {
    packages: ['oazapfts', '@oazapfts/runtime'],
    driver: 'oazapfts.ts',
    // Without the flag, it leaves out the form of any error, and the events.
    command: ['oazapfts', '../openapi.json', 'generated/client.ts', '--allSchemas'],
    compiler: { ...withDom, exactOptionalPropertyTypes: false },
  },
  {
    packages: ['swagger-typescript-api'],
    driver: 'swagger-typescript-api.ts',
    // Thrown, errors have no type.
    command: [
      ...(['swagger-typescript-api', 'generate', '--path', '../openapi.json'] as const),
      ...['--output', 'generated', '--name', 'client.ts', '--enum-style', 'union', '--disable-throw-on-error'],
    ],
    compiler: withDom,
  },
  {
    packages: ['@kubb/cli', '@kubb/plugin-client'],
    driver: 'kubb.ts',
    command: ['kubb', 'generate', '--config', 'kubb.config.js'],
    files: ['kubb.config.js', 'kubb.client.ts'],
  },
]

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const cases = generators.map((generator) => [generator.packages.map(withVersion).join(' and '), generator] as const)

it('is what the page for client teams names: each generator, at the version that is tried here', () => {
  const page = pageOf('docs/clients.md')
  for (const [title] of cases) expect(page).toContain(`| ${title} |`)
})

it('reads the files that the page shows, with the contract from a file', () => {
  const shown = (file: string) => {
    const [, ...code] = read(file).split(' */\n')
    return code.join(' */\n').replace('../openapi.json', 'http://127.0.0.1:3000/openapi.json').trim()
  }
  const page = pageOf('docs/clients.md')
  expect(blocksOf('js', page)).toEqual(['orval.config.js', 'kubb.config.js'].map(shown))
  expect(blocksOf('ts', page)).toContain(shown('kubb.client.ts'))
  const shownWith = (name: string) => allBlocksOf(page).find(({ text }) => text.includes(name))!.text
  expect(read('swagger-typescript-api.ts')).toContain(shownWith('settle'))
  expect(read('openapi-generator.py')).toContain(shownWith('client_side_validation').replace('watchword.', 'w.'))
})

describe.each(cases)('a client made by %s', (_, { driver, command, files = [], compiler = {} }) => {
  let folder: string
  let faults: Fault[]
  beforeAll(async () => {
    folder = await mkdtemp(join(stage.scratch, 'team-'))
    for (const file of [driver, ...files]) await cp(join(drivers, file), join(folder, file))
    await writeFile(join(folder, 'unguarded.ts'), read(driver).replaceAll(guard, 'refused'))
    // Not all of them make it.
    await mkdir(join(folder, 'generated'))
    await generate(folder, ...command)
    faults = compile(folder, compiler)
  })

  async function load(): Promise<Driver> {
    const outfile = join(folder, 'driver.js')
    await build({ entryPoints: [join(folder, driver)], outfile, bundle: true, format: 'esm', platform: 'node' })
    return import(pathToFileURL(outfile).href)
  }

  it('compiles under strict settings, with the code that calls it', () => {
    expect(faults.filter(({ file }) => file !== 'unguarded.ts').map(({ text }) => text)).toEqual([])
  })

  it('lets its callers neither use what the contract does not have nor overlook a refusal', () => {
    const lines = read(driver).split('\n')
    const mistakes = lines.filter((_, i) => lines[i - 1]?.includes(guard)).map((line) => line.trim())
    expect(mistakes).toHaveLength(8)
    expect(faults.filter(({ file }) => file === 'unguarded.ts').map(({ line }) => line)).toEqual(mistakes)
  })

  it('tells every event by its type, in its own types', async () => {
    const { tell } = await load()
    const told = Object.fromEntries(eventTypes.map((type) => [type, tell(listEventExamples(type)[0]!)]))
    const request = 'req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6'
    expect(told).toEqual({
      ...Object.fromEntries(eventTypes.map((type) => [type, request])),
      'verification.blocked': 'prefix-hour',
      'budget.reached': 'all',
      'message.failed': 'not_on_channel',
      'phone.opted_out': 'rcp_5d41402abc4b2a76b971',
      'phone.opted_in': 'rcp_5d41402abc4b2a76b971',
      'template.unusable': 'paused',
      'endpoint.disabled': 'ep_01KAJ0R6W8Z3T5V7X9Y1B2C4D6',
    })
  })

  it('verifies a phone, notifies it, and reads in its own types what was refused and why', async () => {
    const { drive } = await load()
    expect(await drive(stage.url, await stage.key())).toEqual(expected)
  })

  it('hands on a code that came into the list after it was made, with the status to go by', async () => {
    const { refusal } = await load()
    expect(await refusal(stage.newerUrl)).toBe('404 code_of_tomorrow')
  })
})

/** Stands above every mistake in a driver. */
const guard = '@ts-expect-error'

function read(driver: string): string {
  return readFileSync(join(drivers, driver), 'utf8')
}

interface Driver {
  drive: (url: string, key: string) => Promise<Outcome>
  refusal: (url: string) => Promise<string>
  tell: (event: ContractEvent) => string
}

interface Fault {
  file: string
  /** The source that is at fault. */
  line: string
  text: string
}

/** All of a folder, what was generated included. */
function compile(folder: string, changes: ts.CompilerOptions): Fault[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const rootNames = sources.map((file) => join(folder, file))
  const program = ts.createProgram({ rootNames, options: { ...options, ...changes } })
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, '\n')
    if (!file) return { file: '', line: '', text }
    const name = relative(folder, file.fileName)
    const { line } = file.getLineAndCharacterOfPosition(start)
    return { file: name, line: file.text.split('\n')[line]!.trim(), text: `${name}:${line + 1}: ${text}` }
  })
}
