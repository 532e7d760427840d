/** What Linux tells of the handles of a process, and of its connections to the database. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface Held {
  /** File descriptors: files, sockets, pipes. */
  handles: number
  connections: number
}

const established = '01'

/** @param ports of the database's servers, on this machine */
export function heldBy(pid: number, ports: readonly number[]): Held {
  const folder = `/proc/${pid}/fd`
  const links = readdirSync(folder).map((name) => resolveTarget(`${folder}/${name}`))
  const sockets = socketsTo(pid, ports)
  return { handles: links.length, connections: links.filter((link) => sockets.has(link)).length }
}

/** The open connections to these ports, as the links in `/proc` name their sockets. */
function socketsTo(pid: number, ports: readonly number[]): Set<string> {
  const ends = ports.map((port) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`)
  const rows = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').trim().split('\n').slice(1)
  const fields = rows.map((row) => row.trim().split(/\s+/))
  const ours = fields.filter(
    ([, , remote = '', state]) => ends.some((end) => remote.endsWith(end)) && state === established,
  )
  return new Set(ours.map((row) => `socket:[${row[9]}]`))
}

/** Empty for one that was closed just now. */
function resolveTarget(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
