/** Where channels that people enter in the dashboard may lead, in production. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { standardOptions } from '../../../src/simulator/options.ts'
import { acme } from '../../delivery/channels/sms/acme.ts'
import { faultAt, formOn } from '../../support/channelForm.ts'
import { freePort } from '../../support/port.ts'
import { type Provider, startProvider } from '../../support/provider.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { type Fields, signIn, type Visitor } from '../../support/visitor.ts'

const accountId = 'acct_default'
const refused = 'this address is not allowed'
let opsPort: number
let server: TestServer
let target: Provider
let owner: Visitor
/** Of the same database, outside of production. */
let outside: TestServer
let tester: Visitor
beforeAll(async () => {
  target = await startProvider({ status: 200, body: '{}' })
  opsPort = await freePort()
  const open = { channelsAllowNetworks: ['192.168.7.0/24'] }
  server = await startServer({ config: { dashboardPort: 0, production: true, opsPort, ...open } })
  owner = await signIn(server, 'owner')
  outside = await startServer({ config: { dashboardPort: 0 }, beside: server })
  tester = await signIn(outside, 'owner')
})
afterAll(async () => {
  await outside.close()
  await server.close()
  await target.close()
})

/** What a person enters for one of that kind; `own-file.yaml` is the text of a file. */
const entered: Record<string, (url: string) => Fields> = {
  whatsapp: (base_url) => ({
    ...{
      phone_number_id: '106540352242922',
      business_account_id: '102290129340398',
      access_token: 'token-of-this-test',
    },
    ...{ app_secret: 'app', verify_token: 'verify', 'code_template.name': 'codes', 'code_template.language': 'en' },
    base_url,
  }),
  telegram: (base_url) => ({ access_token: standardOptions.telegramToken, base_url }),
  sms: (base_url) => ({
    provider: 'twilio',
    account_sid: 'AC0123456789abcdef0123456789abcdef',
    auth_token: 'word',
    from: 'Acme',
    base_url,
  }),
  'own-file.yaml': (url) => ({
    ...{
      provider: 'own-file.yaml',
      provider_file: acme.replaceAll('https://api.acme.example', url),
      api_key: 'word',
      from: 'Acme',
    },
  }),
  http: (url) => ({ url, secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` }),
}

const kindOf = (name: string) => (name === 'own-file.yaml' ? 'sms' : name)
const fieldOf = (name: string) => (name === 'http' ? 'url' : name === 'own-file.yaml' ? 'provider_file' : 'base_url')

async function enter(name: string, url: string, id = 'new', person = owner) {
  const form = await formOn(person, `/new-channel?kind=${kindOf(name)}`)
  const { do: _next, ...rest } = form
  const { status, text } = await person.post('/new-channel', { ...rest, id, ...entered[name]!(url) })
  return { status, fault: faultAt(text, fieldOf(name)) }
}

const ids = async () => (await server.app.connections.list(accountId)).map(({ id }) => id)

const closed = () => [
  'https://127.0.0.1',
  'https://[::1]',
  'https://localhost',
  'https://169.254.169.254',
  'https://10.0.0.5',
  'https://192.168.8.1',
  'https://[fd12::1]',
  `https://203.0.114.7:${opsPort}`,
  `https://192.168.7.1:${opsPort}`,
]

describe('a person who enters a channel', () => {
  it.each(Object.keys(entered))(
    'cannot lead the service into closed networks, nor to its operations port: %s',
    async (name) => {
      const before = await ids()
      for (const url of closed()) {
        const { status, fault } = await enter(name, url)
        expect([url, status, fault]).toEqual([url, 400, expect.stringContaining(refused)])
      }
      expect(await ids()).toEqual(before)
    },
  )

  it.each(Object.keys(entered))(
    'leads it nowhere by a name that stands for this machine, entered where that was open: %s',
    async (name) => {
      const { port } = new URL(target.url)
      const id = `by-name-${kindOf(name)}`
      const scheme = name === 'http' ? 'https' : 'http'
      expect(await enter(name, `${scheme}://localhost:${port}`, id, tester)).toEqual({ status: 303, fault: undefined })
      const found = (await server.app.check(accountId)).find((one) => one.id === id)
      if (name !== 'http') expect(JSON.stringify(found)).toContain(refused)
      const { version } = await server.app.connectionEdits.read(accountId)
      const { text } = await owner.submit(`/channels/${id}/test`, { phone: '+14155550123' })
      await server.work()
      expect(text).not.toContain('delivered')
      expect(target.asked).toEqual([])
      await owner.submit(`/channels/${id}/remove`, { version })
    },
  )

  it.each(Object.keys(entered))(
    'may lead it into networks that the operator has opened for channels: %s',
    async (name) => {
      const id = name === 'telegram' ? 'opened' : `opened-${name.replace('.', '-')}`
      expect(await enter(name, 'http://192.168.7.1:8080', id)).toEqual({ status: 303, fault: undefined })
    },
  )

  it('leads a gateway without TLS nowhere else, nor to a name that may stand for another address', async () => {
    for (const url of ['http://203.0.114.7', 'http://gateway.internal', 'http://192.168.7.1.example'])
      expect(await enter('http', url)).toEqual({ status: 400, fault: 'the URL must begin with https://' })
  })

  it('leads it there no more when the operator has closed them again', async () => {
    const strict = await startServer({ config: { dashboardPort: 0, production: true }, beside: server })
    const found = (await strict.app.check(accountId)).find(({ id }) => id === 'opened')
    expect(JSON.stringify(found)).toContain(refused)
    const other = await signIn(strict, 'owner')
    const reason = 'its settings are refused: base_url: this address is not allowed'
    const trouble = { kind: 'connection_unusable', id: 'opened', reason }
    expect(await strict.app.troubles.find({ accountId, mode: 'live' })).toContainEqual(trouble)
    expect(await server.app.troubles.find({ accountId, mode: 'live' })).not.toContainEqual(trouble)
    for (const page of ['/', '/channels']) expect((await other.get(page)).text).toContain(reason)
    const listed = await strict.app.connections.list(accountId)
    expect(listed.find(({ id }) => id === 'opened')).toMatchObject({ unusable: reason })
    const { headers } = await other.post('/channels/opened/test', { phone: '+14155550124' })
    await strict.work()
    const { text } = await other.get(headers.get('location') ?? '')
    expect(text).toContain(reason)
    await strict.close()
  })
})

describe("the operator's own channel", () => {
  const entry = { id: 'own', kind: 'telegram', access_token: standardOptions.telegramToken }

  it('leads into his networks; an owner may change the rest of it, and not lead it elsewhere in there', async () => {
    await server.app.connections.apply(accountId, [{ ...entry, base_url: 'http://10.0.0.5:8080' }])
    const changed = { ...(await formOn(owner, '/channels/own')), sender_username: 'acme_codes' }
    expect((await owner.submit('/channels/own', changed)).text).toContain('Saved own')
    const elsewhere = { ...changed, ...(await formOn(owner, '/channels/own')), base_url: 'http://10.0.0.6:8080' }
    const { text } = await owner.post('/channels/own', { ...elsewhere, access_token: standardOptions.telegramToken })
    expect(faultAt(text, 'base_url')).toBe(refused)
  })

  it('does not lead to this machine in production, nor to what a cloud tells its machines', async () => {
    const places = ['127.0.0.1:8080', '[::1]:8080', 'localhost:8080', '169.254.169.254'].map((host) => `http://${host}`)
    for (const base_url of places) {
      const applied = server.app.connections.apply(accountId, [{ ...entry, base_url }])
      await expect(applied, base_url).rejects.toThrow(`"own", base_url: ${refused}`)
    }
  })

  it('that a person wrote before becomes his when he applies it, and the other way round not', async () => {
    const { version } = await server.app.connectionEdits.read(accountId)
    await server.app.connectionEdits.edit(accountId, version, { do: 'remove', id: 'own' })
    await enter('telegram', 'https://93.184.215.14', 'taken')
    const taken = { ...entry, id: 'taken', base_url: 'https://93.184.215.14' }
    const other = { id: 'sandbox', kind: 'sandbox' }
    expect(await server.app.connections.apply(accountId, [taken, other])).toMatchObject({
      changed: expect.arrayContaining(['taken']),
      takenOver: ['taken'],
    })
    expect(await server.app.connections.apply(accountId, [taken, other])).toEqual({ changed: [], removed: [] })
  })

  it.each([
    ['sms', '14155550125'],
    ['http', '14155550126'],
  ])('is asked on this machine, in production, where he has opened that: %s', async (kind, digits) => {
    const open = { channelsAllowNetworks: ['127.0.0.1/32'] }
    const server = await startServer({ config: { dashboardPort: 0, production: true, ...open }, beside: outside })
    await server.app.connections.apply(accountId, [{ id: 'own', kind, ...entered[kind]!(target.url) }])
    await (await signIn(server, 'owner')).submit('/channels/own/test', { phone: `+${digits}` })
    await server.work()
    // On a slow machine, what a test before sent may be tried once more.
    const asked = target.asked.filter(({ body }) => body.includes(digits))
    expect(asked).toMatchObject([{ method: 'POST', body: expect.stringContaining(digits) }])
    await server.close()
  })
})
