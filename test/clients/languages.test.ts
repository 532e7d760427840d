/**
 * Client teams that write no TypeScript: what generators from npm make of the contract for their languages compiles, and
 * works. What the machine has no language for is skipped, and its title says what is missing.
 */
import { statSync } from 'node:fs'
import { cp, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageOf } from '../support/docs.ts'
import { namedExamples } from './examples.ts'
import { clients, run } from './languages.ts'
import { expected } from './outcome.ts'
import { drivers, generate, openStage, type Stage, withVersion } from './stage.ts'

/** Rust's libraries are compiled from their source: half a minute where nothing else runs. */
const compileMs = 400_000

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

it('is named on the page for client teams: generator, language, version tried and repair', () => {
  const page = pageOf('docs/clients.md')
  for (const { generator, language, repair = '' } of clients) {
    expect(page).toContain(`| ${withVersion(generator)} | ${language} |`)
    expect(page).toContain(repair)
  }
})

const cases = clients.map((client) => {
  const missing = Object.keys(client.needs).filter((need) => !client.needs[need])
  const title = `${withVersion(client.generator)} in ${client.language}`
  return [missing.length > 0 ? `${title} (skipped: no ${missing.join(', no ')})` : title, client, missing] as const
})

describe.each(cases)('a client made by %s', (_, client, missing) => {
  let folder: string
  let start: string[]
  beforeAll(async () => {
    if (missing.length > 0) return
    folder = await mkdtemp(join(stage.scratch, 'team-'))
    const driver = join(drivers, client.driver)
    await cp(driver, statSync(driver).isDirectory() ? folder : join(folder, client.driver), { recursive: true })
    await client.before?.(folder)
    await generate(folder, ...client.command)
    if (client.repair) await run('sh', ['-c', client.repair], { cwd: folder })
    start = await client.compile(folder)
  }, compileMs)

  /** Starts the driver, and reads what it prints. */
  async function ask(command: string[], input = ''): Promise<unknown> {
    const [program = '', ...others] = start
    return JSON.parse(await run(program, [...others, ...command], { cwd: folder }, input))
  }

  it.skipIf(missing.length > 0)('reads every example of the contract into its types, and writes it again', async () => {
    const examples = namedExamples()
    expect(examples.length).toBeGreaterThan(90)
    const written = await ask(['echo'], JSON.stringify(examples))
    // More may be written than was read: the value that a request leaves to its default.
    expect(comparable(written)).toMatchObject(comparable(examples.map(({ value }) => value)) as object)
  })

  it.skipIf(missing.length > 0)(
    'verifies a phone, notifies it, and reads what was refused and why from the type of that status',
    async () => expect(await ask(['drive', stage.url, await stage.key()])).toEqual(expected),
  )

  it.skipIf(missing.length > 0)('hands on a code that came into the list after it was made', async () => {
    expect(await ask(['refusal', stage.newerUrl])).toBe('404 code_of_tomorrow')
  })
})

/** One way to write a time is as good as another, and leaving out what is null as good as writing it. */
function comparable(value: unknown): unknown {
  const isTime = /^\d{4}-\d\d-\d\dT/
  return JSON.parse(JSON.stringify(value), (_, part) => {
    if (typeof part === 'string' && isTime.test(part)) return new Date(part).toISOString()
    return part ?? undefined
  })
}
