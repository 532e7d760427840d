/** Callers that know of each answer whether it came, and whether the server told them that it is the last. */
import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request that the server has accepted, which is known because it asked for the body, and that waits for the body. */
export async function holdRequest(url: string, key: string, phone: string) {
  const body = JSON.stringify({ phone })
  const held = request(`${url}/v1/verify/send`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Expect: '100-continue',
    },
  })
  held.flushHeaders()
  await once(held, 'continue')
  return {
    finish: () => {
      held.end(body)
      return answerOf(held)
    },
  }
}

async function answerOf(sent: ClientRequest): Promise<{ status: number; last: boolean }> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  await text(response)
  return { status: response.statusCode ?? 0, last: response.headers.connection === 'close' }
}

/** Milliseconds until a caller gives up: once the server is gone, its port may be that of another one, which is silent. */
const silenceMs = 30_000

/** Eight callers, each of whom asks one thing after the other on an open connection until that is closed. */
export function createLoad(url: string, key: string, nextPhone: () => string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const statuses: number[] = []
  const caller = async () => {
    for (let open = true; open; ) {
      const sent = request(`${url}/v1/verify/send`, { method: 'POST', headers, agent, timeout: silenceMs })
      sent.on('timeout', () => sent.destroy())
      sent.end(JSON.stringify({ phone: nextPhone() }))
      const answer = await answerOf(sent).catch(() => undefined)
      if (answer) statuses.push(answer.status)
      open = answer !== undefined && !answer.last
    }
  }
  const callers = Promise.all(Array.from({ length: 8 }, caller))
  return {
    answered: () => statuses.length,
    /** Resolves when the last caller has gone: the status of each answer. */
    answers: async () => {
      await callers
      agent.destroy()
      return statuses
    },
  }
}
