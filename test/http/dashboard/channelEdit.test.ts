/** Sending › Channels: an owner adds, changes, orders and removes channels in the browser. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restConnections } from '../../../src/store/channels/connection.ts'
import { faultAt, formOn } from '../../support/channelForm.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { createSimulation, type Entry } from '../../support/simulation.ts'
import { type Fields, signIn } from '../../support/visitor.ts'

const simulation = createSimulation({ server: { config: { dashboardPort: 0 } } })
const { accountWith, whatsapp, telegram } = simulation

async function ownerOf(...entries: Entry[]) {
  const { accountId } = await accountWith(...entries)
  const { server } = simulation
  const { name } = (await server.app.accounts.list()).find(({ id }) => id === accountId)!
  const owner = await signIn(server, 'owner', { account: name })
  const ids = async () => (await server.app.connections.list(accountId)).map(({ id }) => id)
  return { accountId, name, owner, ids }
}

/** What is stored, with its secrets. */
async function stored(accountId: string, id: string) {
  const { server } = simulation
  const rows = await server.query<{ sealed: string; settings: object; revision: string }>(
    sql`select encode(sealed, 'base64') as sealed, settings, revision from connection where account_id = ${accountId} and id = ${id}`,
  )
  return rows[0]
}

const file = `provider: acme
title: Acme
settings:
  api_key: { secret: true, about: "key of the account" }
  from: { about: "sender" }
request:
  method: POST
  url: https://93.184.215.14/send
  headers: { Authorization: "Bearer {{s.api_key}}" }
  as: json
  body: { to: "{{to}}", from: "{{s.from}}", text: "{{text}}" }
answer:
  as: json
  id: /id
  rules:
    - { when: { status: 2xx }, is: sent }
report:
  as: json
  id: /id
  status: /status
  map: { delivered: delivered }
  signature: { scheme: url-token }
examples:
  - answer: { status: 200, body: { id: a } }
    is: { kind: sent, id: a }
`

const token = 'AAH-a-token-that-nobody-shall-see'

