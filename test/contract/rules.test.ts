/** The rules that `npm run contract:lint` holds the contract to, each broken once; and the copies of `contract:bundle`. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { contract as published } from '../../src/contract/document.ts'
import { type Checkout, copyCheckout } from '../support/checkout.ts'
import { createLinting } from './linting.ts'

const { version } = published.info

/** The data of several events, up to the field that others are put before. */
const lastFields =
  '        template:\n          $ref: "#/components/schemas/MessageTemplate"\n        reference:\n          $ref: "#/components/schemas/Reference"\n    MessageFailedEventData:\n'

let checkout: Checkout
let contract: string
beforeAll(async () => {
  checkout = await copyCheckout()
  contract = await checkout.read('openapi.yaml')
})
afterAll(() => checkout.remove())
const linting = createLinting(() => checkout)

/** Changes the one place of a text. */
function changing(before: string, after: string): (text: string) => string {
  return (text) => {
    const [head, tail, ...more] = text.split(before)
    if (tail === undefined || more.length > 0) throw new Error(`the contract does not have exactly once: ${before}`)
    return head + after + tail
  }
}

/** Of the envelope of a check, until what is always so. */
const checkReply = `    CheckVerificationReply:
      type: object
      required:
        - success
        - data
      properties:
        success:
          type: boolean
          description: Always \`true\`, also when the code did not match.
`

/** Of `sendNotification`, with the end of its description: another operation has the same scope. */
const sendScope = 'it ends as `failed`.\n      x-required-scope: notifications:write'

