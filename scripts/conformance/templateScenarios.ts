/** The scenarios of templates: see `scenarios.ts`. */
import { randomUUID } from 'node:crypto'
import type { Caller } from './caller.ts'
import { but, withBadKeys, withoutScope } from './refusals.ts'
import type { Request } from './request.ts'

export const templateScenarios = {
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
}

export async function listTemplates({ key }: Caller): Promise<Request> {
  return { key, query: { limit: '20' } }
}

export async function getTemplate({ key, welcome }: Caller): Promise<Request> {
  return { key, path: { slug: (await welcome()).template } }
}
