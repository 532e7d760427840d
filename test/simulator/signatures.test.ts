/** Every way in which reports are signed, over each of their encodings: what the simulator signs, the service takes. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readProviderFile } from '../../src/delivery/channels/sms/providerFile.ts'
import { standardOptions } from '../../src/simulator/options.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { freePort } from '../support/port.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const schemes = {
  token: 'scheme: url-token',
  hmac: 'scheme: hmac, key: "{{s.key}}", header: x-signature, over: "{body}"',
  address: 'scheme: hmac, key: "{{s.key}}", header: x-signature, encoding: base64, over: "{url}{body}{header:x-once}"',
  dated: 'scheme: hmac, key: "{{s.key}}", header: x-signature, over: "{header:x-time}.{body}", timestamp: x-time',
  members: 'scheme: hmac, key: "{{s.key}}", header: x-signature, member: v1, over: "{member:t}.{body}", timestamp: t',
  prefixed: 'scheme: hmac, key: "{{s.key}}", header: x-signature, prefix: "sha512=", hash: sha512',
  ed25519: 'scheme: ed25519, key: "{{s.key}}", header: x-signature, over: "{header:x-time}|{body}", timestamp: x-time',
  jwt: 'scheme: jwt-body, key: "{{s.key}}", header: authorization, prefix: "Bearer ", issuer: Acme, url: true',
  bare: 'scheme: jwt, key: "{{s.key}}", header: authorization, prefix: "Bearer ", issuer: Acme',
  webhooks: 'scheme: standard-webhooks, key: "{{s.key}}"',
  twilio: 'scheme: twilio, key: "{{s.key}}"',
  plivo: 'scheme: plivo-v3, key: "{{s.key}}"',
  sorted: 'scheme: sorted-params, key: "{{s.key}}"',
  hashed: 'scheme: sorted-params, key: "{{s.key}}", hash: md5hash',
}
const encodings = ['json', 'form', 'query'] as const
const cases = Object.entries(schemes).flatMap(([name, signature]) =>
  encodings.map((as) => ({ provider: `${name}-${as}`, as, signature })),
)

const fileOf = ({ provider, as, signature }: (typeof cases)[number]) => `provider: ${provider}
title: Acme
settings: { key: { optional: true } }
request:
  url: https://api.acme.example/send
  body: { to: "{{to}}", text: "{{text}}", report_url: "{{report_url}}" }
answer:
  id: /id
  rules: [{ when: { /id: "*" }, is: sent }]
report:
  as: ${as}
  id: /id
  status: /status
  map: { delivered: delivered, failed: failed }
  signature: { ${signature} }
examples:
  - { answer: { status: 200, body: { id: a1 } }, is: { kind: sent, id: a1 } }
  - { report: { body: { id: a1, status: delivered, note: "50 % & more = ä" } }, gives: [{ status: delivered }] }
`

let server: TestServer
let simulator: Simulator
beforeAll(async () => {
  const port = await freePort()
  // Reports are signed over the address that the service says it has.
  server = await startServer({ config: { port, publicUrl: `http://127.0.0.1:${port}` } })
  const own = cases.map((one) => readProviderFile(fileOf(one)).file!)
  simulator = await createSimulator({
    now: () => server.runtime.now(),
    smsProviders: [...standardOptions.smsProviders, ...own],
  })
})
afterAll(async () => {
  await server.close()
  await simulator.close()
})

it.each(cases)('is taken, and one that is forged is refused: $provider', async (one) => {
  const { provider } = one
  const { base_url, settings } = simulator.sms(provider)
  const { id: accountId, name: account } = await server.app.accounts.create(`by ${provider}`)
  const entry = { id: 'sms', kind: 'sms', provider: 'own-file.yaml', provider_file: fileOf(one), base_url, ...settings }
  await server.app.connections.apply(accountId, [entry])
  const live = server.as(await server.key({ mode: 'live', account }))
  const sent = async (fault: string) => {
    const phone = newPhone()
    simulator.setFault(phone, fault, 'sms')
    const id = await live.send(phone)
    await server.work()
    await simulator.settled()
    return id
  }
  const forged = await sent('wrong-signature')
  const id = await sent('delivered')
  await expect.poll(() => live.status(id)).toBe('delivered')
  expect(await live.status(forged)).toBe('sent')
})
