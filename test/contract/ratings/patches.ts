/** Changes of words alone, each with words that name it. All are made in one document. */
import { answer, type Draft, field, get, post, ref, schema } from './draft.ts'

/** What no client has to know: some are not even a change. */
export const patches: [what: string, change: (draft: Draft) => void, told: string | undefined][] = [
  [
    'a reference is alone in an allOf with words of its own',
    (draft) =>
      Object.assign(schema(draft, 'Verified').properties, {
        receipt: { allOf: [ref('Receipt')], description: 'Now.' },
      }),
    'receipt · description',
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
  [
    'the fields of two objects in an allOf are written in one',
    (draft) => {
      const [, own] = schema(draft, 'Parted').allOf
      const { properties, required } = schema(draft, 'PartedBase')
      draft.components.schemas.Parted = {
        ...{ type: 'object', description: 'In parts.', required: [...required, ...own.required] },
        properties: { ...properties, ...own.properties },
      }
    },
    undefined,
  ],
  [
    'an answer leads to one more operation',
    (draft) => Object.assign(answer(draft, '/v1/messages').links, { read: { operationId: 'getMessage' } }),
    'responses/200/links/read',
  ],
  [
    'an answer leads to one operation less',
    (draft) => delete answer(draft, '/v1/messages/{id}').links.send,
    'responses/200/links/send',
  ],
  [
    'the form of a key is described in another way',
    (draft) => Object.assign(draft.components.securitySchemes.bearerAuth, { bearerFormat: 'ww_…' }),
    'securitySchemes/bearerAuth · bearerFormat',
  ],
  [
    'an answer is shorter than it could be',
    (draft) => Object.assign(field(draft, 'messages', 'MessagePage'), { maxItems: 50 }),
    'messages · maxItems',
  ],
  [
    'an operation is not deprecated any more',
    (draft) => delete post(draft, '/v1/verify/cancel').deprecated,
    'POST /v1/verify/cancel',
  ],
]