describe('an owner', () => {
  it('an owner adds a channel before the sandbox, and its secret is sealed and never shown', async () => {
    const { owner, accountId, ids } = await ownerOf({ id: 'sandbox', kind: 'sandbox' })
    expect((await owner.get('/new-channel')).text).toContain('href="/new-channel?kind=telegram"')
    const form = await formOn(owner, '/new-channel?kind=telegram')
    const added = { ...form, id: 'tg-new', access_token: token, countries: 'de, FR', failover_seconds: '30' }
    const { text } = await owner.submit('/new-channel', added)
    expect(text).toContain('Added tg-new')
    expect(await ids()).toEqual(['tg-new', 'sandbox'])
    const [listed] = await simulation.server.app.connections.list(accountId)
    expect(listed).toMatchObject({ countries: ['DE', 'FR'], failoverSeconds: 30 })
    expect(JSON.stringify(await stored(accountId, 'tg-new'))).not.toContain(token)
    for (const page of ['/channels', '/channels/tg-new', '/audit']) {
      expect((await owner.get(page)).text).not.toContain(token)
    }
  })

  it('an owner chooses an SMS provider first, or pastes a file, and fills in what that asks for', async () => {
    const { owner, accountId } = await ownerOf({ id: 'sandbox', kind: 'sandbox' })
    const first = await formOn(owner, '/new-channel?kind=sms')
    expect(first).toMatchObject({ do: 'next' })
    const chosen = { ...first, id: 'texts', provider: 'own-file.yaml', provider_file: file.replaceAll('\n', '\r\n') }
    const { text } = await owner.post('/new-channel', chosen)
    expect(text).toContain('key of the account')
    const { do: _next, ...form }: Fields = chosen
    const added = await owner.submit('/new-channel', { ...form, api_key: token, from: 'Acme' })
    expect(added.text).toContain('Added texts')
    const { connections } = await simulation.server.app.connectionEdits.read(accountId)
    expect(connections[0]).toMatchObject({ id: 'texts', stored: { api_key: 1 }, settings: { from: 'Acme' } })
    const page = (await owner.get('/channels')).text
    expect(page).toMatch(new RegExp(`/providers/${accountId}/texts/[\\w-]{20,}`))
    expect(page).not.toContain(token)
    const again = { ...(await formOn(owner, '/channels/texts')), provider_file: file, from: 'Other' }
    expect((await owner.submit('/channels/texts', again)).text).toContain('Saved texts')
    const elsewhere = { ...again, ...(await formOn(owner, '/channels/texts')) }
    const moved = { ...elsewhere, provider_file: file.replace('https://93.184.215.14', 'https://93.184.215.15') }
    expect(faultAt((await owner.post('/channels/texts', moved)).text, 'api_key')).toContain('enter it again')
  })

  it('what is wrong with a pasted SMS file is said beside it before anything else is asked for', async () => {
    const { owner, ids } = await ownerOf({ id: 'sandbox', kind: 'sandbox' })
    const first = await formOn(owner, '/new-channel?kind=sms')
    const goOn = (provider_file: string) =>
      owner.post('/new-channel', { ...first, provider: 'own-file.yaml', provider_file })
    const broken = await goOn(file.replace('is: sent', 'is: posted'))
    expect(broken.status).toBe(400)
    expect(faultAt(broken.text, 'provider_file')).toContain('line 16: answer.rules, entry 1, is: must be sent, retry')
    expect(broken.text).toContain('is: posted')
    const missing = await goOn('')
    expect(missing.status).toBe(400)
    expect(faultAt(missing.text, 'provider_file')).toBe('the text of the file is missing')
    for (const { text } of [broken, missing]) {
      expect(text).toContain('Go on')
      expect(faultAt(text, 'id')).toBeUndefined()
    }
    expect((await goOn(file)).status).toBe(200)
    expect(await ids()).toEqual(['sandbox'])
  })

  it('a pasted SMS file beside a provider that ships is refused, whatever the name in the file', async () => {
    const { owner, accountId, ids } = await ownerOf({ id: 'sandbox', kind: 'sandbox' })
    const first = await formOn(owner, '/new-channel?kind=sms')
    const { do: _next, ...last } = first
    const entered = { id: 'texts', provider: '46elks', provider_file: file, api_key: token, from: 'Acme' }
    for (const text of [file, file.replace('provider: acme', 'provider: 46elks')]) {
      for (const form of [first, last]) {
        const refused = await owner.post('/new-channel', { ...form, ...entered, provider_file: text })
        expect(refused.status).toBe(400)
        expect(faultAt(refused.text, 'provider')).toContain('choose own-file.yaml to use a file of your own')
      }
    }
    const applied = simulation.server.app.connections.apply(accountId, [{ ...entered, kind: 'sms' }])
    await expect(applied).rejects.toThrow('"texts", provider: this provider ships with the service')
    expect(await ids()).toEqual(['sandbox'])
    const own = file.replace('provider: acme', 'provider: 46elks')
    const chosen = { ...last, ...entered, provider: 'own-file.yaml', provider_file: own }
    expect((await owner.submit('/new-channel', chosen)).text).toContain('Added texts')
    expect((await stored(accountId, 'texts'))?.settings).toMatchObject({ provider_file: own })
  })

  it('an SMS channel that was kept with a file beside a provider that ships stays good', async () => {
    const { owner, accountId } = await ownerOf({ id: 'sandbox', kind: 'sandbox' })
    const { do: _next, ...form } = await formOn(owner, '/new-channel?kind=sms')
    const own = { id: 'texts', provider: 'own-file.yaml', provider_file: file, api_key: token, from: 'Acme' }
    await owner.submit('/new-channel', { ...form, ...own })
    const { server } = simulation
    const before = await server.app.check(accountId)
    await server.query(
      sql`update connection set settings = settings || '{"provider": "46elks"}' where account_id = ${accountId} and id = 'texts'`,
    )
    expect((await stored(accountId, 'texts'))?.settings).toMatchObject({ provider: '46elks' })
    expect(await server.app.check(accountId)).toEqual(before)
  })

  it('changes a channel without typing its secrets again, and they stay', async () => {
    const { owner, accountId } = await ownerOf(whatsapp())
    const before = await simulation.server.app.check(accountId)
    const form = await formOn(owner, '/channels/wa-eu')
    expect(form).toMatchObject({ access_token: '', app_secret: '', 'code_template.name': 'auth_copy_code' })
    const { text } = await owner.submit('/channels/wa-eu', { ...form, per_second: '7' })
    expect(text).toContain('Saved wa-eu')
    expect((await stored(accountId, 'wa-eu'))?.settings).toMatchObject({
      per_second: 7,
      code_template: { name: 'auth_copy_code', language: 'en_US' },
    })
    expect(await simulation.server.app.check(accountId)).toEqual(before)
  })

  it('changes nothing with a form that was not touched', async () => {
    const languages = { name: 'auth_copy_code', language: ['en_US', 'de'] }
    const { owner, accountId } = await ownerOf(whatsapp({ code_template: languages }))
    const before = await stored(accountId, 'wa-eu')
    const { text } = await owner.submit('/channels/wa-eu', await formOn(owner, '/channels/wa-eu'))
    expect(text).toContain('Nothing was changed')
    expect(await stored(accountId, 'wa-eu')).toEqual(before)
  })

  it('keeps the old secret good beside a new one while it is replaced', async () => {
    const { owner, accountId } = await ownerOf(whatsapp())
    const form = await formOn(owner, '/channels/wa-eu')
    await owner.submit('/channels/wa-eu', { ...form, app_secret: 'the-new-one', beside: 'app_secret' })
    const { connections } = await simulation.server.app.connectionEdits.read(accountId)
    expect(connections[0]?.stored).toEqual({ access_token: 1, app_secret: 2, verify_token: 1 })
    await owner.submit('/channels/wa-eu', { ...(await formOn(owner, '/channels/wa-eu')), app_secret: 'the-newest' })
    const after = await simulation.server.app.connectionEdits.read(accountId)
    expect(after.connections[0]?.stored.app_secret).toBe(1)
  })

  it('secrets are entered again when messages are to go to another address', async () => {
    const { owner, accountId } = await ownerOf(telegram())
    const before = await stored(accountId, 'tg')
    const form = { ...(await formOn(owner, '/channels/tg')), base_url: 'https://93.184.215.16' }
    const refused = await owner.post('/channels/tg', form)
    expect(refused.status).toBe(400)
    expect(faultAt(refused.text, 'access_token')).toContain('enter it again')
    expect(await stored(accountId, 'tg')).toEqual(before)
    expect((await owner.submit('/channels/tg', { ...form, access_token: token })).text).toContain('Saved tg')
  })

  it('each fault stands beside its field, what was entered stays but for secrets, and nothing changes', async () => {
    const { owner, ids } = await ownerOf(telegram())
    const form = await formOn(owner, '/new-channel?kind=whatsapp')
    const wrong = { ...form, id: 'Not An Id', countries: 'XX', failover_seconds: 'soon', access_token: token }
    const { status, text } = await owner.post('/new-channel', { ...wrong, per_second: 'many', phone_number_id: '12' })
    expect(status).toBe(400)
    expect(faultAt(text, 'id')).toContain('lower-case letters')
    expect(faultAt(text, 'countries')).toContain('two-letter country code')
    expect(faultAt(text, 'failover_seconds')).toContain('whole seconds')
    expect(faultAt(text, 'per_second')).toContain('number')
    expect(faultAt(text, 'business_account_id')).toBe('is missing')
    expect(faultAt(text, 'code_template-name')).toBe('is missing')
    expect(faultAt(text, 'phone_number_id')).toBeUndefined()
    expect(text).toContain('value="12"')
    expect(text).not.toContain(token)
    expect(await ids()).toEqual(['tg'])
  })

  it('cannot give two channels one name', async () => {
    const { owner, ids } = await ownerOf(telegram())
    const form = await formOn(owner, '/new-channel?kind=telegram')
    const { text } = await owner.post('/new-channel', { ...form, id: 'tg', access_token: token })
    expect(faultAt(text, 'id')).toContain('already')
    expect(await ids()).toEqual(['tg'])
  })

  it('a sender for a country that is there twice is named, and none is lost', async () => {
    const { owner } = await ownerOf({ id: 'sandbox', kind: 'sandbox' })
    const form = {
      id: 'texts',
      kind: 'sms',
      provider: 'twilio',
      account_sid: 'AC0123456789abcdef0123456789abcdef',
      auth_token: token,
      from: '+15005550006',
    }
    const { do: _next, ...first } = await formOn(owner, '/new-channel?kind=sms')
    const enter = (from_by_country: string) => owner.post('/new-channel', { ...first, ...form, from_by_country })
    const twice = await enter('DE: Acme\r\nFR: Acme\r\nDE: Other')
    expect(faultAt(twice.text, 'from_by_country')).toBe('must have one value')
    expect(twice.text).toMatch(/DE: Acme\s+FR: Acme\s+DE: Other/)
    expect(faultAt((await enter('DE: Acme\r\nde: Other')).text, 'from_by_country')).toBe('DE is there twice')
    expect((await enter('DE: Acme\r\nFR: Acme')).status).toBe(303)
  })

  it('a public key keeps its spaces and commas, and a second one stands on its own line', async () => {
    const { owner, accountId } = await ownerOf({ id: 'sandbox', kind: 'sandbox' })
    const signed = file.replace('api_key: {', 'public_key: { about: "of the reports" }\n  api_key: {')
    const own = signed.replace(
      'scheme: url-token',
      'scheme: hmac, header: x-signature, over: "{body}", hash: sha256, encoding: hex, key: "{{s.public_key}}"',
    )
    const { do: _next, ...first } = await formOn(owner, '/new-channel?kind=sms')
    const form = { ...first, id: 'texts', provider: 'own-file.yaml', provider_file: own, api_key: token, from: 'Acme' }
    expect(
      (await owner.post('/new-channel', { ...form, public_key: 'one key, with a comma\r\nthe other key' })).status,
    ).toBe(303)
    const settings = async () => (await stored(accountId, 'texts'))?.settings
    expect(await settings()).toMatchObject({ public_key: ['one key, with a comma', 'the other key'] })
    const shown = (await owner.get('/channels/texts')).text
    expect(shown).toContain('one key, with a comma\nthe other key</textarea>')
    const again = { ...(await formOn(owner, '/channels/texts')), provider_file: own, public_key: 'the other key' }
    expect((await owner.submit('/channels/texts', again)).text).toContain('Saved texts')
    expect(await settings()).toMatchObject({ public_key: 'the other key' })
  })

  it('gives the reports of an SMS channel another address, and is told when another provider gets one', async () => {
    const { owner, accountId } = await ownerOf({ id: 'sandbox', kind: 'sandbox' })
    const { do: _next, ...first } = await formOn(owner, '/new-channel?kind=sms')
    const own = { id: 'texts', provider: 'own-file.yaml', provider_file: file, api_key: token, from: 'Acme' }
    await owner.submit('/new-channel', { ...first, ...own })
    const path = async () => (await simulation.server.app.connections.list(accountId))[0]?.reportPath
    const [before, page] = [await path(), (await owner.get('/channels')).text]
    expect(page).toContain(before)
    expect(page).toContain('action="/channels/texts/rotate"')
    expect((await owner.submit('/channels/texts/rotate')).text).toContain('Its reports now come to a different address')
    const rotated = await path()
    expect(rotated).not.toBe(before)
    const changed = { ...(await formOn(owner, '/channels/texts')), ...own, from: 'Other' }
    expect((await owner.submit('/channels/texts', changed)).text).not.toContain('Its reports come')
    const moved = { ...(await formOn(owner, '/channels/texts')), ...own, provider_file: file.replace('acme', 'others') }
    expect((await owner.submit('/channels/texts', moved)).text).toContain('Its reports now come to a different address')
    expect(new Set([before, rotated, await path()]).size).toBe(3)
  })

  it('a provider file may be as long as on the command line, and no longer', async () => {
    const { owner } = await ownerOf({ id: 'sandbox', kind: 'sandbox' })
    const { do: _next, ...first } = await formOn(owner, '/new-channel?kind=sms')
    const long = (bytes: number) => `${file}#${'ä'.repeat((bytes - file.length - 2) / 2)}\n`
    const enter = (provider_file: string) =>
      owner.post('/new-channel', {
        ...first,
        id: 'long',
        provider: 'own-file.yaml',
        provider_file,
        api_key: token,
        from: 'Acme',
      })
    const over = await enter(long(65_538))
    expect(faultAt(over.text, 'provider_file')).toContain('longer than 64 KB')
    expect((await enter(long(65_500))).status).toBe(303)
  })

  it('moves channels up and down, and removes them', async () => {
    const { owner, ids } = await ownerOf(whatsapp(), telegram())
    const version = async () => / name="version" value="([^"]*)"/.exec((await owner.get('/channels')).text)?.[1] ?? ''
    await owner.submit('/channels/tg/move', { version: await version(), by: 'up' })
    expect(await ids()).toEqual(['tg', 'wa-eu'])
    await owner.submit('/channels/tg/move', { version: await version(), by: 'down' })
    expect(await ids()).toEqual(['wa-eu', 'tg'])
    expect((await owner.submit('/channels/wa-eu/remove', { version: await version() })).text).toContain('Removed wa-eu')
    expect(await ids()).toEqual(['tg'])
  })

  it('moves a channel that rests: it is the same one, and goes on resting', async () => {
    const { owner, accountId, ids } = await ownerOf(whatsapp(), telegram())
    const { server } = simulation
    const until = new Date(server.runtime.now().getTime() + 60_000)
    const before = await Promise.all(['wa-eu', 'tg'].map((id) => stored(accountId, id)))
    const rests = ['wa-eu', 'tg'].map((id, index) => ({ id, revision: before[index]!.revision }))
    await server.commit.transaction((tx) =>
      restConnections(
        tx,
        rests.map((one) => ({ ...one, accountId, until, reason: 'token refused' })),
      ),
    )
    const { version } = await server.app.connectionEdits.read(accountId)
    await owner.submit('/channels/tg/move', { version, by: 'up' })
    expect(await ids()).toEqual(['tg', 'wa-eu'])
    const rest = { until, reason: 'token refused' }
    expect(await server.app.connections.list(accountId)).toMatchObject([{ rest }, { rest }])
    expect(await Promise.all(['wa-eu', 'tg'].map((id) => stored(accountId, id)))).toEqual(before)
    expect((await server.app.connectionEdits.read(accountId)).version).not.toBe(version)
  })

  it('is told when the list was changed meanwhile, and nothing is changed', async () => {
    const { owner, name, accountId, ids } = await ownerOf(whatsapp(), telegram())
    const other = await signIn(simulation.server, 'owner', { account: name })
    const form = await formOn(owner, '/channels/tg')
    await other.submit('/channels/wa-eu/remove', { version: form.version! })
    const before = await stored(accountId, 'tg')
    const { status, text } = await owner.post('/channels/tg', { ...form, sender_username: 'acme_codes' })
    expect(status).toBe(400)
    expect(text).toContain('Another user changed the list')
    expect(text).toContain('value="acme_codes"')
    expect(await stored(accountId, 'tg')).toEqual(before)
    expect((await owner.submit('/channels/tg/remove', { version: form.version! })).text).toContain('Another user')
    expect(await ids()).toEqual(['tg'])
  })

  it('whose proof ran out is shown what was entered alone, for the list as it was then', async () => {
    const { owner, name } = await ownerOf(telegram())
    const form = await formOn(owner, '/channels/tg')
    await simulation.server.advance(601)
    const other = await signIn(simulation.server, 'owner', { account: name })
    await other.submit('/channels/tg', { ...form, sender_username: 'other_codes' })
    const { status, text } = await owner.post('/channels/tg', { ...form, sender_username: 'acme_codes' })
    expect([status, text.includes('value="acme_codes"'), text.includes(`${form.version}`)]).toEqual([403, true, true])
    expect((await owner.post('/channels/tg')).text).not.toContain('other_codes')
  })

  it('is one of many who change a list at once, and one change alone is made', async () => {
    const { accountId } = await ownerOf(whatsapp(), telegram())
    const { connectionEdits } = simulation.server.app
    const { version } = await connectionEdits.read(accountId)
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, () => connectionEdits.edit(accountId, version, { do: 'move', id: 'tg', by: -1 })),
    )
    const refusals = all.flatMap((one) => (one.status === 'rejected' ? String(one.reason) : []))
    expect(refusals).toEqual(Array(19).fill(expect.stringContaining('Another user changed the list')))
  })

  it('is named in the audit, with what is different now', async () => {
    const { owner } = await ownerOf(telegram())
    await owner.submit('/channels/tg', { ...(await formOn(owner, '/channels/tg')), sender_username: 'acme_codes' })
    const { text } = await owner.get('/audit')
    expect(text).toContain('channels applied: ids tg, changed tg')
    expect(text).toContain('a owner')
  })
})

describe('where CHANNELS_IN_DASHBOARD is off', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ config: { dashboardPort: 0, channelsInDashboard: false } })
  })
  afterAll(() => server.close())

  it('the command line alone changes channels, and the page says so', async () => {
    const owner = await signIn(server, 'owner')
    const { text } = await owner.get('/channels')
    expect(text).not.toContain('/new-channel')
    expect(text).not.toContain('/channels/sandbox/remove')
    for (const page of ['/new-channel', '/channels/sandbox']) expect((await owner.get(page)).status).toBe(403)
    const { version } = await server.app.connectionEdits.read('acct_default')
    for (const act of ['/channels/sandbox/remove', '/channels/sandbox/move', '/channels/sandbox', '/new-channel']) {
      expect((await owner.post(act, { version, kind: 'sandbox', id: 'two' })).status).toBe(403)
    }
    expect((await server.app.connections.list('acct_default')).map(({ id }) => id)).toEqual(['sandbox'])
  })
})
