/** The process: `serve` (the API, and the worker unless WORKER=off) or `worker`. */
import { join } from 'node:path'
import { type App, createApp } from './app.ts'
import { ConfigError, loadConfig } from './config.ts'
import { explain } from './explain.ts'
import { createRuntime, describeError } from './runtime.ts'

const role = process.argv[2] ?? 'serve'
if (role !== 'serve' && role !== 'worker') {
  process.stderr.write(`Usage: main.ts [serve|worker], not "${role}"\n`)
  process.exit(2)
}

/** Milliseconds that a stop may take before the process ends as it is. */
const stopMs = 9500

try {
  const config = loadConfig(process.env, { needsSecret: true })
  if (role === 'worker' && config.database.kind !== 'postgres') {
    throw new ConfigError(['DATABASE_URL: must be set for a worker of its own; the embedded database has one process'])
  }
  const roles = { api: role === 'serve', worker: config.workerInside || role === 'worker' }
  const runtime = createRuntime(config.logLevel)
  const forPeople = process.stdout.isTTY && config.database.kind === 'embedded'
  const app = await createApp(
    { ...config, workerInside: roles.worker },
    {
      runtime,
      ...(forPeople && {
        onSandboxText: (phone: string, text: string) => process.stdout.write(`  [phone ${phone}] ${text}\n`),
      }),
    },
  )
  stopOnSignal(app)
  const ports = await app.listen(roles).catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  runtime.log.info({ role, ...ports, database: config.database.kind }, 'ready')
  if (forPeople) {
    process.stdout.write(
      `\n  Watchword listens on http://${config.host}:${ports.port}\n` +
        `  Your keys: ${join(config.dataDir, 'test-key')}, ${join(config.dataDir, 'live-key')}\n\n`,
    )
  }
} catch (error) {
  process.stderr.write(`${explain(error) ?? `Could not start: ${JSON.stringify(describeError(error))}`}\n`)
  process.exit(1)
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
