/** HTTP to servers of others: bounded in time, connections and answer, and exact about what was surely not sent. */
import type { Agent } from 'undici'
import about from '../../package.json' with { type: 'json' }
import type { AddressGuard } from './address.ts'
import { isBlockedPort } from './blockedPorts.ts'
import { calledOff, type ExchangeLimits, type OutboundAnswer, OutboundExchange, tooLate } from './exchange.ts'

export { isCalledOff, isLate, type OutboundAnswer, parseAnswerJson } from './exchange.ts'

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers?: Record<string, string>
  body?: string
}

export interface Client {
  /** Asks once, without following to another address. Waits for a place first. @throws AskFault for an error of ours, and nothing else */
  ask: (question: OutboundRequest) => Promise<OutboundAnswer>
  /** Calls off what is under way or waits, which is answered so; what is asked later is unsent. */
  close: () => Promise<void>
}

export interface ClientParts extends ExchangeLimits {
  /** Milliseconds for a connection, with the look-up of the name and the start of TLS. */
  connectMs: number
  /** Milliseconds for all of it, from when it has its place. More than `connectMs`. */
  totalMs: number
  /** Questions under way at once; more wait. */
  connectionsMax: number
  /** Where it may go; left out, anywhere. */
  guard?: AddressGuard
  /** For a `Retry-After` that is a date. */
  now: () => Date
}

const userAgent = `watchword/${about.version}`

export function createClient(parts: ClientParts): Client {
  const { totalMs, connectionsMax, guard, now } = parts
  let opening: Promise<Agent> | undefined
  const agent = () => {
    opening ??= openAgent(parts).catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }
  const takePlace = createPlaces(connectionsMax)
  const underWay = new Set<OutboundExchange>()
  let isClosed = false

  return {
    ask: async (question) => {
      const leavePlace = await takePlace()
      const exchange = new OutboundExchange(parts, now)
      const timer = setTimeout(() => exchange.callOff(tooLate), totalMs)
      underWay.add(exchange)
      try {
        if (isClosed) return { kind: 'unsent', reason: calledOff }
        await dispatch({ agent, guard }, question, exchange)
        return await exchange.answer
      } finally {
        clearTimeout(timer)
        underWay.delete(exchange)
        leavePlace()
      }
    },
    close: async () => {
      isClosed = true
      for (const exchange of underWay) exchange.callOff(calledOff)
      const opened = await opening?.catch(() => undefined)
      await opened?.destroy()
    },
  }
}

/** Loads what asks: a process that asks nobody is 6 MB smaller without it. */
async function openAgent({ connectMs, connectionsMax, guard }: ClientParts): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici')
  // HTTP/1.1 only: a connection has one question at a time, so that what becomes of one says nothing of another.
  const connection = { timeout: connectMs, allowH2: false }
  return new Agent({
    connect: guard ? guard.connector(buildConnector, connection) : buildConnector(connection),
    connections: connectionsMax,
    // The whole has a limit.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/** Not by `fetch`, whose streams and checks cost several times as much CPU, and which asks again of itself when answered 421. */
async function dispatch(
  { agent, guard }: { agent: () => Promise<Agent>; guard: AddressGuard | undefined },
  { method, url, headers, body }: OutboundRequest,
  exchange: OutboundExchange,
): Promise<void> {
  try {
    const fault = guard?.faultOfUrl(url)
    if (fault !== undefined) return exchange.decline(fault)
    const place = findPlace(url)
    if (!place) return exchange.decline('could not be asked')
    const { origin, pathname, search } = place
    const opened = await agent()
    opened.dispatch(
      {
        method,
        origin,
        path: pathname + search,
        // What is not compressed cannot grow when it is read.
        headers: { 'User-Agent': userAgent, 'Accept-Encoding': 'identity', ...headers },
        body: body ?? null,
      },
      exchange,
    )
  } catch (error) {
    exchange.fail(error)
  }
}

/** @returns undefined for a URL that is not asked */
function findPlace(text: string): URL | undefined {
  const url = URL.parse(text)
  if (!url) return undefined
  const isAsked = /^https?:$/.test(url.protocol) && !url.username && !url.password && !isBlockedPort(url.port)
  return isAsked ? url : undefined
}

/** @returns takes a place, in the order of asking, and gives what leaves it */
function createPlaces(count: number): () => Promise<() => void> {
  const line: (() => void)[] = []
  let free = count
  const leave = () => {
    const next = line.shift()
    if (next) next()
    else free += 1
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => line.push(resolve))
    return leave
  }
}
