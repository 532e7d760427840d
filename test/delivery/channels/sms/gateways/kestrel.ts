/**
 * A gateway that speaks XML, as its vendor's page has it, with the file that a new user wrote for it from docs/sms.md.
 *
 * - Token: POST login/connect/token, a form with `client_id`, `client_secret` and `scope`; JSON, `expires_in` seconds.
 * - Submit: POST /v3/submit, `text/xml`. `X-KMG-Date` is UTC in seconds, five minutes at most; `X-KMG-Signature` is the HMAC-SHA256 in
 *   base64 over the recipient without plus, `|` and that date. Elements in the order of the schema.
 * - Answers have HTTP 200 and a `Status`; with several `Message` for a long text, receipts name the first. A wrong token is 401, in HTML.
 * - Receipts: one or several in a POST, with the number of the part, and a time of Helsinki's clocks that names no zone.
 *   `X-KMG-Receipt-Signature: sha256=<hex>` over the body.
 */
import { createHmac } from 'node:crypto'
import { readXml } from '../../../../../src/mapping/xml.ts'
import { type Asked, type Behaviour, type Provider, startProvider } from '../../../../support/provider.ts'

export const kestrel = `provider: kestrel
title: Kestrel
settings:
  client_id: { about: "id of the API client" }
  client_secret: { secret: true, about: "secret of the API client" }
  signing_secret: { secret: true, about: "signs requests and receipts" }
  from: { of: any_sender, about: "originator" }
token:
  url: https://login.kestrel.example/connect/token
  body:
    grant_type: client_credentials
    client_id: "{{s.client_id}}"
    client_secret: "{{s.client_secret}}"
    scope: sms.submit
  value: /access_token
  expires_in: /expires_in
request:
  url: https://xml.kestrel.example/v3/submit
  headers:
    Content-Type: text/xml; charset=utf-8
    Authorization: "Bearer {{token}}"
    X-KMG-Date: "{{time|iso:seconds}}"
  sign:
    scheme: hmac-sha256
    over: "{{to|digits}}|{{time|iso:seconds}}"
    key: "{{s.signing_secret}}"
    encode: base64
    into: X-KMG-Signature
  as: xml
  body:
    MessageRequest:
      "@xmlns": "urn:kestrel:mt:3"
      "@version": "3.2"
      Message:
        "@ref": "{{reference}}"
        Destination: { "@ton": 1, "#text": "{{to|digits}}" }
        Originator: "{{s.from}}"
        Body: { "@coding": "{{text|encoding:7bit,ucs2}}", "#text": "{{text}}" }
        Validity: { "@unit": s, "#text": "{{ttl}}" }
        Receipt: { "@url": "{{report_url}}" }
answer:
  as: xml
  id: [/MessageResponse/Message/@id, /MessageResponse/Message/0/@id]
  error: /MessageResponse/Status/@code
  rules:
    - { when: { /MessageResponse/Status/@code: "0" }, is: sent }
    - { when: { /MessageResponse/Status/@code: "104" }, is: failed, code: not_on_channel }
    - { when: { /MessageResponse/Status/@code: "105" }, is: failed, code: opted_out }
    - { when: { /MessageResponse/Status/@code: "201" }, is: down, why: balance }
    - { when: { /MessageResponse/Status/@code: "203" }, is: down, why: credentials }
    - { when: { /MessageResponse/Status/@code: "900" }, is: retry }
    - { when: { status: 401 }, is: down, why: credentials }
    - { when: { status: 503 }, is: retry }
report:
  as: xml
  each: /DeliveryReceipts/Receipt
  id: /@id
  status: /State
  error: /Reason
  at: /Done
  zone: Europe/Helsinki
  parts: { id: /@part, of: /@parts }
  map: { ACCEPTD: sent, BUFFERED: sent, DELIVRD: delivered, UNDELIV: failed, EXPIRED: failed, REJECTD: failed }
  codes: { "001": not_on_channel, "006": unreachable, "011": opted_out }
  signature:
    scheme: hmac
    key: "{{s.signing_secret}}"
    header: x-kmg-receipt-signature
    prefix: "sha256="
    over: "{body}"
probe:
  url: https://xml.kestrel.example/v3/credit
  headers: { Authorization: "Bearer {{token}}" }
  balance: /Credit/#text
examples:
  - answer: { status: 200, body: '<MessageResponse><Status code="0">Accepted</Status><Message id="k-1"/></MessageResponse>' }
    is: { kind: sent, id: k-1 }
  - answer:
      status: 200
      body: '<MessageResponse><Status code="0">Accepted</Status><Message id="k-1"/><Message id="k-2"/></MessageResponse>'
    is: { kind: sent, id: k-1 }
  - answer: { status: 200, body: '<MessageResponse><Status code="104">Destination unknown</Status></MessageResponse>' }
    is: { kind: failed, code: not_on_channel, error: "104" }
  - answer: { status: 401, body: '<html><body><hr>Authorization Required</body></html>' }
    is: { kind: down, why: credentials }
  - report:
      body: '<DeliveryReceipts><Receipt id="k-1" part="1" parts="2"><State>DELIVRD</State><Reason>000</Reason><Done>2026-11-28 11:02:03</Done></Receipt></DeliveryReceipts>'
    gives: [{ id: k-1, status: delivered, at: 2026-11-28T09:02:03Z, part: 1, of: 2 }]
`

