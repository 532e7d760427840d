/** What `npm run contract:lint` refuses because clients could not be made of it, or could not rely on it; each broken once. */
import { afterAll, beforeAll, describe } from 'vitest'
import { type Document, parseDocument } from 'yaml'
import { type Checkout, copyCheckout } from '../support/checkout.ts'
import { createLinting } from './linting.ts'

let checkout: Checkout
beforeAll(async () => {
  checkout = await copyCheckout()
})
afterAll(() => checkout.remove())
const linting = createLinting(() => checkout)

type Change = (document: Document) => void

const schema = (name: string, ...rest: (string | number)[]) => ['components', 'schemas', name, ...rest]
const operation = (path: string, method: string, ...rest: (string | number)[]) => ['paths', path, method, ...rest]
const set =
  (path: (string | number)[], value: unknown): Change =>
  (document) =>
    document.setIn(path, document.createNode(value))
const remove =
  (path: (string | number)[]): Change =>
  (document) =>
    document.deleteIn(path)
const add =
  (path: (string | number)[], value: unknown): Change =>
  (document) =>
    document.addIn(path, document.createNode(value))

const brand = schema('SendVerificationRequest', 'properties', 'brand_name')
const locale = { type: 'string', description: 'A language.', maxLength: 8 }
const wait = { name: 'wait', in: 'query', required: false, description: 'Seconds to wait.', example: 1 }
const listed = operation('/v1/messages', 'get', 'parameters')
const code = schema('MessageNotFoundProblem', 'properties', 'code')
const unauthorized = schema('UnauthorizedProblem', 'properties', 'code', 'enum')
const notFound = operation('/v1/messages/{id}', 'get', 'responses', '404', 'content', 'application/json')
const sent = operation('/v1/verify/send', 'post', 'responses', '200', 'content', 'application/json')

function areRefused(list: readonly [string, Change, string | RegExp][]): void {
  const changing = (change: Change) => (text: string) => {
    const document = parseDocument(text)
    change(document)
    return document.toString()
  }
  linting(list.map(([what, change, message]) => [what, changing(change), message]))
}

describe('the lint takes for not portable', () => {
  areRefused([
    [
      'a boolean with an enum',
      set(schema('Verified', 'properties', 'verified', 'enum'), [true]),
      'a boolean cannot have an enum',
    ],
    [
      'a choice within a field',
      set(brand, { description: 'A name.', anyOf: [locale, { type: 'boolean' }] }),
      'oneOf and anyOf must stand in a named component',
    ],
    [
      'an object within a field',
      set(brand, { type: 'object', description: 'A name.', additionalProperties: false, properties: { locale } }),
      'an object with properties must be a named component',
    ],
    [
      'an object within a list',
      set(schema('MessagePage', 'properties', 'messages', 'items'), { type: 'object', properties: { id: locale } }),
      'an object with properties must be a named component',
    ],
    [
      'the object of a body',
      set(operation('/v1/verify/check', 'post', 'requestBody', 'content', 'application/json', 'schema'), {
        type: 'object',
        additionalProperties: false,
        properties: { locale },
      }),
      'an object with properties must be a named component',
    ],
    [
      'a name that a schema and a header share, but for a capital',
      set(['components', 'headers', 'traceID'], {
        description: 'Names this request.',
        required: true,
        schema: { $ref: '#/components/schemas/TraceId' },
      }),
      'components/schemas/TraceId has the name of components/headers/traceID',
    ],
    [
      'a time that has the name of a type that generators know, in a variant',
      (document) => {
        const time = { type: 'string', format: 'date-time', description: 'When.', example: '2026-11-21T09:30:00.000Z' }
        set(schema('Timestamp'), time)(document)
        set(schema('Verified', 'properties', 'timestamp'), { $ref: '#/components/schemas/Timestamp' })(document)
      },
      'Timestamp is the name of a type that openapi-generator has already: give it another, or describe it where it is used',
    ],
    [
      'a choice of objects that nothing tells apart',
      remove(schema('CheckResult', 'discriminator')),
      'a oneOf of objects needs a discriminator',
    ],
    [
      'a choice of objects that a boolean tells apart',
      set(schema('CheckResult', 'discriminator', 'propertyName'), 'verified'),
      'a oneOf of objects needs a discriminator',
    ],
    [
      'a variant by the value of another',
      set(schema('CheckResult', 'discriminator', 'mapping', 'verified'), '#/components/schemas/NotVerified'),
      'the discriminator must map the value of result in each variant to that variant',
    ],
    [
      'an address that is not ours',
      set(['info', 'contact', 'url'], 'https://github.com/someone/watchword'),
      'github.com is no address of ours',
    ],
    [
      'an address within a text',
      set([...brand, 'description'], 'A name. See https://watchword.dev/names for more.'),
      'watchword.dev is no address of ours',
    ],
  ])

  const patterns: [pattern: string, told: string][] = [
    ['^(?=a)[a-z]{1,9}$', 'look-around'],
    ['^(?<first>a)[a-z]{1,9}$', 'a named group'],
    ['^([a-z])\\1$', 'a reference to a group'],
    ['^\\p{L}{1,9}$', 'a class of Unicode'],
    ['^\\d{1,9}$', 'a class or an escape by a letter'],
    ['^[a[b]{1,9}$', 'cannot be read|one within another'],
    ['^[a-z--b]{1,9}$', 'an operation on classes|cannot be read'],
    ['^[a-z]{1,9}?$', 'lazy or possessive'],
    ['^[a-z]{1,2000}$', 'repeats more than 1000 times'],
    ['^[a-z', 'cannot be read'],
  ]
  areRefused(
    patterns.map(([pattern, told]) => [
      `the pattern ${pattern}`,
      set([...brand, 'pattern'], pattern),
      new RegExp(`the pattern .*(${told})`),
    ]),
  )
})

