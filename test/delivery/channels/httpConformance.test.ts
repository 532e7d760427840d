/** The suite on any gateway over HTTP. */
import { createHttpKind } from '../../../src/delivery/channels/http/http.ts'
import { createAddressGuard } from '../../../src/outbound/address.ts'
import { signatureOf } from '../../../src/outbound/signature.ts'
import { describeChannel } from './conformance.ts'

const whsec = (secret: string) => `whsec_${Buffer.from(secret).toString('base64')}`

describeChannel({
  name: 'http',
  kind: createHttpKind({ guard: createAddressGuard({ allowLoopback: true }) }),
  entry: (url, secret) => ({ url, secret: whsec(secret) }),
  provider: {
    beside: [],
    taken: () => ({ status: 202, body: '{"provider_message_id":"m-1"}' }),
    refused: (error) => ({ status: 422, body: JSON.stringify({ error }) }),
  },
  sign: (body, secret, now) => {
    const [id, timestamp] = ['report-1', Math.floor(now.getTime() / 1000)]
    return {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf({ id, timestamp, body }, [whsec(secret)]),
    }
  },
  bodies: (told) => [told.map(({ id, status, at }) => ({ id, status, at: at.toISOString() }))],
})
