/** What Linux tells of a process: its CPU time and its memory. */
import { readdirSync, readFileSync } from 'node:fs'

/** USER_HZ: the same wherever Node runs on Linux. */
const ticksPerSecond = 100

interface Stat {
  parent: number
  /** Seconds of CPU. */
  own: number
  /** Seconds of CPU of its children that have ended. */
  ofEnded: number
}

export function cpuSecondsOf(pid: number): number {
  return readStat(pid).own
}

/** Seconds of CPU of a process and of all that it has started, ended or not. */
export function familyCpuSeconds(pid: number): number {
  const { own, ofEnded } = readStat(pid)
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => tryReadStat(Number(name)))
    .filter((stat) => stat?.parent === pid)
  return own + ofEnded + children.reduce((sum, stat) => sum + (stat?.own ?? 0), 0)
}

export function parentOf(pid: number): number {
  return readStat(pid).parent
}

/** Mebibytes of resident memory. */
export function residentMb(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kibibytes) / 1024
}

/** Undefined for a process that has just ended. */
function tryReadStat(pid: number): Stat | undefined {
  try {
    return readStat(pid)
  } catch {
    return undefined
  }
}

function readStat(pid: number): Stat {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name, in brackets, may hold anything; what follows are numbers, the third field of the line first.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const seconds = (field: number) => Number(fields[field - 3]) / ticksPerSecond
  return { parent: Number(fields[1]), own: seconds(14) + seconds(15), ofEnded: seconds(16) + seconds(17) }
}
