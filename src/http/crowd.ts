/** Bounds the connections of one address, so that nobody can take the places of all. */
import type { Server } from 'node:http'
import type { Log } from '../kit/runtime.ts'
import { toNetwork } from './address.ts'

export interface CrowdLimit {
  connectionsMax: number
  /** Told of connections that are refused, at most once a minute. */
  log: Pick<Log, 'warn'>
}

const silentMs = 60_000

/** One too many is closed without an answer, as when the server itself is full: it may be one of thousands. */
export function boundCrowds(server: Server, { connectionsMax, log }: CrowdLimit): void {
  const counts = new Map<string, number>()
  let toldAt = -Infinity
  server.on('connection', (socket) => {
    const address = toNetwork(socket.remoteAddress)
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    socket.once('close', () => {
      const left = (counts.get(address) ?? 0) - 1
      if (left > 0) counts.set(address, left)
      else counts.delete(address)
    })
    if (count <= connectionsMax) return
    socket.destroy()
    if (performance.now() - toldAt < silentMs) return
    toldAt = performance.now()
    log.warn({ address, connectionsMax }, 'refusing connections: too many are open from this address')
  })
}
