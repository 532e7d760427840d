/** Pages of what went wrong: whoever is signed in goes on from there by the menu. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor, visitorWith } from '../../support/visitor.ts'

let server: TestServer
let viewer: Visitor
let owner: Visitor
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  viewer = await signIn(server, 'viewer')
  owner = await signIn(server, 'owner')
})
afterAll(() => server.close())

const menuOf = (text: string) => text.includes('<nav aria-label="Pages">') && text.includes('action="/sign-out"')

describe('a page of what went wrong', () => {
  it.each([
    ['there is no such page', '/nowhere', 404],
    ['the path is no text', '/%', 404],
    ['an id is none', '/messages/a%20b', 404],
    ['a message is not there', '/messages/req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6', 404],
    ['the role is not enough', '/audit', 403],
  ])('has the menu for who is signed in: %s', async (_what, path, status) => {
    const seen = await viewer.get(path)
    expect([seen.status, menuOf(seen.text)]).toEqual([status, true])
  })

  it('has the menu for who is signed in: the service failed', async () => {
    await server.query(sql`alter table audit rename to audit_away`)
    const { status, text } = await owner.get('/audit')
    await server.query(sql`alter table audit_away rename to audit`)
    expect([status, menuOf(text)]).toEqual([500, true])
    expect(text).toMatch(/The log has more under <code>\w+</)
  })

  it('has the menu for who is signed in: the database has no room', async () => {
    await server.query(sql`alter table audit rename to audit_away`)
    await server.query(sql`create function no_room() returns boolean language plpgsql as
      $$ begin raise exception 'no room' using errcode = '53000'; end $$`)
    await server.query(sql`create view audit as select * from audit_away where no_room()`)
    const { status, text } = await owner.get('/audit')
    await server.query(sql`drop view audit`)
    await server.query(sql`alter table audit_away rename to audit`)
    expect([status, menuOf(text)]).toEqual([503, true])
  })

  it('has no menu for a stranger', async () => {
    const seen = await visitorWith(server, '').get('/nowhere')
    expect([seen.status, menuOf(seen.text)]).toEqual([404, false])
  })

  it('names nobody to another site', async () => {
    const seen = await viewer.get('/nowhere', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors' })
    expect([seen.status, menuOf(seen.text)]).toEqual([403, false])
  })
})
