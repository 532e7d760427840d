/** The suite on a channel to a gateway over HTTP: as short as one can be, and all that one needs. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Kind } from '../../../src/delivery/channel.ts'
import { digestOf, readJson, toReportTime } from '../../../src/delivery/report.ts'
import { textOf } from '../../../src/delivery/text.ts'
import { createClient } from '../../../src/outbound/client.ts'
import { describeChannel } from './conformance.ts'

const settings = z.strictObject({ url: z.url(), secret: z.string().regex(/^\w{20,100}$/) })
const reportForm = z.array(
  z.object({ id: z.string(), status: z.enum(['delivered', 'read', 'failed']), at: z.number() }),
)
const hmacOf = (body: Buffer, secret: string) => createHmac('sha256', secret).update(body).digest()

const gateway: Kind<z.infer<typeof settings>> = {
  settings,
  fields: () => [
    { name: 'url', title: 'Address', about: 'Where it goes.', leads: true },
    { name: 'secret', title: 'Secret', about: 'Signs.', secret: true },
  ],
  carries: () => true,
  open: ({ url, secret }, { accountId, runtime, answerMs = 8000 }) => {
    const client = createClient({
      connectMs: 500,
      totalMs: answerMs,
      connectionsMax: 64,
      answerBytesMax: 65_536,
      now: () => new Date(),
    })
    return {
      send: async ({ id, leg, phone, content }) => {
        const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
        const body = JSON.stringify({ id: `${id}/${leg}`, phone, text: textOf(content) })
        const answer = await client.ask({ method: 'POST', url, headers, body })
        if (answer.kind === 'unsent') return { kind: 'retry', reason: answer.reason }
        if (answer.kind === 'unknown') return answer
        const reason = `status ${answer.status}`
        if (answer.status < 300) return { kind: 'sent' }
        return answer.status === 410 ? { kind: 'failed', code: 'not_on_channel', reason } : { kind: 'unknown', reason }
      },
      verify: ({ headers, body }) => {
        const given = digestOf(headers['x-gateway-signature'])
        return given !== undefined && timingSafeEqual(given, hmacOf(body, secret))
      },
      parse: (body) =>
        readJson(body, reportForm).map(({ id, status, at }) => ({
          ...{ message: { accountId, id }, status, at: toReportTime(at, runtime.now()) },
          ...(status === 'failed' && { errorCode: 'rejected_by_channel' as const }),
        })),
      close: client.close,
    }
  },
}

describeChannel({
  name: 'to a gateway over HTTP',
  kind: gateway,
  entry: (url, secret) => ({ url, secret }),
  provider: { beside: [], taken: () => ({ status: 200 }) },
  sign: (body, secret) => ({ 'x-gateway-signature': hmacOf(body, secret).toString('hex') }),
  bodies: (told) => [told.map(({ id, status, at }) => ({ id, status, at: at.getTime() }))],
})
