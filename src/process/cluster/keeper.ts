/** Keeps so many processes running: one that ends is started again, unless that has no end. */
import cluster, { type Worker } from 'node:cluster'
import type { Ports } from '../../app/app.ts'
import type { Log } from '../../kit/runtime.ts'
import { stopMs } from '../../kit/stopping.ts'
import { type AskProcess, createLine, type MemberCalls, type PrimaryCalls } from './line.ts'
import { createSuccession, type Life } from './succession.ts'

export interface Keeper {
  start: () => void
  /** Those that serve, by their numbers. */
  serving: () => Map<number, AskProcess<MemberCalls>>
  /** Resolves when all have ended, which they do in their own time. @throws Error when one had to be killed, or failed */
  stop: () => Promise<void>
}

export interface KeeperParts {
  count: number
  countRequests: PrimaryCalls['countRequests']
  renderMetrics: PrimaryCalls['renderMetrics']
  log: Log
  /** All serve, for the first time. */
  onReady: (ports: Ports) => void
  onEnd: (process: number) => void
  onReplaced: () => void
  /** None serves, and there is no sense in starting others: the last that ended has said why. */
  onHopeless: () => void
}

interface Member extends Life {
  worker: Worker
  ask: AskProcess<MemberCalls>
  /** Beats one after the other that were not answered. */
  missed: number
}

/** Milliseconds between two looks whether a process still does anything, and so many in vain are its end. */
const [beatMs, beatsMax] = [10_000, 3]

export function createKeeper(parts: KeeperParts): Keeper {
  const { count, countRequests, renderMetrics, log } = parts
  const members = new Map<number, Member>()
  const serving = () => [...members].filter(([, { isServing }]) => isServing)
  const nextOf = createSuccession(() => performance.now())
  const stopped = Promise.withResolvers<void>()
  let [hasServed, isReady, stopping, failed] = [false, false, false, false]
  let beating: NodeJS.Timeout | undefined

  const start = (soonEnded: number) => {
    if (stopping) return
    const calls = { serving: (ports: Ports) => begin(member, ports), countRequests, renderMetrics }
    const member = launch(soonEnded, calls, (code, signal) => {
      if (members.delete(member.worker.id)) end(member, code, signal)
    })
    members.set(member.worker.id, member)
  }

  const begin = (member: Member, ports: Ports) => {
    member.isServing = true
    // What is made once, at the very first start, the first of them has made: the others find it.
    if (!hasServed) for (let others = 1; others < count; others++) start(0)
    hasServed = true
    if (isReady || serving().length < count) return
    isReady = true
    parts.onReady(ports)
  }

  const end = (member: Member, code: number | null, signal: string | null) => {
    parts.onEnd(member.worker.id)
    if (stopping) {
      failed ||= member.isServing && code !== 0
      if (members.size === 0) stopped.resolve()
      return
    }
    // The very first has said why, as a process that is alone does.
    if (!hasServed) return parts.onHopeless()
    const next = nextOf(member, serving().length)
    const what = next ? 'a process ended: another takes its place' : 'no process serves or can be started: giving up'
    log.error({ process: member.worker.process.pid, code, signal, ...next }, what)
    if (!next) return parts.onHopeless()
    parts.onReplaced()
    setTimeout(start, next.afterMs, next.soonEnded)
  }

  return {
    start: () => {
      beating = setInterval(() => serving().map(([, member]) => look(member, log)), beatMs)
      start(0)
    },
    serving: () => new Map(stopping ? [] : serving().map(([id, { ask }]) => [id, ask])),
    stop: async () => {
      stopping = true
      const late = endAll(members)
      if (members.size > 0) await stopped.promise
      for (const timer of [late, beating]) clearTimeout(timer)
      if (failed) throw new Error('a process did not end well')
    },
  }
}

function launch(
  soonEnded: number,
  calls: PrimaryCalls,
  onEnd: (code: number | null, signal: string | null) => void,
): Member {
  const worker = cluster.fork()
  worker.once('exit', onEnd)
  // One that could not be started at all has no end.
  worker.on('error', () => worker.process.pid === undefined && onEnd(null, null))
  const ask = createLine<MemberCalls>(worker, calls)
  return { worker, ask, startedAt: performance.now(), isServing: false, soonEnded, missed: 0 }
}

/** @returns what kills them, if they do not end by themselves, as they do when they do anything */
function endAll(members: Map<number, Member>): NodeJS.Timeout {
  const signal = (name: NodeJS.Signals) => {
    for (const { worker } of members.values()) worker.process.kill(name)
  }
  signal('SIGTERM')
  return setTimeout(signal, stopMs + 200, 'SIGKILL')
}

/** Has one end that answers nothing any more: it would still be given its part of the connections. */
async function look(member: Member, log: Log): Promise<void> {
  const { worker, ask } = member
  try {
    await ask('beat', undefined)
    member.missed = 0
  } catch {
    member.missed += 1
    if (member.missed < beatsMax) return
    log.error({ process: worker.process.pid }, 'a process does not respond: ending it')
    worker.process.kill('SIGKILL')
  }
}
