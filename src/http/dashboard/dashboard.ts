/**
 * The people's door: the pages of an account, for who is signed in to it. On a port of its own, or under `dashboardPath` as the guest
 * of another one.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import express, { type ErrorRequestHandler, type Request, type Response } from 'express'
import type { Secrets } from '../../domain/access/secret.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { CrowdLimit } from '../crowd.ts'
import type { Guest } from '../guest.ts'
import type { HostedRequest } from '../host.ts'
import { type BoundedServer, createServer, type ServerTimeouts } from '../server.ts'
import { isUnder, readPath, readTargetQuery } from '../target.ts'
import { assets } from './assets.ts'
import { createCookies } from './cookie.ts'
import type { Desk } from './desk.ts'
import type { Entrance } from './entrance.ts'
import { createExchange } from './exchange.ts'
import { failurePage } from './failure.ts'
import { createForms } from './form.ts'
import { routes } from './pages/index.ts'
import { createReplies, goTo } from './reply.ts'
import { createSaid } from './said.ts'
import { createSessionCookies } from './signedIn.ts'

export interface DashboardParts {
  desk: Desk
  entrance: Entrance
  secrets: Pick<Secrets, 'seal' | 'open'>
  runtime: Runtime
  /** Where people reach it, without a slash at the end; undefined: under whatever address it answers to. */
  publicUrl: string | undefined
  /** How many proxies are before it, whose word on an address is taken. */
  proxies: number
  /** Where programs reach the API, without a slash at the end. */
  apiUrl: () => string
  /** Whether a request was meant for this machine, and not brought here by a page of another site. */
  isForUs: (request: HostedRequest) => boolean
  /** Its path on a port that it shares, without a slash at the end; undefined: the port is its own. */
  path: string | undefined
  isStopping: () => boolean
}

/** Of the port that is the dashboard's own. */
interface DashboardPort {
  /** Other doors on it. */
  guests: readonly Guest[]
  crowd: CrowdLimit
  timeouts?: Partial<ServerTimeouts> | undefined
}

/** On a port of its own, alone or with guests. */
export function createDashboardServer(dashboard: Guest, { guests, crowd, timeouts }: DashboardPort): BoundedServer {
  const refusal = () => 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
  const listener: RequestListener = (request, response) =>
    (guests.find(({ isFor }) => isFor(request)) ?? dashboard).listener(request, response)
  return createServer({ listener, onBroken: refusal, onConnect: refusal, crowd, timeouts })
}

export function createDashboard(parts: DashboardParts): Guest {
  const { runtime, secrets, publicUrl, isForUs, isStopping } = parts
  const places = findPlaces(parts)
  const replies = createReplies(places.shown)
  const cookies = createCookies({ isSecure: publicUrl?.startsWith('https:') ?? false, path: places.shown })
  const sessionCookies = createSessionCookies(cookies)
  const [said, forms] = [createSaid(secrets, cookies), createForms()]
  const exchange = createExchange({ ...parts, path: places.shown, sessionCookies, said, forms })

  const app = express()
  app.disable('x-powered-by')
  for (const asset of assets.flatMap((one) => [one, one.ofOthers])) {
    app.get(asset.path, (_request, response) => replies.write(response, asset))
  }
  for (const route of routes) {
    const answer = async (request: Request, response: Response) => {
      await replies.send(response, await exchange(route, request, request.params as Record<string, string>))
    }
    if (route.method === 'GET') app.get(route.path, answer)
    else app.post(route.path, answer)
  }
  const noPage = async (request: Request, response: Response) =>
    replies.send(response, await exchange(undefined, request, {}))
  const fail: ErrorRequestHandler = async (error: unknown, request, response, _next) => {
    // What stands in the path is no text.
    if (error instanceof URIError) return noPage(request, response)
    if (response.headersSent) return runtime.log.warn({ err: error }, 'a file was truncated while it was sent')
    const traceId = runtime.newTraceId()
    runtime.log.error({ err: error, trace_id: traceId }, 'the dashboard failed')
    replies.write(response, failurePage({ status: 500, title: 'Something went wrong here', traceId }))
  }
  app.use(noPage)
  app.use(fail)

  return {
    isFor: places.isFor,
    listener: (request, response) => {
      if (isStopping()) response.setHeader('Connection', 'close')
      if (!isForUs(request)) {
        replies.write(response, failurePage({ status: 421, title: 'This is not the address of this dashboard' }))
        return
      }
      if (!places.isFor(request)) {
        replies.write(response, failurePage({ status: 404, title: 'There is no such page' }))
        return
      }
      const target = places.targetOf(request)
      if (target === '') return replies.write(response, goTo('/'))
      request.url = target
      // What is no URL comes to none of the above.
      app(request as Request, response as Response, () => noPage(request as Request, response as Response))
    },
  }
}

interface Places {
  /** What stands before its paths in a browser, without a slash at the end. */
  shown: string
  isFor: Guest['isFor']
  /** @returns what a request is for, as the pages name it; empty for the path of the dashboard without a slash behind it */
  targetOf: (request: IncomingMessage) => string
}

/** Whether a proxy takes the path of its public address off or keeps it, the dashboard is the same. */
function findPlaces({ path, publicUrl }: Pick<DashboardParts, 'path' | 'publicUrl'>): Places {
  const publicPath = publicUrl === undefined ? undefined : new URL(publicUrl).pathname.replace(/\/$/, '')
  const prefixes = [path, publicPath].filter((prefix) => prefix !== undefined && prefix !== '') as string[]
  const prefixOf = (target: string) =>
    prefixes.find((prefix) => isUnder(`${prefix}/`, target) || readPath(target) === prefix)
  return {
    shown: publicPath ?? path ?? '',
    isFor: ({ url = '' }) => path === undefined || prefixOf(url) !== undefined,
    targetOf: ({ url = '' }) => {
      const prefix = prefixOf(url)
      if (prefix === undefined) return url
      const [rest, query] = [readPath(url).slice(prefix.length), readTargetQuery(url)]
      return rest === '' || query === '' ? rest : `${rest}?${query}`
    },
  }
}
