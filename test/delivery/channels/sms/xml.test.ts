/** A gateway that speaks XML: the request, the answer, the report and the balance, by one provider file. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkProviderFile } from '../../../../src/delivery/channels/sms/providerFile.ts'
import { createSmsKind } from '../../../../src/delivery/channels/sms/sms.ts'
import { UnreadableReport } from '../../../../src/delivery/report.ts'
import { textOfFault } from '../../../../src/kit/reading/formFaults.ts'
import { localGuard } from '../../../support/guard.ts'
import { type Provider, startProvider } from '../../../support/provider.ts'
import { testRuntime } from '../../../support/runtime.ts'

const file = `provider: stork
title: Stork
settings:
  token: { secret: true }
  from: { optional: true }
request:
  url: https://sms.stork.example/send
  as: xml
  body:
    request:
      "@token": "{{s.token}}"
      message: { "@to": "{{to|digits}}", from: "{{s.from}}", text: "{{text}}" }
answer:
  as: xml
  id: /response/message/@id
  error: /response/error/@code
  rules:
    - { when: { /response/message/@id: "*" }, is: sent }
    - { when: { /response/error/@code: "007" }, is: failed, code: not_on_channel }
report:
  as: xml
  each: /reports/report
  id: /@id
  status: /#text
  map: { DELIVRD: delivered }
  signature: { scheme: url-token }
probe:
  url: https://sms.stork.example/balance
  headers: { X-Token: "{{s.token}}" }
  balance: /balance/#text
examples:
  - answer: { status: 200, body: '<response><message id="a-1"/></response>' }
    is: { kind: sent, id: a-1 }
  - answer: { status: 200, body: { response: { error: { "@code": "007" } } } }
    is: { kind: failed, code: not_on_channel, error: "007" }
  - report: { body: '<reports><report id="a-1">DELIVRD</report></reports>' }
    gives: [{ id: a-1, status: delivered }]
`

let provider: Provider
beforeAll(async () => {
  provider = await startProvider({ status: 200 })
})
afterAll(() => provider.close())

function open() {
  const runtime = testRuntime()
  const kind = createSmsKind({ guard: localGuard })
  const entry = { provider: './stork.yaml', provider_file: file, token: 'a<b', base_url: provider.url }
  const parts = { accountId: 'acct_a', connection: 'sms', publicUrl: undefined, runtime, log: runtime.log }
  return kind.open(kind.settings.parse(entry), parts)
}
const content = { kind: 'verification', code: '482913', brandName: 'A & <B>' } as const
const message = {
  ...{ accountId: 'acct_a', id: 'req_01JD', leg: 1, connection: 'sms', phone: '+14155550100' },
  ...{ content, attempt: 1, expiresAt: null },
}

async function outcomeOf(body: string) {
  provider.behave({ status: 200, body })
  const channel = open()
  const outcome = await channel.send(message)
  await channel.close?.()
  return outcome
}

it('sends a message as XML, and reads the answer, the reports and the balance', async () => {
  expect(checkProviderFile(file).faults).toBe(undefined)
  expect(await outcomeOf('<?xml version="1.0"?>\n<response><message id="a-7"/></response>')).toMatchObject({
    ...{ kind: 'sent', providerMessageId: 'a-7' },
  })
  const asked = provider.asked.at(-1)
  expect(asked?.headers['content-type']).toBe('application/xml')
  expect(asked?.body).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?><request token="a&lt;b"><message to="14155550100"><text>.*A &amp; &lt;B&gt;.*482913/,
  )
  const channel = open()
  const reports = '<reports><report id="a-7">DELIVRD</report><report id="a-8">QUEUED</report></reports>'
  expect([...channel.parse(Buffer.from(reports))]).toMatchObject([
    { providerMessageId: 'a-7', status: 'delivered' },
    undefined,
  ])
  provider.behave({ status: 200, body: '<balance currency="EUR">12.50</balance>' })
  expect(await channel.check?.([])).toContainEqual({ level: 'good', text: 'Stork takes the settings; balance 12.5' })
  await channel.close?.()
})

it.each([
  ['a DTD with an entity', '<!DOCTYPE r [<!ENTITY x "a-1">]><response><message id="&x;"/></response>'],
  ['two roots', '<response><message id="a-1"/></response><response/>'],
  ['a megabyte', `<response><message id="a-1"/>${' '.repeat(1_000_000)}</response>`],
  ['10,000 elements in one another', `<response><message id="a-1"/>${'<a>'.repeat(10_000)}`],
  ['HTML', '<html><body><br>busy</html>'],
])('takes an answer with %s for none: the next connection is asked', async (_what, body) => {
  expect(await outcomeOf(body)).toMatchObject({ kind: 'unknown' })
  const channel = open()
  expect(() => [...channel.parse(Buffer.from(body))]).toThrow(UnreadableReport)
  await channel.close?.()
})

it('names each member that XML cannot have, with its line', () => {
  const faultsOf = (body: string) =>
    checkProviderFile(file.replace(/ {4}request:\n[\s\S]*?\nanswer:/, `${body}\nanswer:`)).faults?.map((fault) =>
      textOfFault(fault, 'stork.yaml'),
    )
  expect(faultsOf('    a: { "b c": "{{to}}" }')).toEqual(['stork.yaml:10: request.body.a.b c: must be a name of XML'])
  expect(faultsOf('    a: 1\n    b: "{{to}}"')).toEqual([
    'stork.yaml:9: request.body: must be a mapping with one member, the root: the body is sent as xml',
  ])
})
