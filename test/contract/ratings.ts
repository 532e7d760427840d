/** Changes of the contract, each with the rating that it must get and the words that name it. Those of one list go together in one document. */

// biome-ignore lint/suspicious/noExplicitAny: a document that tests change anywhere.
export type Draft = any
export type Rated = [what: string, change: (draft: Draft) => void, told: string]

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const schema = ({ components }: Draft, name: string) => components.schemas[name]
const field = (draft: Draft, name: string, of: string) => schema(draft, of).properties[name]
const post = ({ paths }: Draft, path: string) => paths[path].post
const get = ({ paths }: Draft, path: string) => paths[path].get
const without = (list: unknown[], value: unknown) => list.splice(list.indexOf(value), 1)
const text = (description: string) => ({ type: 'string', description })

export const majors: Rated[] = [
  [
    'an answer loses a form',
    (draft) => {
      schema(draft, 'CheckResult').oneOf.pop()
      delete schema(draft, 'CheckResult').discriminator.mapping.not_verified
    },
    '`NotVerified` in `oneOf` of `CheckResult` was removed',
  ],
  [
    'an answer loses its first form, and is named by it',
    (draft) => schema(draft, 'CheckByPhoneResult').oneOf.shift(),
    'schema/properties/data/oneOf/VerifiedByPhone',
  ],
  [
    'an answer gets a form',
    (draft) => schema(draft, 'CheckByPhoneResult').oneOf.push(ref('ListedMessage')),
    '`ListedMessage` in `oneOf` of `CheckByPhoneResult` was added',
  ],
  [
    'a request loses a form',
    (draft) => schema(draft, 'VariableValue').anyOf.pop(),
    '`boolean` in `anyOf` of `VariableValue` was removed',
  ],
  [
    'a constant of an answer is gone',
    (draft) => delete field(draft, 'success', 'SendVerificationReply')['x-always'],
    '`x-always` of `success` was removed: it was true, and can be either now',
  ],
  [
    'a constant of an answer is the other one',
    (draft) => Object.assign(field(draft, 'success', 'ListMessagesReply'), { 'x-always': false }),
    '`x-always` of `success` was true, and is false',
  ],
  [
    'a field of a request has another constant',
    (draft) => Object.assign(field(draft, 'trusted', 'Signals'), { 'x-always': false }),
    '`x-always` of `trusted` was true, and is false',
  ],
  [
    'a request must be two things at once',
    (draft) => Object.assign(schema(draft, 'Captcha'), { allOf: [ref('Autofill'), ref('ReceiptRequest')] }),
    '`allOf` of `Captcha` was added',
  ],
  [
    'a field of an answer is gone',
    (draft) => delete schema(draft, 'Message').properties.error,
    'Property `error` of `data`',
  ],
  [
    'a field of a closed request is gone',
    (draft) => delete schema(draft, 'Signals').properties.platform,
    'Property `platform` of `signals`',
  ],
  [
    'a field of an answer may be missing',
    (draft) => without(schema(draft, 'QueuedNotification').required, 'status'),
    'no longer required: `status`',
  ],
  [
    'a field of a request must be there',
    (draft) => Object.assign(schema(draft, 'Autofill'), { required: ['domain'] }),
    'became required: `domain`',
  ],
  [
    'a text of a request is shorter',
    (draft) => Object.assign(field(draft, 'user_agent', 'Signals'), { maxLength: 10 }),
    'user_agent · maxLength',
  ],
  [
    'a number of a request is smaller',
    (draft) => Object.assign(field(draft, 'length', 'SendVerificationRequest'), { maximum: 7 }),
    'length · maximum',
  ],
  [
    'a number of an answer is larger',
    (draft) => Object.assign(field(draft, 'expires_in', 'SentVerification'), { maximum: 6000 }),
    'expires_in · maximum',
  ],
  [
    'a field of a request has another type',
    (draft) => Object.assign(field(draft, 'brand_name', 'SendVerificationRequest'), { type: 'integer' }),
    'brand_name · type',
  ],
  [
    'a field of an answer may be null',
    (draft) => Object.assign(field(draft, 'attempts_remaining', 'NotVerifiedByPhone'), { nullable: true }),
    'attempts_remaining',
  ],
  [
    'a field of an answer loses its form',
    (draft) => delete field(draft, 'endpoint_id', 'EndpointDisabledEventData').pattern,
    'endpoint_id · pattern',
  ],
  [
    'a closed list of an answer gets a value',
    (draft) => field(draft, 'status', 'QueuedNotification').enum.push('gone'),
    "Enum of `status` gained values: 'gone'",
  ],
  [
    'a list of an answer loses a value',
    (draft) => field(draft, 'reason', 'VerificationFailedEventData').enum.pop(),
    'Enum of `reason` lost values',
  ],
  [
    'a list of a request appears',
    (draft) => Object.assign(field(draft, 'provider', 'Captcha'), { enum: ['turnstile'] }),
    'provider · enum',
  ],
  ['an operation is gone', (draft) => delete draft.paths['/v1/verify/cancel'], '/v1/verify/cancel'],
  [
    'an operation has another operationId',
    (draft) => Object.assign(get(draft, '/v1/messages/{id}'), { operationId: 'readMessage' }),
    'readMessage',
  ],
  ['an answer is gone', (draft) => delete get(draft, '/v1/messages').responses['200'].content, 'responses/200'],
  ['a parameter is gone', (draft) => get(draft, '/v1/messages').parameters.splice(1, 1), '`status` query parameter'],
  [
    'a parameter must be there',
    (draft) => Object.assign(get(draft, '/v1/messages').parameters[0], { required: true }),
    'parameters/phone · required',
  ],
  [
    'a parameter is written in another way',
    (draft) => Object.assign(get(draft, '/v1/messages').parameters[2], { allowReserved: true }),
    '`allowReserved` of a parameter',
  ],
  [
    'a header of an answer is gone',
    (draft) => delete post(draft, '/v1/notifications/send').responses['200'].headers['X-Trace-Id'],
    'X-Trace-Id',
  ],
  [
    'an operation needs another scope',
    (draft) => Object.assign(post(draft, '/v1/notifications/send'), { 'x-required-scope': 'texts:write' }),
    'sendNotification: keys with the scope notifications:write are refused',
  ],
  [
    'events lose their limit',
    (draft) => delete draft['x-max-event-bytes'],
    'events have no limit any more: add x-max-event-bytes, which was 4096',
  ],
  [
    'a field needs another scope',
    (draft) => Object.assign(field(draft, 'code', 'SendVerificationRequest'), { 'x-required-scope': 'verify:own' }),
    'SendVerificationRequest/code: keys without the scope verify:own',
  ],
  [
    'a field excludes one more',
    (draft) => field(draft, 'code', 'SendVerificationRequest')['x-excludes'].push('locale'),
    'SendVerificationRequest/code is refused beside locale now',
  ],
]

