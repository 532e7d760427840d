/**
 * Reports with signatures that were made or taken by the vendors' own packages for Node, at the versions that stand beside
 * them. None of these packages is needed to run the tests.
 */
import { hash } from 'node:crypto'
import {
  createVerifier,
  type SignedRequest,
  signatureForm,
  type Verify,
} from '../../../src/mapping/signatures/signature.ts'

export interface Vector {
  /** As a provider file says it. */
  signature: { scheme: string } & Record<string, unknown>
  key: string
  token: string
  publicUrl: string
  at: string
  report: SignedRequest
  /** The header or the parameter that the signature is in. */
  signedIn: { header: string } | { parameter: string }
  /** Whether the address is signed, and how long a signature is good. */
  signs: { address: boolean; timeSeconds?: number }
}

export const token = '9f8Zq0nLxW3tBv7KcR5yAg'
export const target = `/providers/acct_default/sms-eu/${token}?ref=req_01JD8QK3M2V5X7Z9B1C4D6F8G0.1`
const standard = { token, publicUrl: 'https://sms.example.com', at: '2026-11-24T20:25:39.000Z' }
const key = '{{s.secret}}'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }

/** The parameters of a report of Vonage's SMS API, but for `sig`. */
export const vonageParameters = {
  msisdn: '14155550100',
  to: 'Acme',
  'network-code': '310090',
  messageId: '0A0000000123ABCD1',
  price: '0.03330000',
  status: 'delivered',
  scts: '2611242025',
  'err-code': '0',
  'api-key': 'abcd1234',
  'message-timestamp': '2026-11-24 20:25:39',
  'client-ref': 'a=b&c',
  timestamp: '1795551939',
  nonce: 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab',
}

/** By nexmo 2.9.1, `Nexmo.generateSignature(method, secret, parameters)`, without and with our `ref` among the parameters. */
export const vonageSignatures = {
  md5hash: ['478b8a27ab28935a0647a5e9621a7e21', '5ad5a142e339c08e4c09f1d5b1cd0ad1'],
  md5: ['ab6f825a504eb846fcc71b191080d672', '4f061f101b1d9219f1cd3cc0ceeba2f5'],
  sha1: ['2eb581fb2444dd0b96769375593c3a0f7b6bf8e9', 'fb838f8f2aa09d02c823660f8d66c1cd504d6bbb'],
  sha256: [
    'ca871d0d33c082f05e13618d308dffc728924dde421070e405528bc6db70a5d2',
    '2f2ada121c49677a4a9bf6747f116f69f0c525ce81cb35e82da4bf0829b75373',
  ],
  sha512: [
    'ab6c649335ee366010924a0a3ce258ece9a243edcaf7d65da4dd0bbce2a4999493b8c9aab8bff31665829a03679f61fe90bd0e670355cd50a0127e333a5d2a96',
    '4daaf8da6dae9861e1be17e178f175c37b14016cc3a7e1e9758a8f44205bc42ba149a4066562de9f9b410a887656d33e4898a4b6e71dea4d964c6724f3b06730',
  ],
} as const

const twilioBody =
  'MessageSid=SM0123456789abcdef0123456789abcdef&MessageStatus=delivered&To=%2B14155550100&From=Acme+%26+Co' +
  '&AccountSid=AC0123456789abcdef0123456789abcdef&ErrorCode=&RawDlrDoneDate=2611242025'
const twilioJson = '{"MessageSid":"SM01","MessageStatus":"delivered"}'
const plivoBody = 'From=14155550101&MessageUUID=3f2b&Status=delivered&To=14155550100&ErrorCode=000&Text=a%3Db+c'
const sinchBody =
  '{"at":"2026-11-24T20:25:39.280Z","batch_id":"01FC66621XXXXX119Z8PMV1QPQ","code":0,"recipient":"14155550100",' +
  '"status":"Delivered","type":"recipient_delivery_report_sms"}'
const telnyxBody =
  '{"data":{"event_type":"message.finalized","id":"ac012cbf-5e09-46af-a69a-7c0e2d90993c",' +
  '"occurred_at":"2026-11-24T20:25:39.280+00:00","payload":{"id":"40385f64-5717-4562-b3fc-2c963f66afa6",' +
  '"to":[{"status":"delivered"}]}}}'
const vonageBody =
  '{"message_uuid":"aaaaaaaa-bbbb-cccc-dddd-0123456789ab","to":"14155550100","from":"Acme",' +
  '"timestamp":"2026-11-24T20:25:39Z","status":"delivered"}'

const posted = (body: string, headers: Record<string, string>, to = target): SignedRequest => ({
  method: 'POST',
  target: to,
  headers,
  body: Buffer.from(body),
})
const got = (to: string, headers: Record<string, string> = {}): SignedRequest => ({
  method: 'GET',
  target: to,
  headers,
  body: Buffer.alloc(0),
})

