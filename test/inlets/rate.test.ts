/** How often an inlet may post: as a key may, and each on its own. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultAccount } from '../../src/domain/access/account.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { bodyOf, entry, post } from './site.ts'

let server: TestServer
let [account, other] = ['', '']
beforeAll(async () => {
  server = await startServer({ config: { keyRatePerSecond: 1, keyBurst: 3 } })
  account = (await server.app.accounts.require(defaultAccount)).id
  other = (await server.app.accounts.create('another account')).id
  await server.app.inlets.apply(account, [entry(), entry({ id: 'second' })])
  await server.app.inlets.apply(other, [entry()])
})
afterAll(() => server.close())

it('an inlet that posts too often takes nothing from another one, of its account or of its name', async () => {
  const statusOf = async (to: { account?: string; inlet?: string } = {}) =>
    (await post(server, bodyOf({ phone: newPhone(), code: '561166' }), to)).status
  const crowd = await Promise.all(Array.from({ length: 12 }, () => statusOf()))
  expect(crowd).toContain(503)
  for (const to of [{ inlet: 'second' }, { account: other }]) expect(await statusOf(to)).toBe(200)
})