export const minors: Rated[] = [
  [
    'a choice that may grow gets a form',
    (draft) => schema(draft, 'CheckResult').oneOf.push(ref('Autofill')),
    '`Autofill` in `oneOf` of `CheckResult` was added',
  ],
  [
    'a request gets a form',
    (draft) => schema(draft, 'VariableValue').anyOf.push({ type: 'object', title: 'Amount' }),
    'variables/additionalProperties/anyOf/Amount',
  ],
  [
    'a discriminator is gone',
    (draft) => delete schema(draft, 'CheckByPhoneResult').discriminator,
    'The discriminator of `CheckByPhoneResult` was removed',
  ],
  [
    'a value of a discriminator leads nowhere',
    (draft) => delete schema(draft, 'WebhookEvent').discriminator.mapping['message.read'],
    '`message.read` leads to no form any more',
  ],
  [
    'a schema has another name',
    (draft) => rename(draft, 'SentVerification', 'SentCode'),
    'The schema `SentVerification` is gone: generated clients name a type after it',
  ],
  [
    'a field may be given beside another one',
    (draft) => delete field(draft, 'code', 'SendVerificationRequest')['x-excludes'],
    'SendVerificationRequest/code may be given beside length now',
  ],
  [
    'a field needs no scope of its own',
    (draft) => delete field(draft, 'code', 'SendVerificationRequest')['x-required-scope'],
    'SendVerificationRequest/code: keys need no scope verify:custom_code any more',
  ],
  [
    'a field of a request loses its constant',
    (draft) => delete field(draft, 'trusted', 'Signals')['x-always'],
    "`x-always` of `trusted` was 'true', and there is none any more",
  ],
  [
    'an answer gets a field',
    (draft) => Object.assign(schema(draft, 'Message').properties, { note: text('A note.') }),
    'properties/note',
  ],
  [
    'a request gets a field',
    (draft) => Object.assign(schema(draft, 'Captcha').properties, { site: text('A site.') }),
    'captcha/properties/site',
  ],
  [
    'a text of a request is longer',
    (draft) => Object.assign(field(draft, 'brand_name', 'SendVerificationRequest'), { maxLength: 40 }),
    '`maxLength` of `brand_name`',
  ],
  [
    'a number of a request is larger',
    (draft) => Object.assign(field(draft, 'length', 'SendVerificationRequest'), { maximum: 9 }),
    '`maximum` of `length`',
  ],
  [
    'a default is another one',
    (draft) => Object.assign(field(draft, 'length', 'SendVerificationRequest'), { default: 7 }),
    'The default of `length`',
  ],
  [
    'a field of a request may be missing',
    (draft) => without(schema(draft, 'SendNotificationRequest').required, 'template'),
    "`required` of `SendNotificationRequest` lost 'template'",
  ],
  [
    'a field of a request may be null',
    (draft) => Object.assign(field(draft, 'domain', 'Autofill'), { nullable: true }),
    'domain',
  ],
  [
    'a list that may grow gets a value',
    (draft) => field(draft, 'reason', 'NotVerified').enum.push('moon'),
    "Enum of `reason` gained values: 'moon'",
  ],
  [
    'a field of a request loses its form',
    (draft) => delete field(draft, 'nonce', 'ReceiptRequest').pattern,
    '`pattern` of `nonce`',
  ],
  [
    'a tag has another name',
    (draft) => Object.assign(draft.tags[3], { name: 'Webhooks' }),
    "The tag was 'Events', and is 'Webhooks'",
  ],
  [
    'an operation has another tag',
    (draft) => Object.assign(get(draft, '/v1/messages'), { tags: ['Verification'] }),
    "The operation's tag was 'Messages'",
  ],
  [
    'an operation is added',
    (draft) =>
      Object.assign(draft.paths, {
        '/v1/later': { post: { ...post(draft, '/v1/verify/cancel'), operationId: 'later' } },
      }),
    '/v1/later',
  ],
  [
    'a parameter that may be missing is added',
    (draft) =>
      get(draft, '/v1/messages').parameters.unshift({ name: 'order', in: 'query', schema: { type: 'string' } }),
    'parameters/order',
  ],
  [
    'a header is added to an answer',
    (draft) =>
      Object.assign(get(draft, '/v1/messages').responses['200'].headers, { ETag: { schema: { type: 'string' } } }),
    'responses/200/headers/ETag',
  ],
  [
    'bodies may be larger',
    (draft) => Object.assign(draft, { 'x-max-body-bytes': 32_768 }),
    'bodies may have 32768 bytes',
  ],
]

