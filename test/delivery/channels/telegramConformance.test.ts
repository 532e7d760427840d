/** The suite on Telegram. */
import { createHmac, hash } from 'node:crypto'
import { createTelegramKind } from '../../../src/delivery/channels/telegram/telegram.ts'
import { localGuard } from '../../support/guard.ts'
import { describeChannel } from './conformance.ts'

const telegram = createTelegramKind({ guard: localGuard })

const answer = (body: object) => ({ status: 200, body: JSON.stringify(body) })

describeChannel({
  name: 'telegram',
  kind: telegram,
  entry: (base_url, secret) => ({ base_url, access_token: secret, sender_username: 'acme' }),
  provider: {
    beside: ['ask', 'confirm', 'check'],
    taken: () => answer({ ok: true, result: { request_id: '6155' } }),
    handsOver: ({ path }) => path === '/sendVerificationMessage',
    refused: (error) => answer({ ok: false, error }),
  },
  sign: (body, secret, now) => {
    const timestamp = String(Math.floor(now.getTime() / 1000))
    const hmac = createHmac('sha256', hash('sha256', secret, 'buffer'))
      .update(`${timestamp}\n`)
      .update(body)
    return { 'x-request-timestamp': timestamp, 'x-request-signature': hmac.digest('hex') }
  },
  bodies: (told) =>
    told.map(({ accountId, id, leg, providerMessageId, status, at }) => ({
      request_id: providerMessageId,
      payload: `${accountId}/${id}/${leg}`,
      delivery_status: { status: status === 'failed' ? 'expired' : status, updated_at: at.getTime() / 1000 },
    })),
})
