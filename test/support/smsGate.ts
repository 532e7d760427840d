/** The app SMS Gate on a phone of this machine: the simulator sends and reports, and this has the webhooks that the app has beside it. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Agent, request } from 'undici'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'

export interface SmsGate extends Pick<Simulator, 'phone' | 'reply'> {
  url: string
  username: string
  password: string
  signingKey: string
  /** Where each event goes that the phone was told of. */
  webhooks: () => Record<string, string>
  close: () => Promise<void>
}

const [username, password, signingKey] = ['sms', 'simulated-password', 'simulated-signing-key']
const events = new Set(['sms:sent', 'sms:delivered', 'sms:failed', 'sms:received'])

/** @param ca an authority that the phone believes */
export async function startSmsGate(ca: string): Promise<SmsGate> {
  const simulator = await createSimulator()
  const dispatcher = new Agent({ connect: { ca } })
  const webhooks = new Map<string, { event: string; url: string }>()
  const urlOf = (event: string) => [...webhooks.values()].find((one) => one.event === event)?.url

  /** As the app: only https, and one webhook for an id. */
  const register = (body: string): number => {
    const { id = crypto.randomUUID(), event, url } = JSON.parse(body)
    if (!String(url).startsWith('https://') || !events.has(event)) return 400
    webhooks.set(id, { event, url })
    return 201
  }

  /** Hands on what the simulator reports, to where that event goes. */
  const handOn = async ({ headers }: IncomingMessage, body: string): Promise<number> => {
    const url = urlOf(JSON.parse(body).event)
    if (url === undefined) return 200
    const signed = { 'x-signature': `${headers['x-signature']}`, 'x-timestamp': `${headers['x-timestamp']}` }
    const answer = await request(url, { method: 'POST', dispatcher, headers: signed, body })
    await answer.body.dump()
    return answer.statusCode
  }

  const server = createServer(async (asked, response) => {
    const { url: path = '', method = 'GET', headers } = asked
    const body = await text(asked)
    if (path === '/events') return response.writeHead(await handOn(asked, body)).end()
    const { authorization = '' } = headers
    if (authorization !== `Basic ${btoa(`${username}:${password}`)}`) return response.writeHead(401).end()
    if (path === '/webhooks' && method === 'POST') return response.writeHead(register(body)).end(body)
    const sent = { authorization, 'content-type': 'application/json' }
    const init = { method, headers: sent, ...(method === 'POST' && { body }) }
    const answer = await fetch(`${simulator.url}/sms/smsgate${path}`, init)
    return response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  simulator.pointAt({ sms: { smsgate: `${url}/events` } })
  const { phone, reply } = simulator
  return {
    ...{ url, username, password, signingKey, phone, reply },
    webhooks: () => Object.fromEntries([...webhooks.values()].map(({ event, url }) => [event, url])),
    close: async () => {
      await simulator.close()
      await dispatcher.close()
      server.close()
      server.closeAllConnections()
    },
  }
}