describe('the lint takes for no request that a client can rely on', () => {
  areRefused([
    [
      'a field in camelCase',
      set(schema('SendVerificationRequest', 'properties', 'brandName'), locale),
      'brandName is no name in snake_case',
    ],
    [
      'a parameter in camelCase',
      add(listed, { ...wait, name: 'waitFor', schema: { type: 'integer', minimum: 1, maximum: 9, default: 1 } }),
      'waitFor is no name in snake_case',
    ],
    [
      'a body that takes any field',
      remove(schema('CheckVerificationRequest', 'additionalProperties')),
      'the body is open: add additionalProperties: false',
    ],
    [
      'a map without an end',
      remove(schema('SendNotificationRequest', 'properties', 'variables', 'maxProperties')),
      'variables is open: add additionalProperties: false, or, for a map, maxProperties',
    ],
    ['a text without an end', remove([...brand, 'maxLength']), 'brand_name has no end: add a maxLength'],
    [
      'a text whose pattern has no end',
      set(schema('Phone', 'pattern'), '^\\+[1-9][0-9]*$'),
      'phone has no end: add a maxLength, or an enum, or a pattern with an end',
    ],
    [
      'a text of a choice without an end',
      remove(schema('VariableValue', 'anyOf', 0, 'maxLength')),
      'has no end: add a maxLength',
    ],
    [
      'a list without an end',
      set(schema('SendVerificationRequest', 'properties', 'tags'), { type: 'array', description: 'x', items: locale }),
      'tags has no end: add maxItems',
    ],
    [
      'a 429 that does not say when to come again',
      remove(operation('/v1/messages/{id}', 'get', 'responses', '429', 'headers', 'Retry-After')),
      'the answer 429 needs the header Retry-After',
    ],
    [
      'a POST that cannot be repeated',
      remove(operation('/v1/verify/check', 'post', 'parameters')),
      'checkVerification is a POST and takes no Idempotency-Key',
    ],
    [
      'an operation for everybody',
      set(operation('/v1/messages', 'get', 'security'), []),
      'listMessages is open to everybody',
    ],
    ['a contract that asks nobody for a key', remove(['security']), 'no operation needs a key'],
    ['a contract for everybody', set(['security'], [{ bearerAuth: [] }, {}]), 'sendVerification is open to everybody'],
    [
      'a scope that no key has',
      set(operation('/v1/messages', 'get', 'x-required-scope'), 'message:read'),
      'no key has the scope message:read',
    ],
    [
      'a field whose scope no key has',
      set(schema('SendVerificationRequest', 'properties', 'code', 'x-required-scope'), 'verify:custom'),
      'no key has the scope verify:custom:',
    ],
    [
      'a field that excludes one that is not there',
      set(schema('SendVerificationRequest', 'properties', 'code', 'x-excludes'), ['lenght']),
      'the body has no field lenght to exclude',
    ],
    [
      'a scope that nothing needs',
      set(['components', 'securitySchemes', 'bearerAuth', 'x-scopes', 'codes:read'], 'Read codes.'),
      'no operation needs the scope codes:read',
    ],
    [
      'a parameter that is a list',
      add(listed, { ...wait, schema: { type: 'array', maxItems: 3, items: locale }, example: ['a'] }),
      'wait cannot be a list or an object',
    ],
    [
      'a header that is an object',
      add(listed, {
        ...wait,
        name: 'X-Wait',
        in: 'header',
        schema: { $ref: '#/components/schemas/ErrorDetail' },
        example: {},
      }),
      'X-Wait cannot be a list or an object',
    ],
    [
      'a parameter without a type',
      add(listed, { ...wait, schema: { enum: [1, 'a'] } }),
      'wait needs the type string, integer, number or boolean',
    ],
    [
      'a parameter that is written in a style',
      add(listed, { ...wait, style: 'pipeDelimited', schema: { type: 'boolean' }, example: true }),
      'wait cannot have a style',
    ],
    [
      'a header that OpenAPI has no parameter for',
      add(listed, { ...wait, name: 'accept', in: 'header', schema: { type: 'boolean' }, example: true }),
      'accept cannot be a parameter',
    ],
    [
      'a number in a header without bounds',
      add(listed, { ...wait, name: 'X-Wait', in: 'header', schema: { type: 'integer', minimum: 1, default: 1 } }),
      'X-Wait needs a minimum and a maximum',
    ],
    [
      'a number beyond those that JavaScript tells apart',
      add(listed, { ...wait, schema: { type: 'integer', minimum: 1, maximum: 2 ** 53, default: 1 } }),
      'wait needs a minimum and a maximum, neither beyond 9007199254740991',
    ],
    [
      'a number in the query without bounds',
      add(listed, { ...wait, schema: { type: 'integer', minimum: 1, default: 1 } }),
      'wait needs a minimum and a maximum',
    ],
    [
      'a number in the query without a default',
      add(listed, { ...wait, schema: { type: 'integer', minimum: 1, maximum: 9 } }),
      'wait needs a default',
    ],
  ])
})

