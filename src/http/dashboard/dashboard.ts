/** The people's port: the pages of an account, for who is signed in to it. */
import type { RequestListener } from 'node:http'
import express, { type ErrorRequestHandler, type Request, type Response } from 'express'
import type { Secrets } from '../../domain/access/secret.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { CrowdLimit } from '../crowd.ts'
import type { HostedRequest } from '../host.ts'
import { type BoundedServer, createServer, type ServerTimeouts } from '../server.ts'
import { assets } from './assets.ts'
import { createCookies } from './cookie.ts'
import type { Desk } from './desk.ts'
import type { Entrance } from './entrance.ts'
import { createExchange } from './exchange.ts'
import { failurePage } from './failure.ts'
import { createForms } from './form.ts'
import { routes } from './pages/index.ts'
import { sendReply, writeReply } from './reply.ts'
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
  isStopping: () => boolean
  crowd: CrowdLimit
  timeouts?: Partial<ServerTimeouts> | undefined
}

export function createDashboard(parts: DashboardParts): BoundedServer {
  const { runtime, secrets, publicUrl, isForUs, isStopping, crowd, timeouts } = parts
  const cookies = createCookies({ isSecure: publicUrl?.startsWith('https:') ?? false })
  const sessionCookies = createSessionCookies(cookies)
  const [said, forms] = [createSaid(secrets, cookies), createForms()]
  const exchange = createExchange({ ...parts, sessionCookies, said, forms })

  const app = express()
  app.disable('x-powered-by')
  for (const asset of assets.flatMap((one) => [one, one.ofOthers])) {
    app.get(asset.path, (_request, response) => writeReply(response, asset))
  }
  for (const route of routes) {
    const answer = async (request: Request, response: Response) => {
      await sendReply(response, await exchange(route, request, request.params as Record<string, string>))
    }
    if (route.method === 'GET') app.get(route.path, answer)
    else app.post(route.path, answer)
  }
  const noPage = async (request: Request, response: Response) =>
    sendReply(response, await exchange(undefined, request, {}))
  const fail: ErrorRequestHandler = async (error: unknown, request, response, _next) => {
    // What stands in the path is no text.
    if (error instanceof URIError) return noPage(request, response)
    if (response.headersSent) return runtime.log.warn({ err: error }, 'a file was cut off while it was sent')
    const traceId = runtime.newTraceId()
    runtime.log.error({ err: error, trace_id: traceId }, 'the dashboard failed')
    writeReply(response, failurePage({ status: 500, title: 'Something went wrong here', traceId }))
  }
  app.use(noPage)
  app.use(fail)

  const listener: RequestListener = (request, response) => {
    if (isStopping()) response.setHeader('Connection', 'close')
    if (!isForUs(request))
      writeReply(response, failurePage({ status: 421, title: 'This is not the address of this dashboard' }))
    // What is no URL comes to none of the above.
    else app(request as Request, response as Response, () => noPage(request as Request, response as Response))
  }
  const refusal = () => 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
  return createServer({ listener, onBroken: refusal, onConnect: refusal, crowd, timeouts })
}
