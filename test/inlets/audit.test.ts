/** What the audit says when somebody applies a list of inlets. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { keys, secretOf } from './site.ts'

let server: TestServer
let account: string
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  account = (await server.app.accounts.create(`account ${newPhone().slice(1)}`)).id
})
afterAll(() => server.close())

const hook = { id: 'hook', kind: 'supabase', mode: 'live', secret: secretOf(keys[0]), brand_name: 'Acme' }
const plain = { id: 'own', kind: 'plain', mode: 'test', secret: 'the-secret-of-this-inlet' }

/** Of the last list that changed anything. */
async function noted(...list: object[]): Promise<Record<string, unknown>> {
  await server.advance(1)
  await server.app.inlets.apply(account, list)
  const [last] = (await server.app.listAudit(account, { count: 10 })).filter(({ act }) => act === 'inlets.applied')
  return last!.detail
}

it('names for each inlet what a list changed of it, and has no value of a secret', async () => {
  expect(await noted(hook, plain)).toMatchObject({ changed: ['hook (new)', 'own (new)'] })
  const other = { ...hook, mode: 'test', secret: [secretOf(keys[1]), secretOf(keys[0])], locale: 'de' }
  const details = [
    await noted(other, plain),
    await noted(other, { ...plain, kind: 'logto', secret: 'another-secret-of-this-inlet' }),
    await noted({ ...other, brand_name: 'Other', autofill: { domain: 'acme.com' } }),
  ]
  expect(details).toEqual([
    { ids: ['hook', 'own'], changed: ['hook (mode, secret, locale)'], removed: [] },
    { ids: ['hook', 'own'], changed: ['own (kind, secret)'], removed: [] },
    { ids: ['hook'], changed: ['hook (brand_name, autofill)'], removed: ['own'] },
  ])
  expect(JSON.stringify(details)).not.toMatch(/whsec_|another-secret/)
})
