/** Who may do what: every page and every act, asked for by hand, as each role and as an owner of another account. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Admin } from '../../../src/app/admin.ts'
import { scopes } from '../../../src/contract/document.ts'
import { Forbidden, roles } from '../../../src/domain/access/actor.ts'
import { standardList } from '../../../src/domain/protection/standardList.ts'
import { routes } from '../../../src/http/dashboard/pages/index.ts'
import type { GuardedRoute } from '../../../src/http/dashboard/route.ts'
import type { Acting } from '../../support/acting.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { type Fields, signIn } from '../../support/visitor.ts'

const guarded = routes.filter((route): route is GuardedRoute => route.role !== 'anyone')
const accountId = 'acct_default'
const ownRule = { id: 'mine', by: 'country' as const, allow: ['DE'], do: 'record' as const }
const hiddenUrl = 'http://127.0.0.1:9/hooks'

let server: TestServer
/** What there is in the account, by the beginning of the path that names it. */
let ids: [prefix: string, id: string, inner?: string][]
/** A word that stands on every page about one of them. */
const mark = 'Zq7mark'

beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  const { app } = server
  const { row } = await app.apiKeys.create({ accountId, name: `key ${mark}`, mode: 'test', scopes, expiresAt: null })
  const made = await app.endpoints.add({ accountId, mode: 'test', url: `${hiddenUrl}/${mark}`, types: null })
  const [event] = await app.endpoints.test(made.endpoint, ['message.read'])
  await server.query(sql`update event_delivery set state = 'failed', due_at = null`)
  await app.templates.apply(accountId, [{ slug: 'attacked', text: `Hello ${mark}`, channels: {} }])
  await app.connections.apply(accountId, [
    { id: 'sandbox', kind: 'sandbox' },
    {
      id: 'attacked',
      kind: 'http',
      url: `${hiddenUrl}/${mark}`,
      secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
    },
  ])
  const secret = `a secret with ${mark}`
  await app.inlets.apply(accountId, [{ id: 'attacked', kind: 'plain', mode: 'test', secret }])
  const budgets = [{ id: 'attacked', messages: 1_000_000 }]
  await app.protections.apply(accountId, { rules: [{ ...ownRule, id: 'attacked' }], fail: 'open', budgets })
  await app.wordings.apply(accountId, { texts: { de: `{{code}} ${mark}` } })
  const { id: invitationId } = await app.invitations.make({ accountId, role: 'viewer', email: null })
  const { userId } = await signIn(server, 'owner', { name: `person ${mark}` })
  const [session] = await server.query<{ id: string }>(sql`select id from dashboard_session where user_id = ${userId}`)
  const messageId = await server.test.send(newPhone())
  await server.work()
  ids = [
    ['/keys', row.id],
    ['/webhooks', made.endpoint.id, event!.id],
    ['/templates', 'attacked'],
    ['/wording', 'de'],
    ['/people/invitations', invitationId],
    ['/people', userId],
    ['/profile/sessions', session!.id],
    ['/messages', messageId],
    ['/channels', 'attacked'],
    ['/inlets', 'attacked'],
    ['/protection/rules', 'attacked'],
    ['/protection/budgets', 'attacked'],
    ['/guide', 'channels'],
  ]
  await app.accounts.create('other')
})
afterAll(() => server?.close())

/** @throws Error for a path of which no id is known: add it above */
function fillPattern(pattern: string): string {
  if (!pattern.includes(':')) return pattern
  const [, id, inner = ''] = ids.find(([prefix]) => pattern.startsWith(`${prefix}/:`)) ?? []
  if (id === undefined) throw new Error(`No test knows an id for ${pattern}.`)
  return pattern.replace(/:(id|slug|language)/, id).replace(':eventId', inner)
}

/** Good for each act that there is: what refuses is not the form. */
const fields: Fields = {
  ...{
    role: 'viewer',
    hours: '24',
    since: '3600',
    what: 'all',
    type: 'message.sent',
    text: 'Hi',
    slug: 'mine',
    rules: '[]',
  },
  ...{ name: 'n', mode: 'test', scope: [...scopes], days: '30', url: hiddenUrl, events: 'all', email: '' },
  ...{ kind: 'sandbox', id: 'more', version: 'x', by: 'up', phone: '+14155550100' },
  ...{ password: 'a password of an attack', proof: 'x', code: '000000' },
}

/** All rows of all tables, as a fingerprint each. */
async function everything(): Promise<Record<string, string>> {
  const tables = await server.query<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  const prints = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await server.query<{ print: string | null }>(
        sql`select md5(string_agg(t::text, e'\n' order by t::text)) as print from ${sql.identifier(name)} t`,
      )
      return [name, rows[0]?.print ?? ''] as const
    }),
  )
  return Object.fromEntries(prints)
}

