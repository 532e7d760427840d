/** A service that runs on the embedded database, as a command reaches it: by the socket in its data folder. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { deserialize, serialize } from 'node:v8'
import {
  type CallResult,
  type Commands,
  callMs,
  callsBy,
  findSocketPath,
  givenBytesMax,
  type Hello,
  type Served,
  version,
} from '../http/commands/calls.ts'
import { Refusal } from '../kit/refusal.ts'

export interface Beside extends Commands {
  /** Where people reach the service's dashboard; undefined where it has none, or has not opened it yet. */
  dashboardUrl: string | undefined
  served: Served
  close: () => Promise<void>
}

/** Milliseconds for a service to say who it is, however busy it is, and for a call. */
const patience = { hello: 10_000, call: callMs }
const answerBytesMax = 256 * 1024 * 1024

/**
 * @returns what has the service do the work; undefined when no process listens there
 * @throws Refusal when the service does not answer, or is of another version
 */
export async function openBeside(dataDir: string, ms = patience): Promise<Beside | undefined> {
  const socketPath = findSocketPath(dataDir)
  if (socketPath === undefined) return undefined
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = createAsk(socketPath, agent)
  const said = await ask('GET', '', undefined, ms.hello).catch((error: unknown) => {
    agent.destroy()
    if (isAbsence(error)) return undefined
    throw new Refusal(`The service that runs on ${dataDir} does not answer: ${toReason(error)}.`)
  })
  if (!said) return undefined
  const close = async () => agent.destroy()
  const { version: theirs, templateForms, dashboardUrl, served } = JSON.parse(said.bytes.toString()) as Hello
  if (theirs !== version) {
    await close()
    throw new Refusal(
      `The service that runs on ${dataDir} is Watchword ${theirs}, and this command is of ${version}: restart the service, ` +
        'or use the command of its version.',
    )
  }
  const calls = callsBy(async (name, given) => {
    const bytes = serialize(given)
    if (bytes.length > givenBytesMax) throw new Refusal('The input is larger than a command accepts (16 MB).')
    const answer = await ask('POST', name, bytes, ms.call).catch((error: unknown) => {
      throw new Refusal(
        `The service did not answer (${toReason(error)}). Check whether the command took effect before you repeat it.`,
      )
    })
    return toResult(answer)
  })
  return { ...calls, templates: { ...calls.templates, forms: templateForms }, dashboardUrl, served, close }
}

interface Answer {
  status: number
  bytes: Buffer
}

function createAsk(socketPath: string, agent: Agent) {
  return async (method: string, name: string, body: Buffer | undefined, ms: number): Promise<Answer> => {
    const signal = AbortSignal.timeout(ms)
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = body && { 'Content-Length': body.length }
      request({ socketPath, agent, method, path: `/${name}`, headers, signal }, resolve)
        .once('error', reject)
        .end(body)
    })
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > answerBytesMax) throw new Error('its response is too large')
      chunks.push(chunk)
    }
    return { status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) }
  }
}

/** No process listens there: a killed process may have left its socket; or it is closed to this user, as the database is. */
function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'EACCES', 'ENOTSOCK'].includes(
    String((error as { code?: unknown }).code),
  )
}

function toReason(error: unknown): string {
  const { code, name, message } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'TimeoutError') return 'it took too long'
  return code ?? message
}

/** @throws Refusal when the service refused, or failed */
function toResult({ status, bytes }: Answer): unknown {
  // A service that was started before its code was changed.
  if (status === 404) throw new Refusal('The running service does not know this command: restart it.')
  if (status !== 200) throw new Refusal(`The service did not understand this command (${status}): restart it.`)
  const outcome = deserialize(bytes) as CallResult
  if (outcome.is === 'done') return outcome.value
  throw new Refusal(outcome.message, outcome.is === 'refused' ? outcome : {})
}
