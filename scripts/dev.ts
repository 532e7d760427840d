/**
 * For those who change a contract or the code: watches both, and after each change has the service run as they are now.
 * What is wrong is printed with its place, and the service that ran before goes on. It is a sandbox on a PostgreSQL of its
 * own, so that what was sent is still there after a change, until the end.
 */
import { randomBytes } from 'node:crypto'
import { relative } from 'node:path'
import { watch } from 'chokidar'
import { endAfter, onStopSignal } from '../src/kit/stopping.ts'
import { temporaryPostgres } from '../test/support/postgres.ts'
import { createCommand } from './command.ts'
import { generate, writeGenerated } from './contract/generated.ts'
import { lint } from './contract/lint.ts'
import { contractFile, root } from './contract/redocly.ts'
import { describeFaults, type Operations, readOperations, toldOfRenames } from './dev/operations.ts'
import { missingScenarios, scenarioFiles } from './dev/scenarios.ts'
import { createSupervisor } from './dev/supervisor.ts'
import { createTypeCheck } from './dev/typeCheck.ts'
import { leash } from './leash.ts'

/** Milliseconds of silence after which a change is over: editors write a file in several steps. */
const settleMs = 40
/** Folders in which nothing is written by hand that the service is made of. */
const unwatched = /^(node_modules|generated|dist|coverage|test|scripts|\.\w+)(\/|$)/
/** Stands alone in the index of operations and does not compile until every operation has a handler. */
const completeness = 'operations satisfies Operations'

createCommand('dev', 'Runs a sandbox from the code, and starts it again after each change.').parse()
leash()
onStopSignal(() => endAfter(close, undefined))
// A terminal that has gone takes no line any more; SIGHUP says so, too.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const postgres = temporaryPostgres('dev', ['fsync=off'], { hasOwnEnd: true })
const typeCheck = createTypeCheck()
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

/** The operations of the service that runs. */
let live: Operations | undefined
/** Whether that is the service as it is now. */
let isServed = false
/** Whether every answer of it was looked up among the scenarios. */
let isPlayed = false
/** Whether one had none when that was looked up last. */
let wasMissed = false
/** Ends what is looked at while the service runs: it has changed again. */
let further = new AbortController()

const watcher = watch('.', {
  cwd: root,
  ignoreInitial: true,
  ignored: (path) => {
    const name = relative(root, path)
    return unwatched.test(name) && !scenarioFiles.some((file) => `${file}/`.startsWith(`${name}/`))
  },
})
watcher.on('all', (_event, path) => {
  // The contract may refer to other files; the rules of its lint stand in one too.
  if (!path.endsWith('.yaml') && !path.startsWith('src/') && !scenarioFiles.includes(path)) return
  changed.add(path)
  further.abort()
  clearTimeout(timer)
  timer = setTimeout(work, settleMs)
})
postgres.catch((error: Error) => {
  complain(error.message)
  process.exit(1)
})
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
  if (paths.some((path) => path.endsWith('.yaml'))) isGenerated = false
  if (paths.some((path) => path.endsWith('.yaml') || scenarioFiles.includes(path))) isPlayed = false
  if (paths.some((path) => !scenarioFiles.includes(path))) isServed = await serve()
  if (isServed) await lookFurther()
}

/** @returns whether the service runs as it is now */
async function serve(): Promise<boolean> {
  const startedAt = performance.now()
  isGenerated ||= await regenerate()
  if (!isGenerated) return false
  const { prepare, promote, stop } = await supervisor
  // The service starts in its own process while this one is busy with the types.
  const preparing = prepare().catch((error: Error) => error)
  const faults = typeCheck.first()
  const operations = await readOperations()
  const gone = toldOfRenames(live ?? operations, operations)
  const failures = faults.filter(({ source }) => source.trim() !== completeness)
  const candidate = await preparing
  if (failures.length > 0 || candidate instanceof Error) {
    if (!(candidate instanceof Error)) await stop(candidate)
    // What does not start for the same reason need not say so too.
    else if (failures.length === 0) complain(candidate.message)
    if (failures.length > 0) complain(describeFaults(failures, operations, gone).join('\n'))
    return false
  }
  const { url, key, opsPort } = await promote(candidate)
  for (const id of candidate.unhandled) {
    const { place, folder } = operations.get(id)!
    say(`${place} ${id} has no handler in ${folder}/index.ts yet: answered from its examples.`)
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  say(`Ready in ${seconds} s: ${url}, reference ${url}/docs, operations port ${opsPort}, key ${key}`)
  live = operations
  return true
}

/** What takes longer than the service should wait for. Ends when there is another change. */
async function lookFurther(): Promise<void> {
  further = new AbortController()
  const { signal } = further
  const [faults, missing] = await Promise.all([
    typeCheck.rest(() => signal.aborted),
    isPlayed ? undefined : missingScenarios(signal).catch((error: Error) => [`${scenarioFiles[0]} ${error.message}`]),
  ])
  if (signal.aborted) return
  if (missing) {
    isPlayed = true
    if (missing.length === 0 && wasMissed) say('Every answer that the contract documents has a scenario.')
    wasMissed = missing.length > 0
  }
  const lines = [...describeFaults(faults, live ?? new Map(), new Map()), ...(missing ?? [])]
  if (lines.length > 0) say(`The service runs, but this is wrong:\n${lines.join('\n').replaceAll(/^/gm, '  ')}`)
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

function say(text: string): void {
  process.stdout.write(`[dev] ${text}\n`)
}

function complain(text: string): void {
  process.stdout.write(
    `[dev] This cannot run; what ran before goes on, if anything did.\n${text.replaceAll(/^/gm, '  ')}\n`,
  )
}

async function close(): Promise<void> {
  further.abort()
  await watcher.close()
  clearTimeout(timer)
  changed.clear()
  await working
  await supervisor.then((own) => own.close()).catch(() => {})
  await postgres.then((server) => server.stop()).catch(() => {})
}