describe('the lint of the contract names the line of', () => {
  const list: [string, string, string, string][] = [
    [
      'a body whose examples have no name of an answer',
      '              confirmed:\n                summary: The id from the response to a send\n',
      '              by_id:\n                summary: The id from the response to a send\n',
      'no example of this body has the name of its answer: name one of them confirmed or already_verified or',
    ],
    [
      'a description of more than 15 lines',
      '    The guide to all of this is',
      `${'    A line.\n'.repeat(9)}    The guide to all of this is`,
      'info.description must have at most 15 lines; put the rest in x-guide',
    ],
    [
      'a format that nothing checks',
      'maxLength: 30\n',
      'maxLength: 30\n          format: iban\n',
      'iban is no format that the service checks',
    ],
    [
      'a default beyond its own maximum',
      'The maximum number of messages on a page.\n          schema:\n            type: integer\n            minimum: 1\n            maximum: 100\n            default: 20\n',
      'The maximum number of messages on a page.\n          schema:\n            type: integer\n            minimum: 1\n            maximum: 100\n            default: 200\n',
      'the default 200 does not fit its own schema: it must be <= 100',
    ],
    [
      'a default outside the list that it refers to',
      '          schema:\n            $ref: "#/components/schemas/MessageKind"\n          example: verification\n',
      '          schema:\n            allOf:\n              - $ref: "#/components/schemas/MessageKind"\n            default: code\n          example: verification\n',
      'the default "code" does not fit its own schema: it must be one of verification, notification',
    ],
    [
      'a whole number in a body that JSON would round',
      '        brand_name:\n',
      '        serial:\n          type: integer\n          format: int64\n          description: How many bytes it has.\n          minimum: 0\n          example: 1\n        brand_name:\n',
      'serial needs a minimum and a maximum, neither beyond 9007199254740991',
    ],
    [
      'a request whose example has what answers alone have',
      '          description: What the user typed, 4 to 8 digits. A string, because it may begin with zero.\n',
      '          readOnly: true\n          description: What the user typed, 4 to 8 digits. A string, because it may begin with zero.\n',
      '`code` property must NOT be present in request context',
    ],
    [
      'another way to prove who calls',
      'security:\n  - bearerAuth: []\n',
      'security:\n  - bearerAuth: []\n  - basicAuth: []\n',
      'the service reads the keys of bearerAuth alone',
    ],
    [
      'another way to call one operation',
      `${sendScope}\n`,
      `${sendScope}\n      security:\n        - basicAuth: []\n`,
      'sendNotification needs security with bearerAuth alone',
    ],
    [
      'a tag that the root does not have',
      '        - Notifications\n      summary: Send a template message\n',
      '        - Texts\n      summary: Send a template message\n',
      'the root has no tag Texts in tags',
    ],
    [
      'a link to an operation that is not there',
      'getMessage\n              description: Get the status of its message.',
      'getMesage\n              description: Get the status of its message.',
      'no operation has the operationId getMesage; did you mean getMessage?',
    ],
    ['an operation without a scope', sendScope, 'it ends as `failed`.', 'must name the scope'],
    [
      'an answer without examples',
      '          examples:\n            body_too_large:\n',
      '          x-examples:\n            body_too_large:\n',
      'needs named examples',
    ],
    [
      'a field without a description',
      '          description: What the user typed, 4 to 8 digits. A string, because it may begin with zero.\n',
      '',
      'every field needs a description',
    ],
    [
      'a number without a unit',
      'description: How many seconds the code is valid.',
      'description: Until the code is over.',
      'must say what it counts: milliseconds to days, digits, characters, bytes, percent, or "how many grams"',
    ],
    [
      'a text that tells another size than the limit',
      'x-max-body-bytes: 16384',
      'x-max-body-bytes: 32768',
      'is 16,384 bytes',
    ],
    [
      'a text that tells another length than the limit',
      'maxLength: 1024\n',
      'maxLength: 2000\n',
      'is 1,024 characters',
    ],
    [
      'an answer that is not in the envelope',
      `${checkReply}          x-always: true\n`,
      checkReply,
      'must be an object with the required fields success',
    ],
    [
      'an error whose code is not in the list',
      '                      code: send_blocked\n',
      '                      code: what_is_missing\n',
      '"what_is_missing" is not in the list of error codes',
    ],
    [
      'an error with the status of another',
      '        body_too_large: 413\n',
      '        body_too_large: 400\n',
      'body_too_large is answered 400, not 413',
    ],
    [
      'a code without a status',
      '        rate_limited: 429\n',
      '',
      'rate_limited must be both in enum and in x-statuses: add it to x-statuses, with its HTTP status',
    ],
    [
      'a value of a list that is not explained',
      '            * `not_on_channel`: the phone has no account with the messaging application, or its number does not exist.\n',
      '',
      'the description beside the enum needs a line "* `value`: what it means" for each value, also for not_on_channel',
    ],
    [
      'a list that may grow and does not say so',
      'The list may grow. Whatever the value is, the message has failed.',
      'Whatever the value is, the message has failed.',
      'says that it may grow, and what to go by then',
    ],
    [
      'what may grow and is no list',
      '      pattern: ^[0-9a-f]{32}$\n',
      '      pattern: ^[0-9a-f]{32}$\n      x-may-grow: true\n',
      'x-may-grow must be true, beside an enum',
    ],
    [
      'an answer whose examples are none',
      '              examples:\n                queued:\n                  summary: Accepted\n                  value:\n                    success: true\n                    data:\n                      request_id: req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6\n                      status: queued\n                      template:\n                        slug: welcome\n                        version: 1\n                        locale: und\n',
      '              examples: {}\n',
      'the answer 200 needs named examples',
    ],
    [
      'an example without a summary',
      '            body_too_large:\n              summary: A body that is too large\n',
      '            body_too_large:\n',
      'the example body_too_large needs a summary',
    ],
    [
      'a header whose number has no unit',
      'Seconds until the same request can succeed, if nothing else happens in between; the same number as',
      'When the same request can pass, if nothing else happens meanwhile; the same number as',
      'must say what it counts',
    ],
    [
      'an error example that is not named by its code',
      '          examples:\n            body_too_large:\n',
      '          examples:\n            too_large:\n',
      'must be named by its code',
    ],
    ['a scope that is no scope', sendScope, sendScope.replace(':write', ''), 'must name the scope'],
    ['a version that is not semantic', `  version: ${version}`, '  version: "2026-01"', 'semantic version'],
    ['an operationId that cannot be a name', 'operationId: sendVerification', 'operationId: send-it', 'camelCase'],
    [
      'a reference that leads nowhere, with the nearest name',
      '              $ref: "#/components/schemas/CheckVerificationRequest"\n',
      '              $ref: "#/components/schemas/CheckVerificationReqest"\n',
      'did you mean #/components/schemas/CheckVerificationRequest?',
    ],
    [
      'a variant that leads nowhere, with the nearest name',
      '          not_verified: "#/components/schemas/NotVerified"\n',
      '          not_verified: "#/components/schemas/NotVerfied"\n',
      'did you mean #/components/schemas/NotVerified?',
    ],
    [
      'a component that nothing refers to',
      '    TraceId:\n',
      '    Moment:\n      type: string\n      description: A time.\n    TraceId:\n',
      'nothing refers to #/components/schemas/Moment',
    ],
    [
      'a parameter in a cookie',
      '        - name: id\n          in: path\n',
      '        - name: wait\n          in: cookie\n          description: Whether to wait.\n          schema:\n            type: boolean\n          example: true\n        - name: id\n          in: path\n',
      'parameters must be in the path, in the query or in a header',
    ],
    [
      'parameters of a path',
      '  /v1/messages/{id}:\n    get:\n',
      '  /v1/messages/{id}:\n    parameters:\n      - $ref: "#/components/parameters/IdempotencyKey"\n    get:\n',
      'parameters must stand at each operation',
    ],
    [
      'an answer without the id of its request',
      '        "400":\n          description: The id is malformed.\n          headers:\n            X-Trace-Id:\n',
      '        "400":\n          description: The id is malformed.\n          headers:\n            X-Trace:\n',
      'the answer 400 needs the header X-Trace-Id: add #/components/headers/TraceIdHeader',
    ],
    [
      'an event without a description',
      '      description: |\n        The messaging application reports that the message was opened. This may be the first report about the message.\n',
      '',
      'Operation object should contain `description` field',
    ],
    [
      'an event whose examples are none',
      '            examples:\n              expired:\n                summary: The code arrived but was not entered\n                value:\n                  type: verification.expired\n                  timestamp: "2026-11-21T09:40:00.000Z"\n                  data:\n                    request_id: req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6\n                    kind: verification\n                    status: delivered\n                    mode: live\n',
      '            examples: {}\n',
      'verification.expired needs named examples',
    ],
    [
      'an example of an event that is not by its schema',
      '                    reason: failing\n',
      '                    reason: bored\n',
      'must be equal to one of the allowed values',
    ],
    [
      'an event by another name than its type',
      '  message.read:\n    post:\n',
      '  message.opened:\n    post:\n',
      'the type of message.opened needs the enum [message.opened]',
    ],
    [
      'an example of another event',
      '                  type: message.read\n',
      '                  type: message.sent\n',
      'an example of message.read needs the type message.read',
    ],
    [
      'an event that the union does not have',
      '          message.read: "#/components/schemas/MessageReadEvent"\n',
      '',
      'x-webhook-event must map message.read to the schema of its body',
    ],
    [
      'a type in the union that is no event',
      '          message.read: "#/components/schemas/MessageReadEvent"\n',
      '          message.read: "#/components/schemas/MessageReadEvent"\n          message.lost: "#/components/schemas/MessageReadEvent"\n',
      'has the type message.lost, which is no event',
    ],
    [
      'an event that is not signed',
      '      name: webhook-signature\n',
      '      name: webhook-mark\n',
      'message.read needs the required headers webhook-signature in its parameters',
    ],
    [
      'an event that asks its receiver for a key',
      '        The messaging application reports that the message was opened. This may be the first report about the message.\n      security: []\n',
      '        The messaging application reports that the message was opened. This may be the first report about the message.\n',
      'message.read needs security: []',
    ],
    [
      'an event that tells a phone, whatever its name there',
      lastFields,
      `        to:\n          $ref: "#/components/schemas/Phone"\n${lastFields}`,
      'message.read has the field to: an event tells no secret',
    ],
    [
      'an event that tells a code, however deep',
      'absent on an attempt from an earlier version of the service.\n      required:\n        - code\n        - message\n      properties:\n',
      'absent on an attempt from an earlier version of the service.\n      required:\n        - code\n        - message\n      properties:\n        otp_code:\n          type: string\n          description: The code.\n',
      'message.failed has the field otp_code: an event tells no secret',
    ],
    [
      'an event with a field of which nobody knows what it tells',
      lastFields,
      `        more:\n          type: object\n          description: More.\n          additionalProperties:\n            type: string\n${lastFields}`,
      'message.read has the open field more: an event names all that it tells',
    ],
  ]
  linting(list.map(([what, before, after, message]) => [what, changing(before, after), message]))
})

