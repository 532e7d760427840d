/** Which of several database servers takes writes now: after a failover it is another one. */
import { ConnectionFailed } from '../failure.ts'

export interface Servers {
  /** Where new connections go. */
  current: () => string
  /** Says that a server broke off, or takes no writes. */
  suspect: (url: string) => void
  isSuspect: () => boolean
  /**
   * Resolves at once while nobody suspects the current server; else when one was found that takes writes.
   *
   * @throws ConnectionFailed when none does
   */
  settle: () => Promise<void>
}

export interface ServersParts {
  urls: readonly string[]
  /** Rejects for a server that takes no writes, in bounded time. */
  probe: (url: string) => Promise<unknown>
  /** Called when another server than before was found. */
  onMove: () => void
}

/** Milliseconds for which it is believed that no server takes writes. */
const againMs = 250

export function createServers({ urls, probe, onMove }: ServersParts): Servers {
  let current = urls[0] as string
  let isSuspect = false
  let search: Promise<void> | undefined
  // All at once: one that never answers costs nothing where another does.
  const look = async () => {
    const found = await Promise.any(urls.map((url) => probe(url).then(() => url))).catch(
      ({ errors }: AggregateError) => {
        throw new ConnectionFailed('no server of DATABASE_URL takes writes', { cause: errors.at(-1) })
      },
    )
    isSuspect = false
    if (found === current) return
    current = found
    onMove()
  }
  const forget = () => {
    search = undefined
  }
  return {
    current: () => current,
    suspect: (url) => {
      // Where there is but one, there is nothing to look for.
      if (url === current && urls.length > 1) isSuspect = true
    },
    isSuspect: () => isSuspect,
    settle: async () => {
      if (!isSuspect) return
      search ??= look().then(forget, (error: unknown) => {
        setTimeout(forget, againMs).unref()
        throw error
      })
      await search
    },
  }
}

export interface WatchParts {
  servers: Servers
  /** Opens a connection to the current server. */
  open: () => Promise<Watched>
}

interface Watched {
  /** Rejects when it takes no writes any more, and when it does not answer in time. */
  ask: () => Promise<unknown>
  drop: () => void
}

const askMs = 1000

/**
 * Asks the current server again and again: one that is gone without a word breaks no connection, and whoever waits for it
 * would wait for as long as a statement may take.
 */
export function watchServers({ servers, open }: WatchParts): { stop: () => void } {
  let watched: { url: string; by: Watched } | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const drop = () => {
    watched?.by.drop()
    watched = undefined
  }
  const look = async () => {
    await servers.settle()
    if (watched?.url !== servers.current()) {
      drop()
      watched = { url: servers.current(), by: await open() }
    }
    await watched.by.ask()
  }
  const tick = async () => {
    try {
      await look()
    } catch {
      servers.suspect(servers.current())
      drop()
    }
    if (isStopped) drop()
    else timer = setTimeout(tick, servers.isSuspect() ? againMs : askMs).unref()
  }
  void tick()
  return {
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      drop()
    },
  }
}
