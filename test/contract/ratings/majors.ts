/** Changes that break clients, each with words that name it. All are made in one document. */
import { answer, field, get, parameter, post, type Rated, ref, schema, without } from './draft.ts'

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
  [
    'a header of an answer may be missing',
    (draft) => delete answer(draft, '/v1/messages').headers['X-Count'].required,
    'responses/200/headers/X-Count · required',
  ],
  [
    'a closed list of a header of an answer gets a value',
    (draft) => answer(draft, '/v1/messages').headers['X-Kind'].schema.enum.push('none'),
    "gained values: 'none'",
  ],
  [
    'a list of a parameter loses a value',
    (draft) => parameter(draft, '/v1/messages', 'sort').schema.enum.pop(),
    "lost values: 'oldest'",
  ],
  [
    'a number of a parameter is smaller',
    (draft) => Object.assign(parameter(draft, '/v1/messages', 'days').schema, { maximum: 20 }),
    'parameters/days/schema · maximum',
  ],
  [
    'a new header of a request must be there',
    (draft) =>
      post(draft, '/v1/verify/confirm').parameters.push({
        ...{ name: 'X-Reason', in: 'header', required: true },
        schema: { type: 'string' },
      }),
    'Required `X-Reason` header parameter was added',
  ],
  [
    'a text of a request has another format',
    (draft) => Object.assign(field(draft, 'since', 'Captcha'), { format: 'date' }),
    "`format` of `since` changed from 'date-time' to 'date'",
  ],
  [
    'a text of an answer loses its format',
    (draft) => delete field(draft, 'at', 'EndpointDisabledEventData').format,
    '`format` of `at` was removed',
  ],
  [
    'a text of a request must have a form',
    (draft) => Object.assign(field(draft, 'user_id', 'Signals'), { pattern: '^[0-9]+$' }),
    '`pattern` of `user_id` was set',
  ],
  [
    'an open request is closed',
    (draft) => Object.assign(schema(draft, 'ReceiptRequest'), { additionalProperties: false }),
    '`additionalProperties` of `receipt`',
  ],
  [
    'a field of a request may no longer be null',
    (draft) => delete field(draft, 'nonce', 'ReceiptRequest').nullable,
    "Type of `nonce` narrowed from 'string | null' to 'string'",
  ],
  [
    'requests can no longer be written as a form',
    (draft) => delete post(draft, '/v1/verify/confirm').requestBody.content['application/x-www-form-urlencoded'],
    'Media type `application/x-www-form-urlencoded` was removed',
  ],
  [
    'answers can no longer be had as text',
    (draft) => delete answer(draft, '/v1/messages/{id}').content['text/plain'],
    'Media type `text/plain` was removed',
  ],
  [
    'a status is no longer answered',
    (draft) => delete get(draft, '/v1/messages').responses['403'],
    'Response `403` was removed',
  ],
  [
    'a value of a discriminator leads to another form',
    (draft) =>
      Object.assign(schema(draft, 'WebhookEvent').discriminator.mapping, {
        'budget.reached': ref('EndpointDisabledEvent').$ref,
      }),
    'budget.reached of WebhookEvent leads to EndpointDisabledEvent, and led to BudgetReachedEvent',
  ],
  [
    'a field of an event is gone',
    (draft) => delete schema(draft, 'EndpointDisabledEventData').properties.reason,
    'Property `reason` of `data` was removed',
  ],
  ['an event is gone', (draft) => delete draft['x-webhooks']['message.read'], 'message.read (webhook)'],
  [
    'the service is at another address',
    (draft) => Object.assign(draft.servers[0], { url: 'http://localhost:3000/api' }),
    'Server `http://localhost:3000` became `http://localhost:3000/api`',
  ],
  [
    'a field is no longer one of requests',
    (draft) => Object.assign(field(draft, 'app_version', 'Signals'), { readOnly: true }),
    'a request of sendVerification has no signals.app_version any more: it is readOnly now',
  ],
  [
    'a field is no longer one of answers',
    (draft) => Object.assign(field(draft, 'status', 'SentVerification'), { writeOnly: true }),
    'the answer 200 of sendVerification has no data.status any more: it is writeOnly now',
  ],
  [
    'keys are sent in another way',
    (draft) => Object.assign(draft.components.securitySchemes.bearerAuth, { scheme: 'basic' }),
    "`scheme` of security scheme `bearerAuth` changed from 'bearer' to 'basic'",
  ],
  [
    'an answer may be several forms at once',
    (draft) => {
      const { oneOf, ...rest } = schema(draft, 'ConfirmedForm')
      draft.components.schemas.ConfirmedForm = { ...rest, anyOf: oneOf }
    },
    '`oneOf` of `ConfirmedForm` was removed',
  ],
]
