/** Sending › Channels: what an account sends through, and how each of them is. */
import { sql } from 'drizzle-orm'
import { renderSVG } from 'uqr'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startProvider } from '../../support/provider.ts'
import { newPhone } from '../../support/server.ts'
import { createSimulation, type Entry } from '../../support/simulation.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

const simulation = createSimulation({ server: { config: { dashboardPort: 0 } } })
const { accountWith, whatsapp, telegram } = simulation
const hostile = '"><img src=x onerror=alert(1)>'

/** An account with these connections, and its people. */
async function accountOf(...entries: Entry[]) {
  const account = await accountWith(...entries)
  const { server } = simulation
  const { name } = (await server.app.accounts.list()).find(({ id }) => id === account.accountId)!
  const as = (role: 'viewer' | 'developer' | 'owner'): Promise<Visitor> => signIn(server, role, { account: name })
  return { ...account, name, as, viewer: await as('viewer') }
}

describe('the channels of an account', () => {
  it('are shown in their order, each with where it is asked and when the next one is', async () => {
    const { viewer } = await accountOf(whatsapp({ countries: ['DE', 'FR'], failover_seconds: 30 }), telegram())
    const { text } = await viewer.get('/channels')
    expect(text.indexOf('<code>wa-eu</code>')).toBeLessThan(text.indexOf('<code>tg</code>'))
    for (const seen of [
      'Germany, France',
      'has not delivered a code in 30 seconds',
      'Codes only',
      'WhatsApp',
      'Telegram',
    ]) {
      expect(text).toContain(seen)
    }
  })

  it('have the address for the provider to report to', async () => {
    const { viewer, webhook } = await accountOf(whatsapp())
    expect((await viewer.get('/channels')).text).toContain(webhook('wa-eu'))
  })

  it('show that address to a phone as a QR code, or say what is missing', async () => {
    const { viewer, webhook } = await accountOf(whatsapp(), telegram())
    const { text } = await viewer.get('/channels/wa-eu/pair')
    const address = /data-copy="([^"]*)"/.exec(text)?.[1]
    expect(address).toBe(webhook('wa-eu'))
    expect(text).toContain(renderSVG(address!, { border: 4, pixelSize: 4 }))
    expect((await viewer.get('/channels/gone/pair')).text).toContain('There is no channel gone.')
    expect((await viewer.get(`/channels/${encodeURIComponent(hostile)}/pair`)).text).not.toContain(hostile)
  })

  it('show no credential, to nobody', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const entries = [whatsapp(), telegram(), { id: 'gateway', kind: 'http', url: 'http://127.0.0.1:9/', secret }]
    const { as } = await accountOf(...entries)
    const owner = await as('owner')
    const seen = (await owner.get('/channels')).text + (await owner.post('/channels')).text
    const secrets = ['access_token', 'app_secret', 'verify_token', 'secret'].flatMap((name) =>
      entries.flatMap((entry) => (entry as Entry)[name] ?? []).map(String),
    )
    expect(secrets.length).toBeGreaterThan(4)
    for (const one of secrets) expect(seen).not.toContain(one)
  })

  it('say of a sandbox beside others that it is for test keys only, with no test code to send', async () => {
    const { as, accountId } = await accountOf(telegram(), { id: 'box', kind: 'sandbox' })
    const owner = await as('owner')
    const beside = (await owner.get('/channels')).text
    expect(beside.match(/for test keys only/g)).toHaveLength(1)
    expect([beside.includes('/channels/tg/test'), beside.includes('/channels/box/test')]).toEqual([true, false])
    await simulation.server.app.connections.apply(accountId, [{ id: 'box', kind: 'sandbox' }])
    const alone = (await owner.get('/channels')).text
    expect([alone.includes('for test keys only'), alone.includes('/channels/box/test')]).toEqual([false, true])
  })

  it('say which templates have no name for them', async () => {
    const { viewer, accountId } = await accountOf(whatsapp(), telegram())
    const named = { whatsapp: { name: 'welcome', language: 'en_US', parameters: [] } }
    await simulation.server.app.templates.apply(accountId, [
      { slug: 'named', text: 'Hello', channels: named },
      { slug: 'nameless', text: 'Hello' },
    ])
    const { text } = await viewer.get('/channels')
    expect(text).toContain('1 template')
    expect(text).toContain('href="/templates/nameless"')
    expect(text).not.toContain('href="/templates/named"')
  })

  it('say that they rest, how long and why, as text whatever a provider wrote', async () => {
    const { viewer, accountId } = await accountOf(telegram())
    const until = new Date(simulation.server.runtime.now().getTime() + 60_000).toISOString()
    await simulation.server.query(
      sql`update connection set rests_until = ${until}, rest_reason = ${hostile} where account_id = ${accountId}`,
    )
    const { text } = await viewer.get('/channels')
    expect(text).toContain('resting')
    expect(text).toContain('&#62;&#60;img src=x')
    expect(text).not.toContain('<img src=x')
  })

  it('say that they get no reports, of how many messages and since when', async () => {
    const { viewer, accountId } = await accountOf(whatsapp())
    const since = new Date(simulation.server.runtime.now().getTime() - 3600_000).toISOString()
    await simulation.server.query(
      sql`update connection set unreported_count = 7, unreported_since = ${since} where account_id = ${accountId}`,
    )
    expect((await viewer.get('/channels')).text).toContain(`No report of 7 messages since <time datetime="${since}"`)
  })

  it('say when they took a message last, and what is left at the provider', async () => {
    const { viewer, live } = await accountOf(telegram())
    expect((await viewer.get('/channels')).text).toContain('none yet')
    await live.send(newPhone())
    await simulation.run()
    const at = simulation.server.runtime.now().toISOString().slice(0, 17)
    await expect.poll(async () => (await viewer.get('/channels')).text).toContain(`<time datetime="${at}`)
    expect((await viewer.get('/channels')).text).toContain('Balance')
  })

  it('are written in a file, with the command that applies it to this account', async () => {
    const { viewer, name } = await accountOf(telegram())
    expect((await viewer.get('/channels')).text).toContain(
      `npm run cli -- channels apply channels.yaml --account &#39;${name}&#39;`,
    )
  })

  it('can be none: then one reads how to write a list', async () => {
    const { viewer } = await accountOf()
    const { text } = await viewer.get('/channels')
    expect(text).toContain('There is no channel')
    expect(text).toContain('<a href="/guide/channels">')
  })
})

