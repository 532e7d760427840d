/** Who may do what with endpoints, and that it is written down. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../../src/domain/access/actor.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { type Fields, signIn } from '../../support/visitor.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
})
afterAll(() => server.close())

const url = 'http://127.0.0.1:9/hooks/hidden-path?token=hidden-token'

/** An endpoint with one event. */
async function given(): Promise<{ id: string; secret: string; page: string; eventId: string }> {
  const made = await server.app.endpoints.add({ accountId: 'acct_default', mode: 'test', url, types: null })
  const [event] = await server.app.endpoints.test(made.endpoint, ['message.read'])
  const { id } = made.endpoint
  // It is not due any more: nothing is sent there.
  await server.query(sql`update event_delivery set state = 'failed', due_at = null where endpoint_id = ${id}`)
  await server.query(sql`insert into event_attempt (account_id, event_id, endpoint_id, at, status, duration_ms, answer)
    values ('acct_default', ${event!.id}, ${id}, now(), 404, 5, 'Cannot POST /hooks/hidden-path')`)
  return { id, secret: made.secret, page: `/webhooks/${id}`, eventId: event!.id }
}

type Given = Awaited<ReturnType<typeof given>>

/** Every act, in an order in which all of them can be done. */
const acts: { act: string; path: (of: Given) => string; fields?: Fields }[] = [
  {
    act: 'endpoint.added',
    path: () => '/webhooks',
    // Another one each time: one that is there is not added again.
    get fields() {
      return { url: `${url}&of=${randomUUID()}`, mode: 'test', events: 'all' }
    },
  },
  { act: 'endpoint.revealed', path: ({ page }) => `${page}/secret` },
  { act: 'endpoint.rotated', path: ({ page }) => `${page}/rotate` },
  { act: 'endpoint.tested', path: ({ page }) => `${page}/test`, fields: { type: 'message.sent' } },
  { act: 'endpoint.replayed', path: ({ page, eventId }) => `${page}/${eventId}/replay` },
  { act: 'endpoint.replayed', path: ({ page }) => `${page}/replay`, fields: { since: '3600', what: 'all' } },
  { act: 'endpoint.disabled', path: ({ page }) => `${page}/disable` },
  { act: 'endpoint.enabled', path: ({ page }) => `${page}/enable` },
  { act: 'endpoint.removed', path: ({ page }) => `${page}/remove` },
]
const forms = ['new', 'test', 'replay', 'rotate']

interface Noted {
  name: string
  act: string
  subject: string
  detail: object
  address: string | null
}

const notes = () => server.query<Noted>(sql`select name, act, subject, detail, address from audit order by id`)

/** All that can be changed, as one can see it. */
const state = () => server.query(sql`select id, url, sealed, disabled_at from endpoint order by id`)

describe.each<Role>(['developer', 'owner'])('a person with the role %s', (role) => {
  it('may do everything with endpoints, and each act is written down', async () => {
    const [of, who] = [await given(), await signIn(server, role)]
    await server.advance(1)
    const before = (await notes()).length
    for (const { path, fields } of acts) expect((await who.post(path(of), fields)).status).toBeLessThan(400)
    const written = (await notes()).slice(before)
    expect(written.map(({ act }) => act).toSorted()).toEqual(acts.map(({ act }) => act).toSorted())
    for (const { name, address } of written) expect([name, address]).toEqual([`a ${role}`, '127.0.0.1'])
    expect(written.filter(({ subject }) => subject === of.id)).toHaveLength(acts.length - 1)
  })
})

