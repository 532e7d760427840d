/** Programs of other people that stand between the service and its database: Debian's packages, where they are installed. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Milliseconds for it to listen. */
const upMs = 10_000

/** @returns its version, or undefined where it is not installed, which is said */
export async function versionOf(name: 'pgbouncer' | 'haproxy'): Promise<string | undefined> {
  try {
    const { stdout } = await run(`/usr/sbin/${name}`, name === 'haproxy' ? ['-v'] : ['--version'])
    return stdout.split('\n')[0]
  } catch {
    process.stdout.write(`  skipped: ${name} is not installed (apt-get install ${name})\n`)
    return undefined
  }
}

export interface Between {
  log: () => string
  stop: () => Promise<void>
}

/**
 * @param port that its configuration has it listen on
 * @returns once it listens
 */
export async function startBetween(
  name: 'pgbouncer' | 'haproxy',
  port: number,
  configuration: string,
): Promise<Between> {
  const folder = await mkdtemp(join(tmpdir(), `watchword-${name}-`))
  await chmod(folder, 0o755)
  const file = join(folder, 'configuration')
  await writeFile(file, configuration, { mode: 0o644 })
  const words = name === 'haproxy' ? ['-db', '-f', file] : [file]
  const child = spawn(`/usr/sbin/${name}`, words, { ...(await userOfItsOwn()), stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
  }
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  for (const until = Date.now() + upMs; !(await listens(port)); await wait(20)) {
    if (child.exitCode === null && Date.now() < until) continue
    await stop()
    throw new Error(`${name} does not listen:\n${log}`)
  }
  return { log: () => log, stop }
}

/** PgBouncer refuses to run as root. */
async function userOfItsOwn(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const id = async (which: '-u' | '-g') => Number((await run('id', [which, 'nobody'])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (answer: boolean) => () => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', end(true)).once('error', end(false))
  })
}
