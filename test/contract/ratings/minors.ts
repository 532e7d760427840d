/** Changes that ask for a minor version, each with words that name it. All are made in one document. */
import { answer, type Draft, field, get, parameter, post, type Rated, ref, schema, text, without } from './draft.ts'

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
    (draft) => Object.assign(draft.tags.at(-1), { name: 'Webhooks' }),
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
  [
    'a header of an answer always comes',
    (draft) => Object.assign(answer(draft, '/v1/messages').headers['X-Kind'], { required: true }),
    'responses/200/headers/X-Kind · required',
  ],
  [
    'a list of a parameter gets a value',
    (draft) => parameter(draft, '/v1/messages', 'sort').schema.enum.push('random'),
    "gained 'random'",
  ],
  [
    'a number of a parameter is larger',
    (draft) => Object.assign(parameter(draft, '/v1/messages', 'days').schema, { maximum: 60 }),
    'parameters/days/schema · maximum',
  ],
  [
    'a parameter that is left out means something else',
    (draft) => Object.assign(parameter(draft, '/v1/messages', 'days').schema, { default: 5 }),
    "was '7', and is '5'",
  ],
  [
    'a closed request is open',
    (draft) => delete schema(draft, 'Autofill').additionalProperties,
    '`additionalProperties` of `Autofill`',
  ],
  [
    'a bound of a request is itself allowed',
    (draft) => delete field(draft, 'score', 'Captcha').exclusiveMaximum,
    '`exclusiveMaximum` of `score`',
  ],
  [
    'requests can be written in one more way',
    (draft) => {
      const { content } = post(draft, '/v1/verify/cancel').requestBody
      content['application/x-www-form-urlencoded'] = content['application/json']
    },
    'requestBody/content/application/x-www-form-urlencoded',
  ],
  [
    'answers can be had in one more way',
    (draft) => Object.assign(answer(draft, '/v1/messages').content, { 'text/plain': { schema: { type: 'string' } } }),
    'responses/200/content/text/plain',
  ],
  [
    'a status is added',
    (draft) => {
      const { responses } = get(draft, '/v1/messages')
      responses['404'] = responses['403']
    },
    'responses/404',
  ],
  [
    'an operation is deprecated',
    (draft) => Object.assign(post(draft, '/v1/verify/confirm'), { deprecated: true }),
    'It is deprecated',
  ],
  [
    'a parameter is deprecated',
    (draft) => Object.assign(parameter(draft, '/v1/messages', 'after'), { deprecated: true }),
    'parameters/after · deprecated',
  ],
  [
    'a field is deprecated',
    (draft) => Object.assign(field(draft, 'platform', 'Signals'), { deprecated: true }),
    'signals/properties/platform · deprecated',
  ],
  [
    'a header of an answer is deprecated',
    (draft) => Object.assign(answer(draft, '/v1/messages').headers['X-Count'], { deprecated: true }),
    'responses/200/headers/X-Count · deprecated',
  ],
  [
    'a field of an answer always comes',
    (draft) => schema(draft, 'Message').required.push('reference'),
    '`required` of `Message` promises more',
  ],
  [
    'a field of an answer is never null',
    (draft) => delete field(draft, 'next', 'MessagePage').nullable,
    '`nullable` of `next` promises more',
  ],
  [
    'a text of an answer has a format',
    (draft) => Object.assign(field(draft, 'one', 'PartedBase'), { format: 'uuid' }),
    '`format` of `one` promises more',
  ],
  [
    'a number of an answer is whole',
    (draft) => Object.assign(field(draft, 'share', 'EndpointDisabledEventData'), { type: 'integer' }),
    '`type` of `share` promises more',
  ],
  [
    'a field is one of requests again',
    (draft) => delete field(draft, 'device_id', 'Signals').readOnly,
    '`readOnly` of `device_id` is gone',
  ],
  [
    'a field is one of answers again',
    (draft) => delete field(draft, 'findings', 'ListedMessage').writeOnly,
    '`writeOnly` of `findings` is gone',
  ],
  [
    'an event gets a field',
    (draft) => Object.assign(schema(draft, 'EndpointDisabledEventData').properties, { note: text('A note.') }),
    'EndpointDisabledEvent/properties/data/properties/note',
  ],
  [
    'an event is added',
    (draft) => {
      draft['x-webhooks']['message.lost'] = {
        post: { ...draft['x-webhooks']['message.read'].post, operationId: 'lost' },
      }
    },
    'message.lost',
  ],
  [
    'keys can be sent in one more way',
    (draft) => {
      draft.components.securitySchemes.header = { type: 'apiKey', in: 'header', name: 'X-Key' }
      draft.security.push({ header: [] })
    },
    'added     header',
  ],
  [
    'keys need a scope less',
    (draft) => post(draft, '/v1/verify/check').security[0].bearerAuth.pop(),
    'Keys of bearerAuth need no checks any more',
  ],
]

function rename(draft: Draft, name: string, other: string): void {
  const renamed = JSON.stringify(draft)
    .replaceAll(`schemas/${name}"`, `schemas/${other}"`)
    .replaceAll(`"${name}":`, `"${other}":`)
  Object.assign(draft, JSON.parse(renamed))
}
