/**
 * The door of the operator's commands, on a socket in the data folder: who has the embedded database does their work. Whoever
 * may connect is the owner of that folder, who could as well open the database: there is nothing to be admitted to.
 */
import type { RequestListener, ServerResponse } from 'node:http'
import { deserialize, serialize } from 'node:v8'
import type { Operator } from '../../domain/access/actor.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Log } from '../../kit/runtime.ts'
import { rawJson } from '../answer.ts'
import { createIntake } from '../intake.ts'
import { type BoundedServer, createServer, listenForOwner, type Shuttable } from '../server.ts'
import {
  type Administered,
  type CallResult,
  callMs,
  createCalls,
  findSocketPath,
  givenBytesMax,
  type Hello,
  type Served,
  version,
} from './calls.ts'

export interface CommandsParts {
  admin: Administered
  /** Where people reach the dashboard, once it is open. */
  dashboardUrl?: () => string | undefined
  served: Served
  /** Who runs the commands. */
  operator: Operator
  log: Log
}

/** Of those that a command is told: it shows fewer. */
const faultsMax = 1000

/** Made by this version for this version: JSON has no dates and no bytes. */
const type = 'application/octet-stream'

function createCommands({
  admin,
  dashboardUrl = () => undefined,
  served,
  operator,
  log,
}: CommandsParts): BoundedServer {
  const calls = createCalls(admin, operator)
  const intake = createIntake({ bytesMax: givenBytesMax, bytesAtOnceMax: 2 * givenBytesMax })
  const hello = (): Hello => ({ version, templateForms: admin.templates.forms, dashboardUrl: dashboardUrl(), served })
  const listener: RequestListener = (request, response) => {
    const { method, url = '' } = request
    if (method === 'GET' && url === '/') return answer(response, 200, 'application/json', JSON.stringify(hello()))
    const call = method === 'POST' ? calls.get(url.slice(1)) : undefined
    if (!call) return answer(response, 404, 'application/json', JSON.stringify({ error: 'There is no such command.' }))
    intake
      .read(request, (bytes) => findOutcome(url.slice(1), call, bytes, log))
      .then((outcome) => {
        if (typeof outcome === 'string') throw new Error(`what a command was given did not come: ${outcome}`)
        answer(response, 200, type, serialize(outcome))
      })
      .catch((error: unknown) => {
        log.error({ err: error, command: url.slice(1) }, 'a command was not answered')
        response.destroy()
      })
  }
  const refusal = () => rawJson(400, { error: 'This is no command.' })
  // While a call is worked on, nothing moves on its connection.
  const timeouts = { stalledMs: callMs, answerMs: callMs }
  return createServer({ listener, onBroken: refusal, onConnect: refusal, timeouts })
}

/**
 * Listens in the data folder that this process has.
 *
 * @returns undefined when that cannot be: the log says why, and the service goes on without it
 */
export async function listenForCommands(dataDir: string, parts: CommandsParts): Promise<Shuttable | undefined> {
  const path = findSocketPath(dataDir)
  const cannot = 'no command can be run beside this service: the data folder cannot have its socket'
  if (path === undefined) {
    parts.log.warn({ reason: 'its path would be too long' }, cannot)
    return undefined
  }
  try {
    return await listenForOwner(createCommands(parts), path)
  } catch (error) {
    // Not every file system has sockets.
    parts.log.warn({ err: error }, cannot)
    return undefined
  }
}

async function findOutcome(
  command: string,
  call: (...given: unknown[]) => Promise<unknown>,
  bytes: Buffer,
  log: Log,
): Promise<CallResult> {
  const given = deserialize(bytes) as unknown[]
  try {
    const value = await call(...given)
    log.info({ command }, 'command')
    return { is: 'done', value }
  } catch (error) {
    if (error instanceof Refusal) {
      const { message, lacks, faults, lines } = error
      return { is: 'refused', message, lacks, lines, faults: faults.slice(0, faultsMax) }
    }
    log.error({ err: error, command }, 'a command failed')
    return { is: 'failed', message: 'The service failed at this; its log says why.' }
  }
}

function answer(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}
