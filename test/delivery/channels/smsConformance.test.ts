/** The suite on providers of SMS whose wires have nothing in common, as their files describe them. */
import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { createSmsKind } from '../../../src/delivery/channels/sms/sms.ts'
import { localGuard } from '../../support/guard.ts'
import { describeChannel } from './conformance.ts'
import { acme } from './sms/acme.ts'

const sms = {
  kind: createSmsKind({ guard: localGuard }),
  reportToken: (secret: string) => secret.slice(-22),
}
/** A file that ships is not filled in. */
const shipped = { ...sms, notFilledIn: ['provider_file'] }
const tooManyFields = Buffer.from('a&'.repeat(600))
const noText = Buffer.from([0xff, 0xfe, 0])
const isPost = ({ method }: { method: string }) => method === 'POST'

describeChannel({
  ...shipped,
  name: 'sms by Twilio: forms, basic authentication, a signature over the address and the form',
  entry: (base_url, auth_token) => ({
    ...{ provider: 'twilio', account_sid: 'AC00000000000000000000000000000000', from: 'Acme' },
    ...{ auth_token, base_url },
  }),
  provider: {
    beside: ['check'],
    handsOver: isPost,
    taken: () => ({ status: 201, body: '{"sid":"SM1f0e8ae6ade43cb3c0ce4525424e404f","status":"queued"}' }),
    refused: (code) => ({ status: 400, body: JSON.stringify({ code, status: 400 }) }),
  },
  sign: (body, secret, _now, url) => {
    const fields = [...new URLSearchParams(body.toString())].toSorted(([one], [other]) => (one < other ? -1 : 1))
    const text = url + fields.flat().join('')
    return { 'x-twilio-signature': createHmac('sha1', secret).update(text).digest('base64') }
  },
  bodies: (told) =>
    told.map(({ providerMessageId: MessageSid, status }) =>
      new URLSearchParams({
        ...{ MessageSid, AccountSid: 'AC00000000000000000000000000000000' },
        ...(status === 'failed' ? { MessageStatus: 'undelivered', ErrorCode: '30003' } : { MessageStatus: status }),
      }).toString(),
    ),
  hasTimes: false,
  unreadable: [tooManyFields, noText],
})

/** A private key that is made of a secret. */
function createKey(secret: string) {
  const before = Buffer.from('302e020100300506032b657004220420', 'hex')
  const seed = createHash('sha256').update(secret).digest()
  return createPrivateKey({ key: Buffer.concat([before, seed]), format: 'der', type: 'pkcs8' })
}

describeChannel({
  ...shipped,
  name: 'sms by Telnyx: JSON, a bearer token, a signature of a public key',
  entry: (base_url, api_key) => {
    const spki = createPublicKey(createKey(api_key)).export({ format: 'der', type: 'spki' })
    const public_key = spki.subarray(-32).toString('base64')
    return { provider: 'telnyx', from: 'Acme', api_key, public_key, base_url }
  },
  provider: {
    beside: ['check'],
    handsOver: isPost,
    taken: () => ({ status: 200, body: '{"data":{"id":"40385f64-5717-4562-b3fc-2c963f66afa6"}}' }),
    refused: (code) => ({ status: 400, body: JSON.stringify({ errors: [{ code }] }) }),
  },
  proof: 'public key',
  sign: (body, secret, now) => {
    const timestamp = String(Math.floor(now.getTime() / 1000))
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), createKey(secret)).toString('base64')
    return { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature }
  },
  bodies: (told) =>
    told.map(({ providerMessageId: id, status, at }) => {
      const isFailed = status === 'failed'
      const to = [{ status: isFailed ? 'delivery_failed' : status }]
      const payload = { id, to, errors: isFailed ? [{ code: '40006' }] : [] }
      return { data: { id: 'event-1', event_type: 'message.finalized', occurred_at: at.toISOString(), payload } }
    }),
  tells: ['delivered', 'failed'],
})

describeChannel({
  ...shipped,
  name: 'sms by Kannel: a query, answers in text, reports by GET that an address with a secret proves',
  entry: (base_url, password) => ({ provider: 'kannel', username: 'me', from: 'Acme', password, base_url }),
  provider: {
    beside: ['check'],
    taken: () => ({ status: 202, body: '0: Accepted for delivery' }),
    refused: (words) => ({ status: 403, body: words }),
  },
  proof: 'token',
  sign: () => ({}),
  bodies: (told) =>
    told.map(({ id, leg, status }) => `ref=${id}.${leg}&status=${status === 'failed' ? 2 : 1}&smsc_id=own-1`),
  isInQuery: true,
  hasTimes: false,
  tells: ['delivered', 'failed'],
  unreadable: [tooManyFields],
})

const acmeWithKey = acme
  .replace('profile: { optional: true }', 'webhook_key: { secret: true }')
  .replace('profile: { id: "{{s.profile}}" }, ', '')
  .replace('map: { delivered: delivered,', 'map: { delivered: delivered, read: read,')
  .replace(
    'signature: { scheme: url-token }',
    'signature: { scheme: hmac, key: "{{s.webhook_key}}", header: x-signature, hash: sha256, encoding: hex, over: "{body}" }',
  )

describeChannel({
  ...sms,
  name: "sms by a file of the operator's own, whose reports name the message by our word",
  entry: (url, secret) => ({
    ...{ provider: './acme.yaml', provider_file: acmeWithKey, from: 'Acme' },
    ...{ api_key: secret, webhook_key: secret, base_url: url },
  }),
  provider: {
    beside: ['check'],
    handsOver: isPost,
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
