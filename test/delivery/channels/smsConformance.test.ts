/** The suite on a provider of SMS that a file describes, which signs its reports. */
import { createHmac } from 'node:crypto'
import { createSmsKind } from '../../../src/delivery/channels/sms/sms.ts'
import { createAddressGuard } from '../../../src/outbound/address.ts'
import { describeChannel } from './conformance.ts'
import { acme } from './sms/acme.ts'

const file = acme
  .replace('profile: { optional: true }', 'webhook_key: { secret: true }')
  .replace('profile: { id: "{{s.profile}}" }, ', '')
  .replace('map: { delivered: delivered,', 'map: { delivered: delivered, read: read,')
  .replace(
    'signature: { scheme: url-token }',
    'signature: { scheme: hmac, key: "{{s.webhook_key}}", header: x-signature, hash: sha256, encoding: hex, over: "{body}" }',
  )

describeChannel({
  name: 'sms',
  kind: createSmsKind({ guard: createAddressGuard({ allowLoopback: true }) }),
  entry: (url, secret) => ({
    ...{ provider: './acme.yaml', provider_file: file, from: 'Acme' },
    ...{ api_key: secret, webhook_key: secret, base_url: url },
  }),
  reportToken: 'AbCdEfGhIjKlMnOpQrStUv',
  provider: {
    beside: ['check'],
    handsOver: ({ method }) => method === 'POST',
    taken: () => ({ status: 202, body: '{"data":{"id":"m-1"}}' }),
    refused: (code) => ({ status: 422, body: JSON.stringify({ errors: [{ code }] }) }),
  },
  sign: (body, secret) => ({ 'x-signature': createHmac('sha256', secret).update(body).digest('hex') }),
  bodies: (told) => [
    told.map(({ id, leg, status, at, providerMessageId }) => ({
      data: { id: providerMessageId, reference: `${id}.${leg}`, status, at: at.toISOString() },
    })),
  ],
})
