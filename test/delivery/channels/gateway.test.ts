/** The suite on a channel to a gateway over HTTP: as short as one can be, and all that one needs. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Channel } from '../../../src/delivery/channel.ts'
import { digestOf, readJson, timeOf } from '../../../src/delivery/report.ts'
import type { Runtime } from '../../../src/runtime.ts'
import { startProvider } from '../../support/provider.ts'
import { describeChannel } from './conformance.ts'

const answerForm = z.object({ message: z.string().regex(/^[\x21-\x7e]{1,255}$/) }).partial()
const reportForm = z.array(
  z.object({ account: z.string(), id: z.string(), status: z.enum(['delivered', 'read', 'failed']), at: z.number() }),
)

function createGateway(url: string, secret: string, { now }: Pick<Runtime, 'now'>): Channel {
  const signatureOf = (body: Buffer) => createHmac('sha256', secret).update(body).digest()
  return {
    send: async ({ accountId, id, phone, content }) => {
      const text = content.kind === 'verification' ? `Your code is ${content.code}` : content.text
      const body = JSON.stringify({ id: `${accountId}/${id}`, phone, text })
      const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
      const signal = AbortSignal.timeout(300)
      try {
        const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal })
        const { status } = response
        const answer = await readUpTo(65_536, response)
        if (status === 410) return { kind: 'failed', code: 'not_on_channel' }
        if (status >= 400 && status < 429) return { kind: 'failed', code: 'rejected_by_channel' }
        if (status >= 300) return { kind: 'retry', reason: `status ${status}` }
        const { message } = readJson(answer, answerForm)
        return { kind: 'sent', ...(message !== undefined && { providerMessageId: message }) }
      } catch {
        return { kind: 'retry', reason: 'no answer that could be read' }
      }
    },
    verify: ({ headers, body }) => {
      const given = digestOf(headers['x-gateway-signature'])
      return given !== undefined && timingSafeEqual(given, signatureOf(body))
    },
    parse: (body) =>
      readJson(body, reportForm).map(({ account, id, status, at }) => ({
        ...{ accountId: account, id, status, at: timeOf(at * 1000, now()) },
        ...(status === 'failed' && { errorCode: 'rejected_by_channel' as const }),
      })),
  }
}

/** Leaving the loop early ends the connection. */
async function readUpTo(bytesMax: number, { body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > bytesMax) throw new Error('too long')
  }
  return Buffer.concat(chunks)
}

describeChannel({
  name: 'to a gateway over HTTP',
  answersWithinMs: 1000,
  open: async ({ runtime }, secret) => {
    const provider = await startProvider({ status: 200, body: '{}' })
    const signed = (body: Buffer) => {
      const hex = createHmac('sha256', secret).update(body).digest('hex')
      return { headers: { 'x-gateway-signature': hex }, body }
    }
    const at = Math.floor(runtime.now().getTime() / 1000)
    return {
      channel: createGateway(provider.url, secret, runtime),
      // A gateway knows a message by the id that it is given.
      received: async (id) => {
        const bodies = provider.asked.map(({ body }) => JSON.parse(body) as { id: string; text: string })
        const one = bodies.filter((body) => body.id.includes(id))
        return [...new Map(one.map((body) => [body.id, body.text])).values()]
      },
      signed,
      reports: (list) => [
        signed(
          Buffer.from(JSON.stringify(list.map(({ accountId, ...rest }) => ({ account: accountId, ...rest, at })))),
        ),
      ],
      behave: provider.behave,
      tokens: [secret],
      close: provider.close,
    }
  },
  outcomes: [
    ['taken', { status: 200, body: '{"message":"m-1"}' }, { kind: 'sent', providerMessageId: 'm-1' }],
    ['taken, with an id that no store takes', { status: 200, body: '{"message":"\\u0000"}' }, unread()],
    ['taken, says a page', { status: 200, body: '<html>' }, unread()],
    ['a phone that is not there', { status: 410 }, { kind: 'failed', code: 'not_on_channel' }],
    ['refused', { status: 400 }, { kind: 'failed', code: 'rejected_by_channel' }],
    ['busy', { status: 429 }, { kind: 'retry', reason: 'status 429' }],
    ['gone', 'gone', unread()],
  ],
})

function unread() {
  return { kind: 'retry', reason: 'no answer that could be read' } as const
}