export const kestrelSettings = {
  client_id: 'acme-1',
  client_secret: 'a-client-secret',
  signing_secret: 'a-signing-secret',
  from: 'Acme',
}

export interface KestrelGateway extends Provider {
  /** Tokens that were given so far. */
  tokens: number
  /** The only token that is taken, as if the others had been revoked. */
  onlyToken: string | undefined
  /** In place of its own answer. */
  insteadOf: { token?: Behaviour; submit?: Behaviour }
  /** What it took, in order. */
  taken: { id: string; to: string; coding: string; text: string; reportUrl: string }[]
}

/** The gateway as its page says: what it would refuse, it refuses. */
export async function playKestrel(now: () => Date): Promise<KestrelGateway> {
  const state = { tokens: 0, onlyToken: undefined, insteadOf: {}, taken: [] } as Omit<KestrelGateway, keyof Provider>
  const provider = await startProvider((asked) => {
    const [own, instead] =
      asked.path === '/connect/token' ? [giveToken, gateway.insteadOf.token] : [take, gateway.insteadOf.submit]
    if (instead !== undefined) return typeof instead === 'function' ? instead(asked) : instead
    return own(asked)
  })
  const gateway: KestrelGateway = Object.assign(state, provider)

  const giveToken = ({ body }: Asked) => {
    const { grant_type, client_id, client_secret, scope } = Object.fromEntries(new URLSearchParams(body))
    const isRight = client_id === kestrelSettings.client_id && client_secret === kestrelSettings.client_secret
    if (grant_type !== 'client_credentials' || scope !== 'sms.submit' || !isRight)
      return { status: 400, body: '{"error":"invalid_client"}' }
    gateway.tokens += 1
    const access_token = `token-${gateway.tokens}`
    return { status: 200, body: JSON.stringify({ access_token, token_type: 'Bearer', expires_in: 3599 }) }
  }
  const take = ({ path, headers, body }: Asked) => {
    const [, token] = /^Bearer (token-\d+)$/.exec(String(headers.authorization)) ?? []
    if (token === undefined || (gateway.onlyToken ?? token) !== token)
      return { status: 401, body: '<html><body><hr>Authorization Required</body></html>' }
    if (path === '/v3/credit') return { status: 200, body: '<Credit currency="EUR">12.50</Credit>' }
    // Its schema has an order.
    const inOrder = /<Message ref="[^"]+"><Destination .*<Originator>.*<Body .*<Validity .*<Receipt .*<\/Message>/s
    if (!inOrder.test(body)) return { status: 200, body: statusOf(901) }
    // biome-ignore lint/suspicious/noExplicitAny: of its own schema
    const { Message } = (readXml(body) as any).MessageRequest
    const [to, date] = [Message.Destination['#text'], String(headers['x-kmg-date'])]
    const signature = createHmac('sha256', kestrelSettings.signing_secret).update(`${to}|${date}`).digest('base64')
    const isNow = /^[-\d]{10}T[:\d]{8}Z$/.test(date) && Math.abs(now().getTime() - Date.parse(date)) < 300_000
    if (headers['x-kmg-signature'] !== signature || !isNow) return { status: 200, body: statusOf(203) }
    const { '@coding': coding, '#text': text } = Message.Body
    const id = `k-${gateway.taken.length + 1}`
    gateway.taken.push({ id, to, coding, text, reportUrl: Message.Receipt['@url'] })
    const more = text.length > (coding === 'ucs2' ? 70 : 160) ? `<Message id="${id}b"/>` : ''
    return { status: 200, body: statusOf(0, `<Message id="${id}"/>${more}`) }
  }
  return gateway
}

function statusOf(code: number, more = ''): string {
  return `<MessageResponse><Status code="${code}">as it says</Status>${more}</MessageResponse>`
}

export interface KestrelReceipt {
  id: string
  part?: number
  parts?: number
  state: string
  reason?: string
  done: string
}

/** Posts receipts, signed as the gateway signs. @returns the status of the answer */
export async function postReceipts(url: string, receipts: readonly KestrelReceipt[]): Promise<number> {
  const told = receipts.map(
    ({ id, part = 1, parts = 1, state, reason = '000', done }) =>
      `<Receipt id="${id}" part="${part}" parts="${parts}"><State>${state}</State><Reason>${reason}</Reason><Done>${done}</Done></Receipt>`,
  )
  return postSigned(url, `<DeliveryReceipts count="${told.length}">${told.join('')}</DeliveryReceipts>`)
}

export async function postSigned(url: string, body: string): Promise<number> {
  const signature = createHmac('sha256', kestrelSettings.signing_secret).update(body).digest('hex')
  const headers = { 'Content-Type': 'text/xml', 'X-KMG-Receipt-Signature': `sha256=${signature}` }
  return (await fetch(url, { method: 'POST', headers, body })).status
}