describe('one fault', () => {
  const gone = / is not there; did you mean /
  it.each([
    ['a reference to an answer', 'responses/InternalError"', 'responses/InternlError"', gone],
    ['a reference to an example', 'examples/InvalidPhone"', 'examples/InvalidPhon"', gone],
    ['a name of a component', '\n    MessageKind:\n', '\n    MessageKinds:\n', gone],
    ['a code without a status', '        opted_out: 403\n', '', /^opted_out must be both in enum and in x-statuses/],
    ['an operation without a scope', sendScope, 'it ends as `failed`.', /must name the scope/],
  ])('in %s is not told again for what follows from it', async (_what, before, after, message) => {
    await checkout.write('openapi.yaml', contract.replace(before, after))
    const { output } = await checkout.run('redocly lint openapi.yaml')
    const told = Array.from(output.matchAll(/^\[\d+\] .*\n\n(.*)$/gm), ([, line]) => line)
    expect(new Set(told)).toEqual(new Set([expect.stringMatching(message)]))
  })
})

describe('what is not JSON is not supported, which is said once, with the reason and the line', () => {
  const media = (type: string) =>
    `          content:\n            ${type}:\n              schema:\n                type: string\n                format: binary\n`
  const head = (status: string) =>
    `        "${status}":\n          description: More.\n          headers:\n            X-Trace-Id:\n              $ref: "#/components/headers/TraceIdHeader"\n`
  const answers = 'every answer is the envelope as application/json'

  it.each([
    ['an answer without a body', head('204'), 'the answer 204 is empty', answers],
    ['a file', head('206') + media('text/csv'), 'the answer 206 is text/csv', answers],
    ['an error that is a text', head('418') + media('text/plain'), 'the answer 418 is text/plain', answers],
    [
      'a body that is a form',
      undefined,
      'the body of cancelVerification is multipart/form-data',
      'every field is bounded',
    ],
  ])('%s', async (_what, answer, what, why) => {
    await checkout.write('openapi.yaml', contract)
    const json = '        description: The request that sent the code.\n        content:\n          application/json:\n'
    const place = '        "400":\n          description: The id is malformed.\n'
    if (answer) await checkout.replace('openapi.yaml', place, answer + place)
    else await checkout.replace('openapi.yaml', json, json.replace('application/json', 'multipart/form-data'))
    const { output } = await checkout.run('redocly lint openapi.yaml')
    const told = Array.from(output.matchAll(/^\[\d+\] .*\n\n(.*)$/gm), ([, message]) => message)
    // The schemas that were used here alone are not used any more.
    expect(told.filter((message) => !message?.startsWith('nothing refers to'))).toEqual([
      expect.stringContaining(`${what}, which is not supported: ${why}`),
    ])
    const generated = await checkout.run('node scripts/generate.ts')
    expect(generated.code).toBe(1)
    expect(generated.output).toMatch(new RegExp(`^openapi\\.yaml:\\d+:\\d+ ${what}`, 'm'))
    expect(generated.output).not.toMatch(/^ {4}at /m)
  })
})

describe('the copies of the contract', () => {
  it('are one document each, as JSON and as YAML, with references, without, and as OpenAPI 3.1', async () => {
    await checkout.write('openapi.yaml', contract)
    const { code, output } = await checkout.run('node scripts/bundle.ts copies')
    expect(code, output).toBe(0)
    const names = await readdir(join(checkout.folder, 'copies'))
    expect(new Set(names)).toEqual(
      new Set(['', '.3.1', '.dereferenced'].flatMap((kind) => [`openapi${kind}.json`, `openapi${kind}.yaml`])),
    )
    for (const kind of ['', '.3.1', '.dereferenced']) {
      const text = await checkout.read(`copies/openapi${kind}.json`)
      const document = JSON.parse(text)
      expect(parse(await checkout.read(`copies/openapi${kind}.yaml`))).toEqual(document)
      expect(document.openapi).toMatch(kind === '.3.1' ? /^3\.1/ : /^3\.0/)
      expect(document.info).toEqual(parse(contract).info)
      expect(text.includes('"$ref"')).toBe(kind !== '.dereferenced')
    }
  })
})
