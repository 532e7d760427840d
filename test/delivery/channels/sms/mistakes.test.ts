/** `providers check` finds each mistake that docs/sms.md and YAML make possible, once, with its line. */
import { describe, expect, it } from 'vitest'
import { checkProviderFile } from '../../../../src/delivery/channels/sms/providerFile.ts'
import { textOfFault } from '../../../../src/kit/reading/formFaults.ts'

/** With all that a file can have. */
const file = `provider: acme
title: Acme SMS
settings:
  api_key: { secret: true, about: "API key" }
  from: { about: "sender" }
  flash: { optional: true, values: ["true", "false"] }
token:
  url: https://auth.acme.example/token
  body: { grant_type: client_credentials, key: "{{s.api_key}}" }
  value: /access_token
  expires_in: /expires_in
request:
  method: POST
  url: https://api.acme.example/messages
  headers: { Authorization: "Bearer {{token}}" }
  body:
    to: "{{to}}"
    from: "{{s.from}}"
    text: "{{text}}"
    flash: "{{s.flash|as:boolean}}"
  sign: { scheme: hmac-sha256, over: "{{time}}{{body}}", key: "{{s.api_key}}", encode: hex, into: X-Signature }
answer:
  id: /id
  error: /error/code
  price: { amount: /cost, currency: EUR }
  rules:
    - { when: { status: 2xx, /id: "*" }, is: sent }
    - { when: { status: [401, 403] }, is: down, why: credentials }
    - { when: { status: 4xx }, is: failed, code: rejected_by_channel }
report:
  as: json
  id: /id
  status: /status
  error: /error
  at: /at
  zone: America/Sao_Paulo
  parts: { id: /part, of: /count }
  map: { delivered: delivered, failed: failed }
  codes: { "1": opted_out }
  signature: { scheme: url-token }
inbound:
  when: { /event: received }
  from: /from
  text: /text
  flag: { at: /word, stop: [OPTOUT], start: [OPTIN] }
probe:
  url: https://api.acme.example/balance
  balance: /balance
examples:
  - answer: { status: 200, body: { id: abc-1 } }
    is: { kind: sent, id: abc-1 }
  - report: { body: { id: abc-1, status: delivered } }
    gives: [{ id: abc-1, status: delivered }]
`

const faultsOf = (text: string) => checkProviderFile(text).faults?.map((fault) => textOfFault(fault, 'acme.yaml')) ?? []

/** What stands in the file, what a stranger writes in its place, the line and the words of what is said. */
type Mistake = [text: string, other: string, line: number, words: string, next?: string]