/** What no client has to know: some are not even a change. */
export const patches: [what: string, change: (draft: Draft) => void, told: string | undefined][] = [
  [
    'a reference is alone in an allOf with words of its own',
    (draft) =>
      Object.assign(schema(draft, 'Verified').properties, {
        timestamp: { allOf: [ref('Timestamp')], description: 'Now.' },
      }),
    'timestamp · description',
  ],
  [
    'a schema is alone in an allOf',
    (draft) => {
      const { properties } = schema(draft, 'Signals')
      properties.ip = { allOf: [properties.ip] }
    },
    undefined,
  ],
  [
    'a parameter that is no list is not exploded',
    (draft) => Object.assign(get(draft, '/v1/messages').parameters[0], { explode: false }),
    'parameters/phone · explode',
  ],
  [
    'a parameter has the style that it had without one',
    (draft) => Object.assign(get(draft, '/v1/messages').parameters[1], { style: 'form' }),
    'parameters/status · style',
  ],
  [
    'a tag has other words',
    (draft) => Object.assign(draft.tags[0], { description: 'Anything else.' }),
    'Verification · description',
  ],
  [
    'a tag leads to a page',
    (draft) => Object.assign(draft.tags[1], { externalDocs: { url: 'https://docs.example.net' } }),
    'Messages/externalDocs',
  ],
  [
    'a field has other words',
    (draft) => Object.assign(field(draft, 'locale', 'SendVerificationRequest'), { description: 'Any.' }),
    'locale · description',
  ],
  [
    'an example is added',
    (draft) =>
      Object.assign(post(draft, '/v1/verify/send').requestBody.content['application/json'].examples, {
        more: { summary: 'More', value: { phone: '+14155550100' } },
      }),
    'examples/more',
  ],
  ['the forms of a choice are in another order', (draft) => schema(draft, 'CheckResult').oneOf.reverse(), undefined],
  [
    'the required fields are in another order',
    (draft) => schema(draft, 'Message').required.reverse(),
    'data · required',
  ],
]

/** What stands in the published contract, so that each change above is one. */
export function prepare(draft: Draft): void {
  Object.assign(schema(draft, 'CheckResult'), { 'x-may-grow': true })
  Object.assign(field(draft, 'trusted', 'Signals'), { 'x-always': true })
}

function rename(draft: Draft, name: string, other: string): void {
  const renamed = JSON.stringify(draft)
    .replaceAll(`schemas/${name}"`, `schemas/${other}"`)
    .replaceAll(`"${name}":`, `"${other}":`)
  Object.assign(draft, JSON.parse(renamed))
}
