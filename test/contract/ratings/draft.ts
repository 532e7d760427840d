/** The contract that tests change, and its parts by their names. */

// biome-ignore lint/suspicious/noExplicitAny: a document that tests change anywhere.
export type Draft = any
export type Rated = [what: string, change: (draft: Draft) => void, told: string]

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
export const schema = ({ components }: Draft, name: string) => components.schemas[name]
export const field = (draft: Draft, name: string, of: string) => schema(draft, of).properties[name]
export const post = ({ paths }: Draft, path: string) => paths[path].post
export const get = ({ paths }: Draft, path: string) => paths[path].get
export const answer = (draft: Draft, path: string) => get(draft, path).responses['200']
export const parameter = (draft: Draft, path: string, name: string) =>
  get(draft, path).parameters.find((one: { name: string }) => one.name === name)
export const without = (list: unknown[], value: unknown) => list.splice(list.indexOf(value), 1)
export const text = (description: string) => ({ type: 'string', description })

/** What stands in the published contract, so that each change is one. */
export function prepare(draft: Draft): void {
  Object.assign(schema(draft, 'CheckResult'), { 'x-may-grow': true })
  Object.assign(field(draft, 'trusted', 'Signals'), { 'x-always': true })
  Object.assign(field(draft, 'device_id', 'Signals'), { readOnly: true })
  Object.assign(field(draft, 'nonce', 'ReceiptRequest'), { nullable: true })
  Object.assign(field(draft, 'score', 'Captcha'), { exclusiveMaximum: true })
  Object.assign(schema(draft, 'Captcha').properties, { since: { ...text('When.'), format: 'date-time' } })
  delete schema(draft, 'ReceiptRequest').additionalProperties
  Object.assign(schema(draft, 'EndpointDisabledEventData').properties, {
    at: { ...text('When.'), format: 'date-time' },
    share: { type: 'number', description: 'How many percent it took.' },
  })
  prepareAnswers(draft)
  prepareRequests(draft)
}

function prepareAnswers(draft: Draft): void {
  const list = answer(draft, '/v1/messages')
  Object.assign(list.headers, {
    'X-Count': { required: true, schema: { type: 'integer' } },
    'X-Kind': { schema: { type: 'string', enum: ['all', 'some'] } },
  })
  list.links = { send: { operationId: 'sendVerification' } }
  const message = answer(draft, '/v1/messages/{id}')
  Object.assign(message, {
    links: { list: { operationId: 'listMessages' }, send: { operationId: 'sendVerification' } },
  })
  message.content['text/plain'] = { schema: { type: 'string' } }
  Object.assign(draft.components.schemas, {
    ConfirmedForm: { oneOf: [ref('Verified'), ref('Parted')] },
    PartedBase: { type: 'object', required: ['one'], properties: { one: text('One.') } },
    Parted: {
      description: 'In parts.',
      allOf: [ref('PartedBase'), { type: 'object', required: ['two'], properties: { two: text('Two.') } }],
    },
  })
  post(draft, '/v1/verify/confirm').responses['200'].content['application/hal+json'] = { schema: ref('ConfirmedForm') }
  schema(draft, 'ListedMessage').properties.findings = { ...text('Found.'), writeOnly: true }
}

function prepareRequests(draft: Draft): void {
  get(draft, '/v1/messages').parameters.push(
    { name: 'sort', in: 'query', schema: { type: 'string', enum: ['newest', 'oldest'] } },
    { name: 'days', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 30, default: 7 } },
  )
  const { content } = post(draft, '/v1/verify/confirm').requestBody
  content['application/x-www-form-urlencoded'] = { ...content['application/json'] }
  Object.assign(post(draft, '/v1/verify/cancel'), { deprecated: true })
  Object.assign(post(draft, '/v1/verify/check'), { security: [{ bearerAuth: ['checks'] }] })
}
