/** Keeps one service running: the next one takes its place only when it has opened all that it needs. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from '../contract/redocly.ts'
import { sendOrder } from './answer.ts'
import type { Listening, Order } from './service.ts'

/** Milliseconds for a service to close: it may be caught in a loop that never ends. */
const stopMs = 3000
const script = join(import.meta.dirname, 'service.ts')
const loading = join(root, 'src/loading.js')

export interface Candidate {
  process: ChildProcess
  /** Operations of the contract that have no handler. */
  unhandled: string[]
}

export interface Supervisor {
  /** Starts a service beside the one that runs. @throws Error with what the service says of its failure */
  prepare: () => Promise<Candidate>
  /** Puts it in the place of the one that runs. @throws Error as above; then none runs */
  promote: (candidate: Candidate) => Promise<Listening>
  stop: (candidate: Candidate) => Promise<void>
  close: () => Promise<void>
}

/** @param onCrash is told how a service ended that nobody had told to */
export function createSupervisor(
  order: Omit<Order & { do: 'prepare' }, 'do'>,
  environment: NodeJS.ProcessEnv,
  onCrash: (how: string) => void,
): Supervisor {
  const children = new Set<ChildProcess>()
  const start = () => {
    const stdio = ['ignore', 'inherit', 'pipe', 'ipc'] as const
    const child = fork(script, { env: environment, execArgv: ['--import', loading], stdio: [...stdio] })
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  }
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL')
  })
  /** Loads its packages while nobody waits for anything. */
  let spare: ChildProcess | undefined = start()
  let running: ChildProcess | undefined

  return {
    prepare: async () => {
      const child = spare ?? start()
      spare = undefined
      try {
        const { unhandled } = await sendOrder(child, { do: 'prepare', ...order }, 'prepared')
        return { process: child, unhandled }
      } catch (error) {
        spare = start()
        throw error
      }
    },
    promote: async ({ process: child }) => {
      if (running) await stop(running)
      running = child
      const listening = await sendOrder(child, { do: 'listen' }, 'listening').finally(() => {
        spare = start()
      })
      child.stderr?.pipe(process.stderr)
      child.once('exit', (code, signal) => {
        if (!stopped.has(child)) onCrash(`with ${signal ?? `code ${code}`}`)
      })
      return listening
    },
    stop: async ({ process: child }) => {
      await stop(child)
      spare = start()
    },
    close: async () => {
      await Promise.all([spare, running].map((child) => child && stop(child)))
    },
  }
}

/** Those that end because they were told to. */
const stopped = new WeakSet<ChildProcess>()

async function stop(child: ChildProcess): Promise<void> {
  stopped.add(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  if (child.connected) child.disconnect()
  const deadline = setTimeout(() => child.kill('SIGKILL'), stopMs)
  await ended
  clearTimeout(deadline)
}
