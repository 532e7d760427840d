/** Tells the open pages that there is something new: at most twice a second, however much there is. */
import type { ServerResponse } from 'node:http'

export interface Events {
  changed: () => void
  /** Gives a response the stream of events, until its reader goes. */
  attach: (response: ServerResponse) => void
  close: () => void
}

const quietMs = 500
const readersMax = 20

export function createEvents(): Events {
  const readers = new Set<ServerResponse>()
  let timer: NodeJS.Timeout | undefined

  const tell = () => {
    timer = undefined
    for (const reader of readers) reader.write('data: changed\n\n')
  }
  return {
    changed: () => {
      if (readers.size > 0) timer ??= setTimeout(tell, quietMs)
    },
    attach: (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
      response.write('retry: 1000\n\n')
      for (const oldest of readers.size >= readersMax ? readers.values().take(1) : []) oldest.end()
      readers.add(response)
      response.once('close', () => readers.delete(response))
    },
    close: () => {
      clearTimeout(timer)
      for (const reader of readers) reader.end()
    },
  }
}