describe.each(['viewer', 'developer'] as const)('a %s', (role) => {
  const above = guarded.filter((route) => roles.indexOf(route.role) > roles.indexOf(role))

  it('is refused every page and every act of a higher role, by hand too, and nothing is changed', async () => {
    const who = await signIn(server, role)
    const before = await everything()
    expect(above.length).toBeGreaterThan(5)
    for (const { method, path } of above) {
      const place = fillPattern(path)
      const { status, text } = method === 'GET' ? await who.get(place) : await who.post(place, fields)
      expect([method, path, status]).toEqual([method, path, 403])
      expect(text).not.toContain(mark)
    }
    expect(await everything()).toEqual(before)
  })

  it('is refused by the domain as well, which no page stands before', async () => {
    const { userId: id } = await signIn(server, role)
    const desk = server.app.as({ kind: 'user', accountId, id, name: 'x', role, address: '::1' })
    const before = await everything()
    const asked = [...ownersReads(desk), ...ownersActs(desk)]
    if (role === 'viewer') asked.push(...developersReads(desk), ...developersActs(desk))
    expect(await areForbidden(asked)).toEqual(asked.map(() => true))
    expect(await everything()).toEqual(before)
  })

  it('refuses each act of one who was an owner when the request came, and changes nothing', async () => {
    const { userId: id } = await signIn(server, role)
    const desk = server.app.as({ kind: 'user', accountId, id, name: 'x', role: 'owner', address: '::1' })
    const before = await everything()
    const asked = [...ownersActs(desk), ...developersActs(desk)]
    expect(await areForbidden(asked)).toEqual(asked.map(() => true))
    expect(await everything()).toEqual(before)
  })
})

function ownersReads({ users, invitations, listAudit, connectionEdits }: Acting<Admin>): Promise<unknown>[] {
  return [
    connectionEdits.read(accountId),
    users.list(accountId),
    users.listAll(),
    invitations.list(accountId),
    listAudit(accountId, { count: 1 }),
  ]
}

function ownersActs(desk: Acting<Admin>): Promise<unknown>[] {
  const { users, invitations, connections, connectionEdits, protections, inlets, inletEdits, optOuts, forget } = desk
  const [invitationId, userId] = [idAt('/people/invitations'), idAt('/people')]
  const user = { accountId, id: userId }
  return [
    users.setRole(user, 'viewer'),
    users.disable(user),
    users.enable(user),
    users.signOut(user),
    users.signOutAll(accountId),
    users.removeAuthenticator(user),
    invitations.make({ accountId, role: 'owner', email: null }),
    invitations.makeForPassword(user),
    invitations.end(accountId, invitationId),
    connections.apply(accountId, [{ id: 'sandbox', kind: 'sandbox' }]),
    connectionEdits.edit(accountId, '', { do: 'remove', id: 'attacked' }),
    inlets.apply(accountId, []),
    inletEdits.add(accountId, { id: 'mine', kind: 'plain', mode: 'test', secret: 'a-secret-of-an-attack' }),
    inletEdits.remove(accountId, 'attacked'),
    protections.apply(accountId, { rules: [], fail: 'open', budgets: [] }),
    optOuts.remove(accountId, { phone: '+14155550100' }),
    optOuts.import(accountId, { phones: ['+14155550100'], category: 'all' }),
    forget('+14155550100'),
  ]
}

function developersReads({
  sandboxPhones,
  tryRules,
  listProviderTemplates,
  optOuts,
}: Acting<Admin>): Promise<unknown>[] {
  const trial = { rules: standardList, since: 3600, isBlocking: true }
  const phone = '+14155550100'
  return [
    sandboxPhones.list(accountId),
    sandboxPhones.texts(accountId, phone),
    tryRules(accountId, trial),
    listProviderTemplates(accountId, 'none'),
    optOuts.find(accountId, phone),
  ]
}

function developersActs({ apiKeys, endpoints, templates, optOuts }: Acting<Admin>): Promise<unknown>[] {
  const keyId = idAt('/keys')
  const endpoint = { accountId, id: idAt('/webhooks') }
  return [
    apiKeys.create({ accountId, name: 'n', mode: 'test', scopes, expiresAt: null }),
    apiKeys.revoke(keyId),
    apiKeys.roll(keyId, 0),
    endpoints.add({ accountId, mode: 'test', url: hiddenUrl, types: null }),
    endpoints.reveal(endpoint),
    endpoints.rotate(endpoint),
    endpoints.enable(endpoint),
    endpoints.disable(endpoint),
    endpoints.remove(endpoint),
    endpoints.test(endpoint),
    endpoints.replay(endpoint, { since: new Date(0) }),
    templates.add(accountId, { slug: 'mine', text: 'Hi', channels: {} }),
    templates.apply(accountId, [{ slug: 'mine', text: 'Hi', channels: {} }]),
    templates.remove(accountId, 'attacked'),
    optOuts.add(accountId, { phone: '+14155550100', category: 'all' }),
  ]
}

function idAt(place: string): string {
  return ids.find(([prefix]) => prefix === place)?.[1] ?? ''
}

async function areForbidden(asked: Promise<unknown>[]): Promise<boolean[]> {
  const told = await Promise.allSettled(asked)
  return told.map((one) => one.status === 'rejected' && one.reason instanceof Forbidden)
}

it('of another account nothing is there, whatever id stands in a path, and nothing is changed', async () => {
  const named = guarded.filter(({ path }) => path.includes(':'))
  for (const { method, path } of named) {
    const stranger = await signIn(server, 'owner', { account: 'other' })
    const before = await everything()
    const place = fillPattern(path)
    const { status, text } = method === 'GET' ? await stranger.get(place) : await stranger.submit(place, fields)
    expect([method, path, status, text.includes('There is no ')]).toEqual([method, path, expect.any(Number), true])
    expect(method === 'GET' ? [404] : [200, 400, 404]).toContain(status)
    expect([path, text.includes(mark)]).toEqual([path, false])
    expect(await everything()).toEqual(before)
  }
})
