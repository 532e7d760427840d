/** A provider file of several documents: refused where it is entered, and read as before where a version before has stored it. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acme } from '../../delivery/channels/sms/acme.ts'
import { faultAt, formOn } from '../../support/channelForm.ts'
import { type Provider, startProvider } from '../../support/provider.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { signIn } from '../../support/visitor.ts'

let server: TestServer
let provider: Provider
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  provider = await startProvider({ status: 200, body: '{"data":{"id":"a-1"}}' })
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

const entry = (more: object = {}) => ({
  ...{ id: 'texts', kind: 'sms', provider: 'own-file.yaml', provider_file: acme },
  ...{ api_key: 'word', from: 'Acme', base_url: provider.url, ...more },
})

let accounts = 0
async function accountWith(list: object[]) {
  accounts += 1
  const { id: accountId, name: account } = await server.app.accounts.create(`kept ${accounts}`)
  await server.app.connections.apply(accountId, list)
  const owner = await signIn(server, 'owner', { account })
  return { accountId, owner, live: server.as(await server.key({ mode: 'live', account })) }
}

const lines = acme.split('\n').length
const several = `line ${lines}: is no YAML: there is more than one document: leave out the line ---`
const refused: [what: string, text: string, fault: string][] = [
  ['a second document', `${acme}---\n${acme}`, several],
  ['a line --- at its end', `${acme}---\n`, several],
  ['another version of YAML', `%YAML 1.1\n---\n${acme}`, 'line 1: is no YAML: a line %YAML names another version'],
]

describe('a provider file', () => {
  it.each(refused)('with %s is refused with its line, in the dashboard and in a list', async (_what, text, fault) => {
    const { accountId, owner } = await accountWith([entry()])
    const fresh = { ...(await formOn(owner, '/new-channel?kind=sms')), provider: 'own-file.yaml' }
    const changed = { ...(await formOn(owner, '/channels/texts')), from: 'Other' }
    for (const pasted of [text, text.replaceAll('\n', '\r\n')]) {
      const added = await owner.post('/new-channel', { ...fresh, provider_file: pasted })
      expect([added.status, faultAt(added.text, 'provider_file')]).toEqual([400, expect.stringContaining(fault)])
      const saved = await owner.post('/channels/texts', { ...changed, provider_file: pasted })
      expect([saved.status, faultAt(saved.text, 'provider_file')]).toEqual([400, expect.stringContaining(fault)])
    }
    const applied = server.app.connections.apply(accountId, [entry({ provider_file: text })])
    await expect(applied).rejects.toThrow(`"texts", provider_file: ${fault}`)
  })

  it.each([
    ['begins with ---', `# ours\n---\n${acme}`],
    ['ends with ...', `---\n${acme}...\n`],
    ['has --- in a text', acme.replace('title: Acme SMS', 'title: |\n  Acme\n  --- SMS ---\n  ---')],
  ])('that %s is read, in the dashboard and in a list', async (_what, text) => {
    const { accountId, owner } = await accountWith([entry()])
    const changed = { ...(await formOn(owner, '/channels/texts')), from: 'Other' }
    const pasted = { ...changed, api_key: 'word', provider_file: text.replaceAll('\n', '\r\n') }
    expect((await owner.submit('/channels/texts', pasted)).text).toContain('Saved texts')
    await server.app.connections.apply(accountId, [entry({ provider_file: text })])
    // As it is written down, it can be applied again.
    const [exported] = await server.app.connections.export(accountId)
    expect(exported).toMatchObject({ provider_file: text })
  })
})

describe('a provider file that is kept', () => {
  async function accountThatKeeps(text: string) {
    const account = await accountWith([entry(), entry({ id: 'next', from: 'Next' })])
    const settings = sql`jsonb_set(settings, '{provider_file}', to_jsonb(${text}::text))`
    await server.query(
      sql`update connection set settings = ${settings} where account_id = ${account.accountId} and id = 'texts'`,
    )
    provider.asked.length = 0
    return account
  }
  const pages = ['/', '/channels', '/channels/texts']

  it.each(refused)('with %s sends on, and the pages show it', async (_what, text) => {
    const { live, owner, accountId } = await accountThatKeeps(text)
    const id = await live.send(newPhone())
    await server.work()
    expect(provider.asked.map(({ body }) => JSON.parse(body))).toMatchObject([{ from: 'Acme' }])
    expect(await live.status(id)).toBe('sent')
    for (const page of pages) expect((await owner.get(page)).status, page).toBe(200)
    expect((await owner.get('/channels/texts')).text).toContain('name="api_key"')
    const [checked] = await server.app.check(accountId)
    expect(checked?.findings).not.toContainEqual(expect.objectContaining({ level: 'bad' }))
    // Others of the list can be changed meanwhile.
    const next = { ...(await formOn(owner, '/channels/next')), provider_file: acme, from: 'Other' }
    expect((await owner.submit('/channels/next', next)).text).toContain('Saved next')
  })

  it('and is no YAML leaves its messages to the next connection, and the pages show it', async () => {
    const { live, owner, accountId } = await accountThatKeeps('title: "Acme')
    const id = await live.send(newPhone())
    await server.work()
    expect(await live.status(id)).toBe('sent')
    expect((await server.app.history(id)).legs.map(({ connection }) => connection)).toEqual(['texts', 'next'])
    for (const page of pages) expect((await owner.get(page)).status, page).toBe(200)
    const [checked] = await server.app.check(accountId)
    const why = 'provider_file: line 1: is no YAML: a quote, a bracket, a comma or a colon is missing'
    expect(checked?.findings).toContainEqual({ level: 'bad', text: expect.stringContaining(why) })
  })
})
