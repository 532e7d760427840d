/** Changes of the contract that go together in one document, and what the comparison with what was published says of each. */

export type Change = [what: string, change: (text: string) => string, told: string]

const modeField = '        mode:\n          $ref: "#/components/schemas/Mode"\n'
/** Of an event, with the field in front of it: messages have it too. */
export const channelField = `${modeField}        channel:\n          $ref: "#/components/schemas/ConnectionId"\n`

export const breaks: Change[] = [
  ['takes an event away', withEachPlaceOf('message.read', () => ''), 'Webhook `message.read` was removed'],
  [
    'gives an event another type',
    (text) => text.replaceAll('message.sent', 'message.gone'),
    "Enum of `type` gained values: 'message.gone'",
  ],
  ['takes a field out of an event', replacing(channelField, modeField), 'Property `channel` of `data` was removed'],
  [
    'leaves a field of an event out at times',
    replacing('        - mode\n        - error\n', '        - mode\n'),
    'are no longer required: `error`',
  ],
  [
    'leaves out a header of events',
    replacing('      name: webhook-id\n', '      name: webhook-identity\n'),
    'message.failed comes without the header webhook-id',
  ],
  [
    'opens an operation to everybody',
    replacing('      x-required-scope: messages:read\n', '      x-required-scope: messages:read\n      security: []\n'),
    'listMessages needs no key any more',
  ],
  [
    'gives a text another rule of the service',
    (text) => text.replace(/^( *x-ecma-pattern: ).*\n/m, '$1^[A-Z]*$$\n'),
    '`x-ecma-pattern` of `brand_name` was',
  ],
  ['makes events larger', replacing('x-max-event-bytes: 4096', 'x-max-event-bytes: 8192'), 'may have 8192 bytes'],
]

/** Nobody has to change for them. */
export const minorChanges: Change[] = [
  ['gives a text more characters', replacing("0-9 _.&'’-]*$", "0-9 _.&'’!-]*$"), '`x-ecma-pattern` of `brand_name`'],
  [
    'gives a field another default',
    replacing('maximum: 8\n          default: 6', 'maximum: 8\n          default: 8'),
    "The default of `length` was '6', and is '8'",
  ],
  [
    'gives a tag another name',
    (text) => text.replaceAll(/(name:|-) Messages$/gm, '$1 Texts'),
    "The tag was 'Messages', and is 'Texts'",
  ],
  [
    'gives an operation another tag',
    replacing('        - Verification\n', '        - Notifications\n'),
    "The operation's tag was 'Verification', and is 'Notifications'",
  ],
  [
    'gives a parameter of a path another name',
    (text) =>
      text.replace('/v1/messages/{id}', '/v1/messages/{message_id}').replace('- name: id\n', '- name: message_id\n'),
    "The path parameter was 'id', and is 'message_id'",
  ],
  [
    'lets a text be longer',
    replacing('maxLength: 30', 'maxLength: 40'),
    "`maxLength` of `brand_name` was '30', and is '40'",
  ],
  ['lets a number be smaller', replacing('minimum: 4\n', 'minimum: 3\n'), "`minimum` of `length` was '4', and is '3'"],
  ['takes a pattern away', replacing('          pattern: ^[0-9]{4,8}$\n', ''), '`pattern` of `code` was'],
  [
    'lets a field be left out',
    replacing('        - phone\n        - template\n', '        - phone\n'),
    "`required` of `SendNotificationRequest` lost 'template'",
  ],
  [
    'lets requests have any field',
    replacing('      additionalProperties: false\n', ''),
    '`additionalProperties` of `SendVerificationRequest` was',
  ],
  [
    'lets bodies be larger',
    replacing('x-max-body-bytes: 16384', 'x-max-body-bytes: 32768'),
    'bodies may have 32768 bytes',
  ],
  [
    'lets texts be longer',
    replacing('x-max-filled-characters: 4096', 'x-max-filled-characters: 8192'),
    'texts may have 8192 characters',
  ],
]

/** Of what only this service says in a contract. */
export const breaksOfOwnFacts: Change[] = [
  [
    'a scope',
    replacing('x-required-scope: notifications:write', 'x-required-scope: notifications:read'),
    'sendNotification: keys with the scope',
  ],
  [
    'the scope of a field',
    replacing('x-required-scope: verify:custom_code', 'x-required-scope: verify:own_code'),
    'SendVerificationRequest/code: keys without the scope verify:own_code are refused now',
  ],
  [
    'what a field excludes',
    replacing(
      '          x-excludes:\n            - length\n',
      '          x-excludes:\n            - length\n            - locale\n',
    ),
    'SendVerificationRequest/code is refused beside locale now',
  ],
  ['the size of a body', replacing('x-max-body-bytes: 16384', 'x-max-body-bytes: 64'), 'bodies of more than 64 bytes'],
  [
    'the length of a text',
    replacing('x-max-filled-characters: 4096', 'x-max-filled-characters: 64'),
    'texts of more than 64 characters are refused; x-max-filled-characters was 4096',
  ],
  ['the list of codes', replacing('        route_not_found: 404\n', ''), 'route_not_found is no error code any more'],
  [
    'the status of a code',
    replacing('        rate_limited: 429', '        rate_limited: 503'),
    'rate_limited is answered 503',
  ],
]

/** The first place in a text. */
export function replacing(before: string, after: string): (text: string) => string {
  return (text) => text.replace(before, after)
}

/** Everything that the contract has of one type of event: each block of lines. */
export function withEachPlaceOf(type: string, change: (place: string) => string): (text: string) => string {
  const schema = type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())
  const places = [
    `^ {2}${type}:\\n(?: {4}.*\\n)+`,
    `^ {4}${schema}Event:\\n(?: {6}.*\\n)+`,
    `^ {8,10}\\S.*/${schema}Event"\\n`,
  ]
  return (text) => text.replaceAll(new RegExp(places.join('|'), 'gm'), change)
}