const tables: Readonly<Record<string, readonly Mistake[]>> = {
  'of XML': [
    ['to: "{{to}}"', 'sms: { "@to": "{{to}}" }', 17, 'request.body.sms.@to: is for XML: say as: xml; or as: json, if'],
    ['to: "{{to}}"', 'sms: { "#text": "{{to}}" }', 17, 'request.body.sms.#text: is for XML: say as: xml; or as: json'],
    ['id: /id\n  error: /error/code', 'id: /r/@id\n  error: /e', 23, 'answer.id: is for XML: say as: xml; or as: json'],
    ['/id: "*"', '/r/#text: "*"', 27, 'answer.rules, entry 1, when./r/#text: is for XML: say as: xml'],
    [
      '  body:\n',
      '  body: "<sms/>"\n  more:\n',
      16,
      'request.body: must be a mapping or a list, and no text',
      'request.more: ',
    ],
    [
      '  body:\n',
      '  as: xml\n  body: <sms/>\n  more:\n',
      17,
      'request.body: must be a mapping or a list, and no text',
      'request.more: ',
    ],
    ['body: { id: abc-1 }', 'body: "<id>1</id>"', 51, 'examples, entry 1, is: the answer cannot be read with as: json'],
  ],
  'of a request': [
    ['POST', 'DELETE', 13, 'request.method: must be GET, POST or PUT'],
    ['POST', 'post', 13, 'request.method: must be GET, POST or PUT'],
    ['POST', 'GET', 16, 'request.body: is sent as JSON, with GET: say as: query; or as: json, if JSON is meant'],
    ['  balance:', '  body: { a: b }\n  balance:', 48, 'probe.body: is sent as JSON, with GET: say as: query; '],
    ['  body:\n', '  as: yaml\n  body:\n', 16, 'request.as: must be json, form, query or xml'],
    [
      '  body:\n',
      '  auth: { basic: me:word }\n  body:\n',
      16,
      'request.auth.basic: must be a list of user and password',
    ],
    [
      '"Bearer {{token}}" }',
      '"{{token}}", authorization: b }',
      15,
      'request.headers.authorization: names a header that',
    ],
    ['"Bearer {{token}}" }', '"{{token}}", x-signature: b }', 21, 'request.sign.into: names a header that is there'],
    ['{ Authorization: "Bearer {{token}}" }', '[X-Token, "{{token}}"]', 15, 'request.headers: must be a mapping'],
    ['url: https://api.acme.example/messages', 'timeout: 5', 12, 'request.url: is missing', 'request.timeout: is not'],
    ['"{{to}}"', '{{to}}', 17, 'request.body.to: begins with two braces: put the text in quotes'],
    [
      '"Bearer {{token}}"',
      'Bearer {{token}}',
      15,
      'is no YAML: there is something where nothing may be: put the text in',
    ],
    [
      'over: "{{time}}{{body}}"',
      'over: "{{time}}{body}"',
      21,
      'request.sign.over: has one brace where a placeholder has',
    ],
    [
      'key: "{{s.api_key}}", encode',
      'key: secret, encode',
      21,
      'request.sign.key: must have a setting, like {{s.secret}}',
    ],
    ['hmac-sha256', 'hmac-sha512', 21, 'request.sign.scheme: must be hmac-sha256, sha256, sha1 or md5'],
    ['over: "{{time}}{{body}}", ', '', 21, 'request.sign.over: is missing'],
  ],
  'of a token': [
    [
      'client_credentials,',
      '{ a: b },',
      9,
      'token.body.grant_type: must be a text or a list of texts: the body is sent as form',
    ],
    [
      '{{s.api_key}}" }\n  value',
      '{{s.flash|as:boolean}}" }\n  value',
      9,
      'token.body.key: has as where there are no types',
    ],
    ['Bearer {{token}}', 'Bearer', 7, 'token: is fetched for nothing: write {{token}} in request'],
    ['/access_token', 'access_token', 10, 'token.value: must be a JSON Pointer: it begins with "/"'],
    ['/expires_in', '3600', 11, 'token.expires_in: must be a JSON Pointer like /data/id'],
  ],
  'of settings': [
    [
      'flash: { optional',
      'Flash: { optional',
      6,
      'settings.Flash: its name must be 1 to 32 lower-case letters, digits and "_"',
      'body.flash: ',
    ],
    [
      '  flash: {',
      '  reports: { optional: true }\n  flash: {',
      6,
      'settings.reports: has a name that every connection has',
    ],
    ['secret: true', 'secret: yes', 4, 'settings.api_key.secret: must be true or false'],
    ['about: "sender"', 'required: true', 5, 'settings.from.required: is not known'],
    [
      'about: "sender"',
      'of: number',
      5,
      'settings.from.of: must be one of hex, digits, word, phone, sender, any_sender',
    ],
    ['about: "sender"', 'needs: name', 5, 'settings.from.needs: names name, which is no other setting'],
    ['token:\n', 'one_of: [flash, from]\ntoken:\n', 7, 'one_of, entry 2: names from, which every connection must have'],
  ],
  'of an answer': [
    ['is: sent }', 'is: ok }', 27, 'answer.rules, entry 1, is: must be sent, retry, failed, down or unknown'],
    ['code: rejected_by_channel', 'code: rejected', 29, 'answer.rules, entry 3, code: must be one of not_on_channel, '],
    [', code: rejected_by_channel', '', 29, 'answer.rules, entry 3: a code goes with failed, and failed with a code'],
    ['is: sent }', 'is: sent, why: balance }', 27, 'answer.rules, entry 1: a why goes with down'],
    ['{ status: 4xx }', '4xx', 29, 'answer.rules, entry 3, when: must be a mapping'],
    [
      '2xx',
      '20x',
      27,
      'answer.rules, entry 1, when.status: must be a status like 200, a class like 2xx, or a list of them',
    ],
    ['/id: "*"', 'id: "*"', 27, 'answer.rules, entry 1, when.id: must be status, text or a JSON Pointer'],
    ['error: /error/code', 'error: error.code', 24, 'answer.error: must be a JSON Pointer: it begins with "/"'],
    [
      'error: /error/code',
      'retry_after: 60',
      24,
      'answer.retry_after: must be header, or a JSON Pointer to the seconds',
    ],
    ['EUR', 'euro', 25, 'answer.price.currency: must be a currency like EUR, or a JSON Pointer to it'],
    ['EUR', 'XYZ', 25, 'answer.price.currency: is no currency of ISO 4217'],
    ['amount: /cost', 'amount: 0.05', 25, 'answer.price.amount: must be a JSON Pointer like /data/id'],
    ['balance: /balance', 'balance: balance', 48, 'probe.balance: must be a JSON Pointer: it begins with "/"'],
  ],
  'of a report': [
    ['  as: json\n', '', 30, 'report.as: is missing'],
    ['  as: json\n', '  as: text\n', 31, 'report.as: must be json, form, query or xml'],
    ['  status: /status\n', '', 30, 'report.status: is missing'],
    ['status: /status', 'status: [/status, /state]', 33, 'report.status: must be a JSON Pointer like /data/id'],
    [
      'America/Sao_Paulo',
      'Mars/Olympus',
      36,
      'report.zone: must be UTC, an offset like +03:00, or a time zone like Am',
    ],
    ['  at: /at\n', '', 35, 'report.zone: is of the time that at points to, and at is missing'],
    ['{ id: /part, of: /count }', '{ of: /count }', 37, 'report.parts.id: is missing'],
    [
      '{ id: /part, of: /count }',
      '{ id: /part, of: 3 }',
      37,
      'report.parts.of: must be a JSON Pointer like /data/id, or',
    ],
    ['{ id: /part, of: /count }', 'true', 37, 'report.parts: must be a mapping'],
    ['failed: failed }', 'UNDELIV: undelivered }', 38, 'report.map.UNDELIV: must be sent, delivered, read or failed'],
    [
      '{ delivered: delivered, failed: failed }',
      '{}',
      38,
      'report.map: must have a status: without one, reports change',
    ],
    ['"1": opted_out', '"1": stop', 39, 'report.codes.1: must be one of not_on_channel, opted_out, '],
    ['  error: /error\n', '', 38, 'report.codes: are what error points to, and error is missing'],
    ['  signature: { scheme: url-token }\n', '', 30, 'report.signature: is missing'],
    ['url-token', 'none', 40, 'report.signature.scheme: must be one of standard-webhooks, twilio, '],
    ['url-token', 'hmac, header: X-S, key: "{{api_key}}"', 40, 'report.signature.key: must be one setting, like {{s.'],
    [
      'url-token',
      'hmac, header: X-S, key: "{{s.key}}"',
      40,
      'report.signature.key: has a placeholder for a setting that',
    ],
    ['url-token', 'hmac, key: "{{s.api_key}}"', 40, 'report.signature.header: is missing'],
    [
      'gives: [{ id: abc-1, status: delivered }]',
      'is: [sent]',
      52,
      'examples, entry 2, gives: is missing',
      'examples, entry 2',
    ],
    [
      'gives: [{ id: abc-1, status: delivered }]',
      'gives: []',
      53,
      'examples, entry 2, gives: the report tells of 1, not of',
    ],
    ['body: { id: abc-1, s', 'body: { s', 53, 'examples, entry 2, gives: id is not there, not abc-1'],
    [
      'status: delivered } }',
      'status: queued } }',
      53,
      'examples, entry 2, gives: the report tells of nothing, not of 1',
    ],
  ],
  'of replies': [
    ['{ /event: received }', 'received', 42, 'inbound.when: must be a mapping'],
    ['{ /event: received }', '{ event: received }', 42, 'inbound.when.event: must be a JSON Pointer'],
    ['at: /word, ', '', 45, 'inbound.flag.at: is missing'],
    ['[OPTOUT]', '[]', 45, 'inbound.flag.stop: must not be empty'],
  ],
  'of YAML': [
    ['  method', '\tmethod', 13, 'is no YAML: a line is indented with a tab: use spaces'],
    ['    to: "{{to}}"', '    \tto: "{{to}}"', 17, 'is no YAML: a line is indented with a tab: use spaces'],
    ['    to: "{{to}}"\n', '    to: "{{to}}"\n    to: "{{to}}"\n', 18, 'request.body.to: is there twice'],
    [
      '  method',
      ' method',
      13,
      'is no YAML: a line is not indented as those that it belongs to, or a bracket is not closed',
    ],
    [
      '    from: "',
      '      from: "',
      18,
      'is no YAML: a line is not indented as those that it belongs to, or a bracket is',
    ],
    [
      '    - { when: { status: 4',
      '   - { when: { status: 4',
      29,
      'is no YAML: a line is not indented as those that it',
    ],
    ['Acme SMS', 'Acme: SMS', 2, 'is no YAML: a line has a second colon: put the text in quotes'],
    ['Acme SMS', '"Acme SMS', 2, 'is no YAML: a quote, a bracket, a comma or a colon is missing'],
    ['Acme SMS', '@acme', 2, 'is no YAML: a text begins with a character that YAML reserves: put the text in quotes'],
    ['Acme SMS', '42', 2, 'title: must be a text'],
    ['Acme SMS', '#1 SMS', 2, 'title: has no value'],
    ['method: POST', 'method:POST', 13, 'is no YAML: a line has no colon with a blank behind it'],
    ['request:', 'request', 12, 'is no YAML: a line has no colon with a blank behind it'],
    [
      '[401, 403]',
      '[401, 403',
      28,
      'is no YAML: a line is not indented as those that it belongs to, or a bracket is not',
    ],
    [
      'id: /part, of',
      'id: /part of',
      37,
      'is no YAML: a comma is missing within brackets, or there are lines of a list',
    ],
    ['{ id: /part', '&part { id: /part', 37, 'report.parts: must not have an anchor (&)'],
    ['{ at: /word', '{ <<: *part, at: /word', 45, 'inbound.flag.<<: must not be an alias (*): write the value itself'],
  ],
}

it('finds nothing in a file with all that a file can have', () => {
  expect(faultsOf(file)).toEqual([])
  // A part of a text may leave out how many there are.
  expect(faultsOf(file.replace(', of: /count', ''))).toEqual([])
})

describe.each(Object.entries(tables))('a mistake %s', (_of, mistakes) => {
  it.each<Mistake>(mistakes)('%j as %j is told with line %i', (text, other, line, words, next) => {
    expect(file).toContain(text)
    const faults = faultsOf(file.replace(text, () => other))
    expect(faults).toEqual([words, next ?? []].flat().map((one) => expect.stringContaining(one)))
    expect(faults[0]).toContain(`acme.yaml:${line}: ${words}`)
  })
})

it.each([
  ['as: json, in a request', '  body:\n    to: "{{to}}"', '  as: json\n  body:\n    "@type": sms'],
  ['as: json, in an answer', 'answer:\n', 'answer:\n  as: json\n  retry_after: /r/@wait\n'],
  ['as: json, with GET', '  method: POST\n', '  method: GET\n  as: json\n'],
])('takes %s, where that is said', (_what, text, other) => {
  expect(file).toContain(text)
  expect(faultsOf(file.replace(text, () => other))).toEqual([])
})