export const vectors: Record<string, Vector> = {
  /** By twilio 6.2.0, `getExpectedTwilioSignature(authToken, url, params)`. */
  'twilio, a form': {
    ...standard,
    signature: { scheme: 'twilio', key },
    key: '12345678901234567890123456789012',
    report: posted(twilioBody, { ...form, 'x-twilio-signature': 'LjgLijwhj7g5ZZ5U6dBcUeLaY80=' }),
    signedIn: { header: 'x-twilio-signature' },
    signs: { address: true },
  },
  /** By twilio 6.2.0, with `getExpectedBodyHash(body)` in the query. */
  'twilio, JSON': {
    ...standard,
    signature: { scheme: 'twilio', key },
    key: '12345678901234567890123456789012',
    report: posted(
      twilioJson,
      { ...json, 'x-twilio-signature': 'vTiyZ0RKZgkt5trDcAzQV7ep3fk=' },
      `${target}&bodySHA256=${hash('sha256', twilioJson)}`,
    ),
    signedIn: { header: 'x-twilio-signature' },
    signs: { address: true },
  },
  'sorted-params, a query': {
    ...standard,
    signature: { scheme: 'sorted-params', hash: 'sha256', key },
    key: 'vonage-signature-secret',
    report: got(`${target}&${new URLSearchParams({ ...vonageParameters, sig: vonageSignatures.sha256[0] })}`),
    signedIn: { parameter: 'sig' },
    signs: { address: false, timeSeconds: 300 },
  },
  'sorted-params, a form': {
    ...standard,
    signature: { scheme: 'sorted-params', hash: 'md5hash', key },
    key: 'vonage-signature-secret',
    report: posted(`${new URLSearchParams({ ...vonageParameters, sig: vonageSignatures.md5hash[0] })}`, form),
    signedIn: { parameter: 'sig' },
    signs: { address: false, timeSeconds: 300 },
  },
  'sorted-params, JSON': {
    ...standard,
    signature: { scheme: 'sorted-params', hash: 'sha512', key },
    key: 'vonage-signature-secret',
    report: posted(JSON.stringify({ ...vonageParameters, sig: vonageSignatures.sha512[0] }), json),
    signedIn: { parameter: 'sig' },
    signs: { address: false, timeSeconds: 300 },
  },
  /** `validateV3Signature` of plivo 4.79.0 takes it. */
  'plivo-v3': {
    ...standard,
    signature: { scheme: 'plivo-v3', key },
    key: 'plivo-auth-token',
    report: posted(plivoBody, {
      ...form,
      'x-plivo-signature-v3': 'q9tfC/X1KX1peN38cgc0MswoNcaLW+A17UaRJU+IHXo=',
      'x-plivo-signature-v3-nonce': '12345678901234567890',
    }),
    signedIn: { header: 'x-plivo-signature-v3' },
    signs: { address: true },
  },
  /** By @sinch/sdk-client 1.4.0, `calculateWebhookSignature(computeSignedData(body, nonce, timestamp), secret)`. */
  'hmac, of Sinch': {
    ...standard,
    signature: {
      scheme: 'hmac',
      header: 'X-Sinch-Webhook-Signature',
      hash: 'sha256',
      encoding: 'base64',
      over: '{body}.{header:x-sinch-webhook-signature-nonce}.{header:x-sinch-webhook-signature-timestamp}',
      timestamp: 'x-sinch-webhook-signature-timestamp',
      key,
    },
    key: 'foo_secret1234',
    report: posted(sinchBody, {
      ...json,
      'x-sinch-webhook-signature': 'pWAg6vmYYax8ozPKpGl4rIJOm3fKLnUfol/qiR2dX08=',
      'x-sinch-webhook-signature-nonce': '01FJA8B4A7BM43YGWSG9GBV067',
      'x-sinch-webhook-signature-timestamp': '1795551939',
    }),
    signedIn: { header: 'x-sinch-webhook-signature' },
    signs: { address: false, timeSeconds: 300 },
  },
  /** `TelnyxWebhook.verify` of telnyx 7.24.0 takes it. The key is that of test 1 in RFC 8032, section 7.1. */
  'ed25519, of Telnyx': {
    ...standard,
    signature: {
      scheme: 'ed25519',
      header: 'telnyx-signature-ed25519',
      over: '{header:telnyx-timestamp}|{body}',
      timestamp: 'telnyx-timestamp',
      tolerance: 300,
      key,
    },
    key: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    report: posted(telnyxBody, {
      ...json,
      'telnyx-signature-ed25519':
        'VkCsts2IuXbWDuums7ZHSv1V43nrYMHoBu1WgxPFj6fp9EtNDkjwQiuSmXBKW3v9Z7OgPbML+yia+0NXJM4pCQ==',
      'telnyx-timestamp': '1795551939',
    }),
    signedIn: { header: 'telnyx-signature-ed25519' },
    signs: { address: false, timeSeconds: 300 },
  },
  /** From the reference tokens that messagebird 4.0.1 ships and tests itself with. */
  'jwt-body, of MessageBird, a query': {
    token: 'path',
    publicUrl: 'https://example.com',
    at: '2021-07-05T10:00:00.000Z',
    signature: { scheme: 'jwt-body', header: 'MessageBird-Signature-JWT', issuer: 'MessageBird', url: true, key },
    key: '36efdd1aace2e26cd490f0d951138253bef2f7c6d34d18981da781555cc4cebb',
    report: got('/path?bar=1&foo=2', {
      'messagebird-signature-jwt':
        'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJNZXNzYWdlQmlyZCIsIm5iZiI6MTYyNTQ3OTIwMCwiZXhwIjoxNjI1NDc5MjYwLC' +
        'JqdGkiOiJjOTQ2YWY3Ny1lMTgyLTRlYWEtYjJmZi0xYTU0NWI1ZTk5MWEiLCJ1cmxfaGFzaCI6IjQxZjA1ZjBkZGQwYTIyYWIyMDlhYzQ2ZjQ3Yz' +
        'Q1NzJkOWNlZmEyNTdlZDc0YjI0MDA0YmFlNzUzZWNlNmMyNjAifQ.huo2ou6JDoDc7sV25d75UMWeYhBeavQlLsqIibSZuac',
    }),
    signedIn: { header: 'messagebird-signature-jwt' },
    signs: { address: true },
  },
  'jwt-body, of MessageBird, a body': {
    token: 'path',
    publicUrl: 'https://example.com',
    at: '2021-07-05T10:00:00.000Z',
    signature: { scheme: 'jwt-body', header: 'MessageBird-Signature-JWT', issuer: 'MessageBird', url: true, key },
    key: '36efdd1aace2e26cd490f0d951138253bef2f7c6d34d18981da781555cc4cebb',
    report: posted(
      'Hello, World!',
      {
        'messagebird-signature-jwt':
          'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJNZXNzYWdlQmlyZCIsIm5iZiI6MTYyNTQ3OTIwMCwiZXhwIjoxNjI1NDc5MjYwLC' +
          'JqdGkiOiI5M2U1NTAwNi1hMGU4LTQ1MjYtYTE5MC1mYTVmZjAwZWExMTYiLCJ1cmxfaGFzaCI6IjQxZjA1ZjBkZGQwYTIyYWIyMDlhYzQ2ZjQ3Yz' +
          'Q1NzJkOWNlZmEyNTdlZDc0YjI0MDA0YmFlNzUzZWNlNmMyNjAiLCJwYXlsb2FkX2hhc2giOiJkZmZkNjAyMWJiMmJkNWIwYWY2NzYyOTA4MDllYz' +
          'NhNTMxOTFkZDgxYzdmNzBhNGIyODY4OGEzNjIxODI5ODZmIn0._H--TOuYFLpeEH39-rg5E3IHVkjHozBcaKVWPRC5m9I',
      },
      '/path?bar=1&foo=2',
    ),
    signedIn: { header: 'messagebird-signature-jwt' },
    signs: { address: true },
  },
  /** `verifySignature` of @vonage/jwt 1.14.0 takes it; the claims are those that Vonage's pages show. */
  'jwt-body, of Vonage Messages': {
    ...standard,
    signature: { scheme: 'jwt-body', header: 'Authorization', prefix: 'Bearer ', issuer: 'Vonage', key },
    key: 'vonage-signature-secret',
    report: posted(vonageBody, {
      ...json,
      authorization:
        'Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpYXQiOjE3OTU1NTE5MzksImp0aSI6ImM1YmE4ZjI0LTFhMTQtNGMxMC1iZmRmLTNmY' +
        'mU4Y2U1MTFiNSIsImlzcyI6IlZvbmFnZSIsInBheWxvYWRfaGFzaCI6IjVmNjhjYjQ0MDdlMzA5NjU0NGUyNzk1ZDJjMTlmYWI3ZjM3ZjNkMjhl' +
        'NTNjOWMxMGMwNDFhMjZkNGIzM2ZmZTEiLCJhcGlfa2V5IjoiYWJjZDEyMzQiLCJhcHBsaWNhdGlvbl9pZCI6ImFhYWFhYWFhLWJiYmItY2NjYy1k' +
        'ZGRkLTAxMjM0NTY3ODlhYiJ9.caKRjklphouIPWODGRs6da0wRR-SXITFbDohY4wZXGA',
    }),
    signedIn: { header: 'authorization' },
    signs: { address: false, timeSeconds: 300 },
  },
  /** By standardwebhooks 1.1.1, `new Webhook(secret).sign(id, date, body)`. */
  'standard-webhooks': {
    ...standard,
    signature: { scheme: 'standard-webhooks', key },
    key: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    at: '2021-02-25T15:02:10.000Z',
    report: posted('{"test": 2432232314}', {
      ...json,
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }),
    signedIn: { header: 'webhook-signature' },
    signs: { address: false, timeSeconds: 300 },
  },
}

/** The verifier of a vector, or of one that differs from it. */
export function verifierOf(
  vector: Vector,
  other: { keys?: string[]; publicUrl?: string | undefined; afterSeconds?: number } = {},
): Verify {
  const now = new Date(Date.parse(vector.at) + (other.afterSeconds ?? 0) * 1000)
  return createVerifier({
    signature: signatureForm.parse(vector.signature),
    keys: other.keys ?? [vector.key],
    publicUrl: 'publicUrl' in other ? other.publicUrl : vector.publicUrl,
    token: vector.token,
    now: () => now,
  })
}
