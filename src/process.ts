/** What a process does: `serve` (the API, and the worker unless WORKER=off), `worker`, or `sandbox`. */
import { join } from 'node:path'
import { type App, createApp } from './app.ts'
import { type Config, loadConfig } from './config.ts'
import { explain } from './explain.ts'
import { createLogOutput } from './logOutput.ts'
import { describeError } from './runtime.ts'
import { visible } from './terminal.ts'

const usage = `Usage: main.ts [serve|worker|sandbox|simulate]
Only simulate takes options. All settings come from the environment: docs/operators.md lists them.
`
const [role = 'serve', ...others] = process.argv.slice(2)
if ([role, ...others].some((word) => word === '--help' || word === '-h')) {
  process.stdout.write(usage)
  process.exit(0)
}
if ((role !== 'serve' && role !== 'worker' && role !== 'sandbox') || others.length > 0) {
  process.stderr.write(usage)
  process.exit(2)
}

/** Milliseconds that a stop may take before the process ends as it is. */
const stopMs = 9500

// Somebody who read along has gone: no reason for others to lose the service.
process.stdout.on('error', () => {})

let started: App | undefined

try {
  const config = loadConfig(process.env, { role })
  const roles = { api: role !== 'worker', worker: config.workerInside }
  const logDestination = createLogOutput(process.stdout.fd, (lines) =>
    started?.log.warn({ lines }, 'lines of this log were lost: it was not read in time'),
  )
  process.on('exit', logDestination.end)
  const forPeople = role === 'sandbox' || (process.stdout.isTTY && config.database.kind === 'embedded')
  const app = await createApp(config, {
    logDestination,
    ...(forPeople && {
      onSandboxText: (phone: string, text: string) => process.stdout.write(`  [phone ${phone}] ${visible(text)}\n`),
    }),
  })
  started = app
  stopOnSignal(app)
  const ports = await app.listen(roles).catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  app.log.info({ role, ...ports, database: config.database.kind }, 'ready')
  logDestination.flush()
  if (forPeople) {
    process.stdout.write(`\n  Watchword listens on http://${config.host}:${ports.port}\n  ${keysOf(config)}\n\n`)
  }
} catch (error) {
  process.stderr.write(`${explain(error) ?? `Could not start: ${JSON.stringify(describeError(error))}`}\n`)
  process.exit(1)
}

function keysOf({ sandboxKey, dataDir }: Config): string {
  if (!sandboxKey) return `Your keys: ${join(dataDir, 'test-key')}, ${join(dataDir, 'live-key')}`
  return `The key of this sandbox, which forgets everything when it ends: ${sandboxKey}`
}

function stopOnSignal(app: App): void {
  const stop = () => {
    setTimeout(() => process.exit(1), stopMs).unref()
    app.close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}