describe('the lint takes for no answer that a client can rely on', () => {
  areRefused([
    [
      'an error without a list of its own',
      set(code, { $ref: '#/components/schemas/ErrorMessage' }),
      'in which data.code is an enum with x-may-grow: true',
    ],
    ['an error whose list is whole', remove([...code, 'x-may-grow']), 'in which data.code is an enum with x-may-grow'],
    [
      'a code that nobody explains',
      set([...code, 'enum'], ['message_not_found', 'message_lost']),
      '"message_lost" is not in the list of error codes',
    ],
    [
      'a code of another status',
      set([...code, 'enum'], ['message_not_found', 'rate_limited']),
      'rate_limited is answered 429, not 404',
    ],
    [
      'a code without an example',
      set([...code, 'enum'], ['message_not_found', 'route_not_found']),
      'the answer 404 has no example of route_not_found',
    ],
    [
      'an example of a code that the answer does not list',
      set([...notFound, 'examples', 'route_not_found'], {
        summary: 'No such path',
        value: { success: false, data: { code: 'route_not_found', message: 'x', trace_id: '0'.repeat(32) } },
      }),
      'route_not_found is not among the codes of this answer, which are message_not_found',
    ],
    [
      'a refused key without its four reasons',
      set(unauthorized, ['missing_api_key', 'invalid_api_key', 'revoked_api_key']),
      'may be answered 401 with expired_api_key, and does not document it',
    ],
    [
      'an operation that does not document what any may answer',
      remove(operation('/v1/messages', 'get', 'responses', '503')),
      'listMessages may be answered 503 with service_unavailable',
    ],
    [
      'an operation with a body that does not document its refusals',
      remove(operation('/v1/verify/send', 'post', 'responses', '415')),
      'sendVerification may be answered 415 with unsupported_media_type',
    ],
    [
      'an operation with an Idempotency-Key that does not document its refusals',
      remove(operation('/v1/verify/send', 'post', 'responses', '409')),
      'sendVerification may be answered 409 with idempotency_key_reused, idempotency_in_progress',
    ],
    [
      'a success that is always false',
      set(schema('SendVerificationReply', 'properties', 'success', 'x-always'), false),
      'a boolean with x-always: true',
    ],
    [
      'a constant that is no boolean',
      set(schema('Verified', 'properties', 'verified', 'x-always'), 'true'),
      'x-always must be true or false, beside type: boolean',
    ],
    [
      'an example of another success',
      set([...sent, 'examples', 'sent', 'value', 'success'], false),
      'the example sent has another success than x-always says',
    ],
    [
      'an example of a variant by the value of another',
      set(
        [
          ...operation('/v1/verify/check', 'post', 'responses', '200', 'content', 'application/json'),
          ...['examples', 'verified', 'value', 'data', 'verified'],
        ],
        false,
      ),
      'the example verified has another verified than x-always says',
    ],
  ])
})