describe('a check', () => {
  it('asks each provider, and shows what it says', async () => {
    const { as, accountId } = await accountOf(whatsapp(), telegram())
    const lost = { whatsapp: { name: 'lost', language: 'en_US', parameters: [] } }
    await simulation.server.app.templates.apply(accountId, [{ slug: 'lost', text: 'Hello', channels: lost }])
    const { status, text } = await (await as('owner')).post('/channels')
    expect(status).toBe(200)
    for (const seen of ['token taken', 'quality', 'template lost: WhatsApp&#39;s template lost (en_US) is not there']) {
      expect(text).toContain(seen)
    }
    expect(text).toContain('1 thing to fix')
  })

  it('says that the token is refused', async () => {
    const { as } = await accountOf(telegram({ access_token: 'another-token' }))
    expect((await (await as('owner')).post('/channels')).text).toContain('token refused')
  })

  it('waits no longer than it was told to', async () => {
    const silent = await startProvider('hang')
    onTestFinished(silent.close)
    const { accountId } = await accountOf(whatsapp({ base_url: silent.url }))
    const checked = await simulation.server.app.check(accountId, { withinMs: 0 })
    expect(checked[0]?.findings).toEqual([{ level: 'bad', text: 'no answer within 0 seconds' }])
  })

  it('is for owners, of their own account', async () => {
    const { as, viewer, accountId } = await accountOf(telegram())
    const developer = await as('developer')
    expect((await developer.get('/channels')).text).not.toContain('Check now')
    const tried = await Promise.all([viewer.post('/channels'), developer.post('/channels')])
    expect(tried.map(({ status }) => status)).toEqual([403, 403])
    const { as: others } = await accountOf(whatsapp())
    const other = await others('owner')
    expect((await other.post('/channels')).text).not.toContain('<code>tg</code>')
    expect((await other.get('/channels')).text).not.toContain(accountId)
  })
})
