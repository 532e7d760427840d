/** What a process does: `serve` (the API, and the worker unless WORKER=off), `worker`, or `sandbox`. */
import cluster from 'node:cluster'
import { constants, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import type { Ports } from '../app/app.ts'
import { dashboardUrlOf, formatGreeting, formatUrl, logFirstInvitation } from '../app/greeting.ts'
import { ownCommand } from '../kit/ownCommand.ts'
import { describeError, type Log } from '../kit/runtime.ts'
import { endOnSignal } from '../kit/stopping.ts'
import { visible } from '../kit/terminal.ts'
import { type Config, loadConfig } from '../settings/config.ts'
import { explain } from './explain.ts'
import { createLogOutput, type LogOutput } from './logOutput.ts'
import type { ProcessParts } from './processParts.ts'
import { giveBackMemory } from './startMemory.ts'

const usage = `Usage: ${ownCommand.process} [serve|worker|sandbox|simulate]
Only simulate takes options; --version tells the version. All settings come from the environment: docs/operators.md lists them.
`
const [role = 'serve', ...others] = process.argv.slice(2)
if ([role, ...others].some((word) => word === '--help' || word === '-h')) {
  process.stdout.write(usage)
  process.exit(0)
}
if (role === '--version' && others.length === 0) {
  process.stdout.write(`${manifest.version}\n`)
  process.exit(0)
}
if ((role !== 'serve' && role !== 'worker' && role !== 'sandbox') || others.length > 0) {
  process.stderr.write(usage)
  process.exit(2)
}

// Whoever reads the output may close it: no reason for others to lose the service.
process.stdout.on('error', () => {})

let log: Log | undefined

try {
  const config = loadConfig(process.env, { role })
  const roles = { api: role !== 'worker', worker: config.workerInside }
  const output = await openOutput(config)
  process.on('exit', output.end)
  const forPeople = role === 'sandbox' || process.stdout.isTTY
  const start = config.processes > 1 ? await startOfSeveral() : startAlone(forPeople)
  await start({
    config,
    roles,
    output,
    onLog: (own) => {
      log = own
    },
    onReady: (own, { firstInvitation, ...ports }) => {
      const { processes, database } = config
      own.info({ role, ...ports, ...(processes > 1 && { processes }), database: database.kind }, 'ready')
      for (const note of config.notes) own.warn(note)
      if (firstInvitation) logFirstInvitation(own, firstInvitation)
      if (forPeople) output.print(greeting(config, { ...ports, firstInvitation }))
      else output.flush()
    },
  })
} catch (error) {
  process.stderr.write(`${explain(error) ?? `Could not start: ${JSON.stringify(describeError(error))}`}\n`)
  process.exit(1)
}

async function openOutput({ logFormat = process.stdout.isTTY ? 'pretty' : 'json' }: Config): Promise<LogOutput> {
  const colours = process.stdout.isTTY && process.stdout.hasColors()
  return createLogOutput({
    fd: outputFd(),
    onLost: (lines) => log?.warn({ lines }, 'log lines dropped: the reader is too slow'),
    // Loaded by those that show it.
    format: logFormat === 'pretty' ? (await import('./logLines.ts')).createLogLines(colours) : undefined,
  })
}

/** A terminal that its user has stopped (Ctrl-S) must not stop the process: opened again, it can be told not to block. */
function outputFd(): number {
  const { fd, isTTY } = process.stdout
  if (!isTTY) return fd
  try {
    return openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return fd
  }
}

/** The one that starts the others, or one of these: each loads its own part alone. */
async function startOfSeveral(): Promise<(parts: ProcessParts) => Promise<void>> {
  if (cluster.isPrimary) return (await import('./cluster/primary.ts')).startPrimary
  return (await import('./cluster/member.ts')).startMember
}

function startAlone(forPeople: boolean): (parts: ProcessParts) => Promise<void> {
  return async ({ config, roles, output, onLog, onReady }) => {
    const { createApp } = await import('../app/app.ts')
    const app = await createApp(config, {
      logDestination: output,
      ...(forPeople &&
        config.database.kind !== 'postgres' && {
          onSandboxText: (phone: string, text: string) => output.print(`  [phone ${phone}] ${visible(text)}\n`),
        }),
    })
    onLog(app.log)
    endOnSignal(app.close, app.log)
    giveBackMemory()
    const ports = await app.listen(roles).catch(async (error: unknown) => {
      await app.close()
      throw error
    })
    onReady(app.log, ports)
  }
}

function greeting(config: Config, ports: Ports): string {
  const { port, opsPort, dashboardPort, firstInvitation } = ports
  const invitation = typeof firstInvitation === 'object' && 'file' in firstInvitation ? firstInvitation.file : undefined
  const { sandboxKey, dataDir, opsShare, opsToken } = config
  const files = ['test-key', 'live-key'].map((name) => join(dataDir, name)).filter((file) => existsSync(file))
  return formatGreeting({
    version: manifest.version,
    api: port === undefined ? undefined : formatUrl(config.host, port),
    dashboard: dashboardPort === undefined ? undefined : { url: dashboardUrlOf(config, dashboardPort), invitation },
    operations: formatUrl(config.opsHost, opsPort ?? config.opsPort),
    metrics: opsToken !== undefined ? 'token' : opsShare && 'closed',
    keys: sandboxKey ? { sandboxKey } : { files },
  })
}
