/** The programs of `docs/clients.md` that send to many, run as they stand there, against the service; and killed. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import openapiTypes, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../src/contract/document.ts'
import { blocksOf, sectionOf } from '../support/docs.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const root = join(import.meta.dirname, '../..')
const [, section = ''] = sectionOf('docs/clients.md', 'Notifications').split('\n### Sending to many\n')
const [clientText] = blocksOf('ts', sectionOf('docs/clients.md', 'A client that does not give up'))
const programs = { 'mailing.ts': blocksOf('ts', section)[0], 'mailing.py': blocksOf('python', section)[0] }
const [exampleLine] = blocksOf('json', section)
const hasPython = await promisify(execFile)('python3', ['--version']).then(
  () => true,
  () => false,
)

let folder: string
let server: TestServer
let key: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-mailing-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const types = await openapiTypes(JSON.stringify(contract), { defaultNonNullable: false })
  await writeFile(join(folder, 'watchword.ts'), astToString(types))
  await writeFile(join(folder, 'client.ts'), `${clientText}\n`)
  for (const [name, program] of Object.entries(programs)) await writeFile(join(folder, name), `${program}\n`)
  server = await startServer({ config: { keyRatePerSecond: 100_000, keyBurst: 100_000 } })
  key = await server.key({ mode: 'live' })
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Lines as the page has them, each to a phone of its own. */
const linesTo = (phones: readonly string[]) =>
  phones.map((phone, index) => JSON.stringify({ ...JSON.parse(exampleLine!), id: `customer-${index}`, phone }))

interface Mailing {
  program: string
  name: string
  apiKey?: string
  perSecond?: number
}

function start({ program, name, apiKey = key, perSecond = 100_000 }: Mailing): ChildProcess {
  const [command, ...options] = program.endsWith('.py') ? ['python3'] : [process.execPath, '--no-warnings']
  const env = { ...process.env, WATCHWORD_URL: server.url, WATCHWORD_API_KEY: apiKey, PER_SECOND: String(perSecond) }
  return spawn(command!, [...options, program, name, `${name}.jsonl`], { cwd: folder, env })
}

async function run(mailing: Mailing): Promise<{ code: number; errors: string }> {
  const child = start(mailing)
  child.stdout!.resume()
  const [errors, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')])
  return { code: code as number, errors }
}

const answersOf = async (name: string): Promise<string[]> => {
  const answers = await readFile(join(folder, `${name}.jsonl.${name}.answers`), 'utf8').catch(() => '')
  return answers.split('\n').filter(Boolean)
}

/** Starts it, and kills it as soon as it has written so many lines: others are on their way then. */
async function killAt(mailing: Mailing, lines: number): Promise<void> {
  const child = start(mailing)
  for (const stream of [child.stdout!, child.stderr!]) stream.resume()
  const ended = once(child, 'close')
  await expect.poll(async () => (await answersOf(mailing.name)).length).toBeGreaterThanOrEqual(lines)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
}

/** How many messages each of the phones has, by how many phones have so many. */
async function sentTo(phones: readonly string[]): Promise<Record<string, number>> {
  const rows = await server.query<{ phone: string; count: number }>(sql`
    select phone, count(*)::int as count from message where phone in (select jsonb_array_elements_text(${JSON.stringify(phones)}::jsonb)) group by 1`)
  return Object.fromEntries(
    Map.groupBy(rows, ({ count }) => count)
      .entries()
      .map(([count, of]) => [count, of.length]),
  )
}

it('the program of the page in TypeScript compiles under strict settings', () => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  const program = ts.createProgram({ rootNames: [join(folder, 'mailing.ts')], options })
  const found = ts.getPreEmitDiagnostics(program)
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
})

describe.each([
  ['mailing.ts', 5000],
  ['mailing.py', 500],
])('the program %s of the page', (program, recipients) => {
  const isHere = program.endsWith('.ts') || hasPython
  it.skipIf(!isHere)(`sends each of ${recipients} recipients one message, though it is killed twice`, async () => {
    const phones = Array.from({ length: recipients }, () => newPhone())
    const name = `sale-${program}`
    await writeFile(join(folder, `${name}.jsonl`), `${linesTo(phones).join('\n')}\n`)
    await killAt({ program, name }, recipients / 4)
    await killAt({ program, name }, recipients / 2)
    expect(await sentTo(phones)).not.toEqual({ 1: recipients })
    expect(await run({ program, name })).toMatchObject({ code: 0, errors: '' })
    expect(await sentTo(phones)).toEqual({ 1: recipients })
    expect(new Set((await answersOf(name)).map((line) => line.split(' ')[0])).size).toBe(recipients)
  })

  it.skipIf(!isHere)('writes down who was refused, and asks no more for them', async () => {
    const [gone, there] = [newPhone(), newPhone()]
    await server.live.post('/v1/opt-outs/add', { phone: gone })
    const name = `refused-${program}`
    await writeFile(join(folder, `${name}.jsonl`), linesTo([gone, '+14155', there]).join('\n'))
    for (let round = 0; round < 2; round++) {
      expect(await run({ program, name })).toMatchObject({ code: 0 })
      const answers = await answersOf(name)
      expect(answers.toSorted()).toEqual([
        'customer-0 opted_out',
        'customer-1 invalid_phone',
        expect.stringMatching(/^customer-2 req_/),
      ])
    }
  })

  it.skipIf(!isHere)('ends with code and trace where no recipient would get it, and goes on from there', async () => {
    const phones = Array.from({ length: 20 }, () => newPhone())
    const name = program.replace('.', '_')
    await writeFile(join(folder, `${name}.jsonl`), linesTo(phones).join('\n').replaceAll('"welcome"', `"${name}"`))
    const { code, errors } = await run({ program, name })
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/unknown_template, trace [0-9a-f]{32}: This account has no/),
    ])
    expect((await answersOf(name)).every((line) => line.endsWith(' unknown_template'))).toBe(true)
    const { id } = await server.app.accounts.require('default')
    await server.app.templates.apply(id, [{ slug: name, text: 'Hello {{name}}' }])
    // Others were refused as well, while the program ended.
    for (let round = 0; (await run({ program, name })).code !== 0; round++) expect(round).toBeLessThan(10)
    expect(await sentTo(phones)).toEqual({ 1: phones.length })
  })
})
