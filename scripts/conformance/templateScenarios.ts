/** The scenarios of templates: see `scenarios.ts`. */
import { randomUUID } from 'node:crypto'
import { operationFacts } from '../../src/contract/document.ts'
import type { Caller } from './caller.ts'
import { but, compressed, tooLarge, withBadKeys, withoutScope, withTakenKey } from './refusals.ts'
import type { Request } from './request.ts'

/** Of a template that is a run's own. */
const text = 'Hi {{name}}'
const costlyText = '{{name}}, your order {{order}}\u202fis on its way. Tell us at once if it has not come by Friday.'
const unfit = {
  default_locale: 'en',
  locales: {
    en: {
      text: '{{name}}, your order {{order}} is on its way.',
      whatsapp: { name: 'order_shipped', language: 'en_US', colour: 'red' },
    },
    de: {},
  },
}

export const templateScenarios = {
  previewNotification: {
    200: { sendable: preview, refused: but(preview, previewOptedOut) },
    400: {
      invalid_request: but(preview, async ({ newPhone }) => ({ body: { phone: newPhone() } })),
      invalid_json: but(preview, { body: '{' }),
      invalid_phone: but(preview, async ({ welcome }) => ({ body: { ...(await welcome()), phone: '+1415555010' } })),
      unknown_template: but(preview, async ({ newPhone }) => ({
        body: { phone: newPhone(), template: `no-${randomUUID()}`, variables: {} },
      })),
      invalid_variables: but(preview, async ({ newPhone, welcome }) => ({
        body: { ...(await welcome()), phone: newPhone(), variables: { nickname: 'Ada' } },
      })),
    },
    401: withBadKeys(preview),
    403: { insufficient_scope: withoutScope(preview, 'notifications:write') },
    409: withTakenKey(preview, 'previewNotification'),
    413: tooLarge(preview),
    415: compressed(preview),
  },
  listTemplates: {
    200: { listed: listTemplates, end: but(listTemplates, { query: `after=${'z'.repeat(64)}` }) },
    400: { invalid_request: but(listTemplates, { query: 'limit=101&after=Welcome&order=slug' }) },
    401: withBadKeys(listTemplates),
    403: { insufficient_scope: withoutScope(listTemplates, 'templates:read') },
  },
  getTemplate: {
    200: { found: getTemplate },
    400: { invalid_request: but(getTemplate, { path: { slug: 'Welcome' } }) },
    401: withBadKeys(getTemplate),
    403: { insufficient_scope: withoutScope(getTemplate, 'templates:read') },
    404: { template_not_found: but(getTemplate, async () => ({ path: { slug: `no-${randomUUID()}` } })) },
  },
  putTemplate: {
    200: {
      created: putTemplate,
      changed: putAfter('changed', 'Hello, {{name}}!'),
      unchanged: putAfter('unchanged', text),
      costly: putNew('costly', costlyText),
    },
    400: {
      invalid_request: but(putTemplate, { body: unfit }),
      invalid_json: but(putTemplate, { body: '{' }),
    },
    401: withBadKeys(putTemplate),
    403: { insufficient_scope: withoutScope(putTemplate, 'templates:write') },
    413: tooLarge(putTemplate, operationFacts.find(({ operationId }) => operationId === 'putTemplate')!.bodyBytesMax),
    415: compressed(putTemplate),
  },
  deleteTemplate: {
    200: { deleted: but(putAfter('deleted', text), { body: undefined }) },
    400: { invalid_request: but(deleteTemplate, { path: { slug: 'Welcome' } }) },
    401: withBadKeys(deleteTemplate),
    403: { insufficient_scope: withoutScope(deleteTemplate, 'templates:write') },
    404: { template_not_found: deleteTemplate },
  },
}

function bodyOf(written: string) {
  return { default_locale: 'en', locales: { en: { text: written } } }
}

/** Of a template that is not there. Each answer has one of its own, always of the same name: runs leave no more behind than the first. */
function putNew(name: string, written = text): (caller: Caller) => Promise<Request> {
  return async ({ keyWith, ask }) => {
    const template = { key: await keyWith('templates:write'), path: { slug: `watchword-conformance-${name}` } }
    await ask('deleteTemplate', template)
    return { ...template, body: bodyOf(written) }
  }
}

export function putTemplate(caller: Caller): Promise<Request> {
  return putNew('created')(caller)
}

/** Of one that has been put before, with that text. */
function putAfter(name: string, before: string): (caller: Caller) => Promise<Request> {
  return async (caller) => {
    const request = await putNew(name)(caller)
    await caller.ask('putTemplate', { ...request, body: bodyOf(before) })
    return request
  }
}

export async function deleteTemplate({ keyWith }: Caller): Promise<Request> {
  return { key: await keyWith('templates:write'), path: { slug: `no-${randomUUID()}` } }
}

export async function listTemplates({ key }: Caller): Promise<Request> {
  return { key, query: { limit: '20' } }
}

export async function getTemplate({ key, welcome }: Caller): Promise<Request> {
  return { key, path: { slug: (await welcome()).template } }
}

export async function preview({ key, newPhone, welcome }: Caller): Promise<Request> {
  return { key, body: { phone: newPhone(), ...(await welcome()) } }
}

async function previewOptedOut({ key, newPhone, welcome, ask }: Caller) {
  const phone = newPhone()
  await ask('addOptOut', { key, body: { phone } })
  return { body: { phone, ...(await welcome()) } }
}
