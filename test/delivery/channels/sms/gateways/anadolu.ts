/**
 * An operator's API in JSON, as its page has it, with the file that a new user wrote for it from docs/sms.md.
 *
 * - Send: POST a list of messages. `account` and `gsm` are numbers, `gsm` has 10 digits: no 0 and no 90. `unicode` is true for letters
 *   beyond GSM, `validity` is in minutes. `hash` is the SHA-256 of account, gsm and password, in upper-case hex. Phones of Turkey only.
 * - The answer is a list with a `code` and an `id` of 19 digits, as a number; callbacks have the id as a text.
 * - Callbacks are a list, signed by nothing: `type` 1 is a report with a `status`, `type` 2 what a person sent to the short code 3399.
 *   Numbers have the 0 there. RET is no more messages, ONAY is messages again.
 */
import { hash } from 'node:crypto'
import { type Asked, type Provider, startProvider } from '../../../../support/provider.ts'

export const anadolu = `provider: anadolu
title: Anadolu Mobil
countries: [TR]
settings:
  account: { of: digits, about: "number of the account" }
  password: { secret: true, about: "password of the API" }
  from: { of: sender, about: "sender that is approved" }
request:
  url: https://sms.anadolu.example/api/v2/send
  sign: { scheme: sha256, over: "{{s.account}}{{to|significant}}{{s.password}}" }
  body:
    - account: "{{s.account|as:number}}"
      gsm: "{{to|significant|as:number}}"
      sender: "{{s.from}}"
      message: "{{text}}"
      unicode: "{{text|encoding:false,true|as:boolean}}"
      flash: false
      validity: "{{ttl|minutes}}"
      callback: "{{report_url}}"
      hash: "{{signature|upper}}"
answer:
  id: /0/id
  error: /0/code
  price: { amount: /0/price, currency: TRY }
  rules:
    - { when: { /0/code: 0 }, is: sent }
    - { when: { /0/code: 12 }, is: failed, code: not_on_channel }
    - { when: { /0/code: 13 }, is: failed, code: opted_out }
    - { when: { /0/code: 30 }, is: down, why: credentials }
    - { when: { /0/code: 40 }, is: down, why: balance }
    - { when: { /0/code: [50, 99] }, is: retry }
report:
  as: json
  id: /id
  status: /status
  error: /reason
  at: /at
  map: { "1": sent, "2": sent, "3": delivered, "4": failed, "5": failed, "9": failed }
  codes: { "7": not_on_channel, "8": unreachable }
  signature: { scheme: url-token }
inbound:
  when: { /type: 2 }
  id: /id
  from: /gsm
  to: /shortcode
  text: /message
  flag: { at: /message, stop: [RET], start: [ONAY] }
probe:
  url: https://sms.anadolu.example/api/v2/credit
  as: query
  body: { account: "{{s.account}}", hash: "{{signature|upper}}" }
  sign: { scheme: sha256, over: "{{s.account}}{{s.password}}" }
  balance: /credit
examples:
  - answer: { status: 200, body: [{ code: 0, id: 1844674407370955161, price: 0.0420 }] }
    is: { kind: sent, id: "1844674407370955161" }
  - answer: { status: 200, body: [{ code: 12, message: "gsm hatalı" }] }
    is: { kind: failed, code: not_on_channel }
  - report:
      body: [{ type: 1, id: "1844674407370955161", gsm: "05321234567", status: 3, reason: 0, at: 1764324000000 }]
    gives: [{ id: "1844674407370955161", status: delivered, at: 2025-11-28T10:00:00Z }]
  - report: { body: [{ type: 1, id: "9", gsm: "05321234567", status: 4, reason: 7, at: 1764324000000 }] }
    gives: [{ status: failed, code: not_on_channel }]
  - report: { body: [{ type: 2, id: "77", gsm: "05321234567", shortcode: "3399", message: "RET" }] }
    gives: [{ reply: stop, from: "+905321234567" }]
`

export const anadoluSettings = { account: '40712', password: 'a-password', from: 'ACME' }

export interface AnadoluGateway extends Provider {
  /** What it took, in order, as it was on the wire. */
  taken: { id: string; gsm: number; unicode: boolean; message: string; callback: string }[]
}

/** Beyond what a number of JavaScript holds. */
const firstId = 1_844_674_407_370_955_161n

/** The operator as its page says: what it would refuse, it refuses. */
export async function playAnadolu(): Promise<AnadoluGateway> {
  const taken: AnadoluGateway['taken'] = []
  const { account, password } = anadoluSettings
  const digest = (text: string) => hash('sha256', text).toUpperCase()
  const refuse = (code: number) => ({ status: 200, body: JSON.stringify([{ code, message: 'as it says' }]) })
  const provider = await startProvider(({ path, body }: Asked) => {
    const { pathname, searchParams } = new URL(path, 'http://anadolu.example')
    if (pathname.endsWith('/credit')) {
      const isRight = searchParams.get('account') === account && searchParams.get('hash') === digest(account + password)
      return isRight ? { status: 200, body: '{"credit":1250}' } : refuse(30)
    }
    const [message, ...others] = JSON.parse(body)
    const { gsm, unicode, callback, flash, validity } = message
    if (others.length > 0 || message.account !== 40_712 || flash !== false || typeof unicode !== 'boolean')
      return refuse(99)
    if (!Number.isInteger(validity) || validity > 1440) return refuse(99)
    if (!Number.isInteger(gsm) || !/^5\d{9}$/.test(String(gsm))) return refuse(12)
    if (message.hash !== digest(`${account}${gsm}${password}`)) return refuse(30)
    const id = String(firstId + BigInt(taken.length))
    taken.push({ id, gsm, unicode, message: message.message, callback })
    return { status: 200, body: `[{"code":0,"id":${id},"price":0.0420}]` }
  })
  return Object.assign(provider, { taken })
}

/** @returns the status of the answer */
export async function postCallback(url: string, ...callbacks: readonly object[]): Promise<number> {
  const headers = { 'Content-Type': 'application/json' }
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(callbacks) })).status
}