describe('a viewer', () => {
  it('reads endpoints and deliveries, without what a URL may hold that is secret', async () => {
    const [{ page, id, eventId, secret }, viewer] = [await given(), await signIn(server, 'viewer')]
    for (const path of ['/webhooks', page, `${page}/${eventId}`]) {
      const { status, text } = await viewer.get(path)
      expect(status).toBe(200)
      expect(text).toContain(id)
      expect(text).toContain('127.0.0.1:9/hoo...')
      expect(text).not.toContain('hidden-')
      expect(text).not.toContain(secret)
      expect(text).not.toMatch(/<form method="post" action="\/webhooks/)
    }
    const developer = await signIn(server, 'developer')
    expect((await developer.get(page)).text).toContain(url)
    expect((await developer.get(`${page}/${eventId}`)).text).toContain('Cannot POST /hooks/hidden-path')
  })

  it('reads of a message who was told of it, without what a URL may hold that is secret', async () => {
    const { id } = await given()
    const message = await server.test.send('+14155550100')
    await server.app.worker.runOnce()
    const told = async (role: Role) => (await (await signIn(server, role)).get(`/messages/${message}`)).text
    expect(await told('developer')).toContain('hidden-path')
    const text = await told('viewer')
    expect(text).toContain(id)
    expect(text).toContain('127.0.0.1:9/hoo...')
    expect(text).not.toContain('hidden-')
    await server.app.endpoints.remove({ accountId: 'acct_default', id })
  })

  it('can change nothing', async () => {
    const [of, viewer] = [await given(), await signIn(server, 'viewer')]
    const before = [await state(), await notes()]
    for (const { path, fields } of acts) expect((await viewer.post(path(of), fields)).status).toBe(403)
    for (const form of forms) {
      expect((await viewer.get(form === 'new' ? '/webhooks/new' : `${of.page}/${form}`)).status).toBe(403)
    }
    expect([await state(), await notes()]).toEqual(before)
  })
})

describe('a person of another account', () => {
  it('is told of an endpoint what is told of one that there is not', async () => {
    await server.app.accounts.create('other')
    const [of, other] = [await given(), await signIn(server, 'owner', { account: 'other' })]
    const none = { ...of, id: 'ep_none', page: '/webhooks/ep_none' }
    const before = [await state(), await notes()]
    expect((await other.get('/webhooks')).text).not.toContain(of.id)
    const told = async ({ id, page, eventId }: Given, path: string, fields?: Fields) => {
      const { status, text } = await (fields ? other.submit(path, fields) : other.get(path))
      return [status, text.replaceAll(id, 'ID').replaceAll(page, 'PAGE').replaceAll(eventId, 'EVENT')]
    }
    for (const { path, fields = {} } of acts.slice(1)) {
      expect(await told(of, path(of), fields)).toEqual(await told(none, path(none), fields))
    }
    for (const end of ['', '/test', '/replay', '/rotate', `/${of.eventId}`]) {
      const [status, text] = await told(of, of.page + end)
      expect([status, text]).toEqual(await told(none, none.page + end))
      expect(status).toBe(404)
    }
    expect([await state(), await notes()]).toEqual(before)
  })

  it('is refused by the domain too, whatever key is held', async () => {
    const { id: accountId } = await server.app.accounts.create('third')
    const actor = { kind: 'user', accountId, id: 'usr_1', name: 'x', role: 'owner', address: '::1' } as const
    const { endpoints } = server.app.as(actor)
    const { id, eventId } = await given()
    const key = { accountId: 'acct_default', id }
    const asked = [
      endpoints.require(id),
      endpoints.reveal(key),
      endpoints.rotate(key),
      endpoints.enable(key),
      endpoints.disable(key),
      endpoints.remove(key),
      endpoints.test(key),
      endpoints.replay(key, { eventId }),
      endpoints.replay(key, { since: new Date(0) }),
      endpoints.delivery(key, eventId),
      endpoints.deliveries(key, 1),
      endpoints.page(key, { state: undefined, after: undefined, count: 1 }),
      endpoints.counts([key]),
      endpoints.held(key),
    ]
    const said = (await Promise.allSettled(asked)).map((one) => one.status === 'rejected' && one.reason.message)
    expect(said).toEqual(asked.map(() => `There is no endpoint ${id}.`))
    const input = { accountId: 'acct_default', mode: 'test', url, types: null } as const
    await expect(endpoints.add(input)).rejects.toThrow('This needs the role developer.')
    expect(await endpoints.list()).toEqual([])
  })
})

it('what is written down names the host, and nothing of a URL or a secret that is not to be known', async () => {
  const of = await given()
  const owner = await signIn(server, 'owner')
  for (const { path, fields } of acts) await owner.post(path(of), fields)
  const written = JSON.stringify(await notes())
  expect(written).toContain('"host":"127.0.0.1:9"')
  expect(written).not.toContain('hidden-')
  expect(written).not.toContain('whsec_')
})
