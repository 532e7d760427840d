/** An account in which everything is there, and every text that somebody else may write is hostile, or as long as it can be. */
import { sql } from 'drizzle-orm'
import { scopes } from '../../src/contract/document.ts'
import { defaultAccount } from '../../src/domain/access/account.ts'
import { listenTo } from './listening.ts'
import { startProvider } from './provider.ts'
import { newPhone, startServer, type TestServer } from './server.ts'
import { whatsappEntry } from './simulation.ts'
import { signIn } from './visitor.ts'

export interface Furnished {
  server: TestServer
  /** A page's path with the ids of what is there. @throws Error for a place that nothing is known of: add it below */
  pathOf: (pattern: string) => string
  close: () => Promise<void>
}

export const hostile = `"><img src=x onerror=alert(1)>`
/** As long as a name may be, of words without a space that are longer than a phone is wide. */
export const longName = 'Bundesverbraucherschutzministerium Versandbestätigungsschlüssel'

/** @param text that stands in every place where somebody else may write */
export async function furnish(text = hostile): Promise<Furnished> {
  const server = await startServer({ config: { dashboardPort: 0 } })
  const { id: accountId } = await server.app.accounts.require(defaultAccount)
  const { row: key } = await server.app.apiKeys.create({
    accountId,
    name: text,
    mode: 'live',
    scopes,
    expiresAt: null,
  })
  const { userId } = await signIn(server, 'viewer', { name: text })
  await server.app.invitations.make({ accountId, role: 'owner', email: 'ada@example.com' })
  // As versions kept it that took any text before the @.
  await server.query(sql`update invitation set email = ${`${text.replaceAll(' ', '')}@example.com`}`)
  const prices = {
    sandbox: { amount: '999999.123456789012', currency: 'EUR' },
    hostile: { amount: '0', currency: 'USD' },
  }
  const pricedId = await server.live.send(newPhone())
  await server.query(sql`update message set prices = ${JSON.stringify(prices)}::jsonb where id = ${pricedId}`)
  await server.app.countingLoop.runOnce()
  await server.app.optOuts.addKeyword(accountId, { text: text.slice(0, 40), meaning: 'stop', language: 'de' })
  await furnishFindings(server, accountId)
  const { slug } = await furnishTemplate(server, accountId, text)
  const { id: endpointId, eventId, close } = await furnishEndpoint(server, text)
  const webhook = `/webhooks/${endpointId}`
  const places: Record<string, string> = {
    '/guide/:page': '/guide/channels',
    '/templates/:slug': `/templates/${slug}`,
    '/channels/:id': '/channels/hostile',
    '/channels/:id/templates': '/channels/wa/templates',
    '/channels/:id/test': '/channels/hostile/test',
    '/channels/:id/pair': '/channels/hostile/pair',
    '/wording/:language': '/wording/de',
    '/inlets/:id': `/inlets/${await furnishInlet(server, accountId, text)}`,
    '/protection/rules/:id': '/protection/rules/prefix-hour',
    '/protection/budgets/:id': '/protection/budgets/daily',
    ...Object.fromEntries(
      ['', '/replay', '/rotate', '/test', '/secret', '/remove'].map((end) => [`/webhooks/:id${end}`, webhook + end]),
    ),
    '/webhooks/:id/:eventId': `${webhook}/${eventId}`,
    '/keys/:id/roll': `/keys/${key.id}/roll`,
    '/people/:id': `/people/${userId}`,
    '/messages/:id': `/messages/${await furnishMessages(server, text)}`,
  }
  const meta = await startProvider({ status: 200, body: JSON.stringify({ data: listMetaTemplates(text) }) })
  // Last: beside another connection, the sandbox would have carried none of the messages.
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  await server.app.connections.apply(accountId, [
    { id: 'sandbox', kind: 'sandbox' },
    { id: 'hostile', kind: 'http', url: 'http://127.0.0.1:9/', secret, countries: ['DE'], failover_seconds: 30 },
    whatsappEntry(meta, { id: 'wa' }),
  ])
  await server.query(sql`update connection set rests_until = ${server.runtime.now().toISOString()}::timestamptz + interval '1 hour',
    rest_reason = ${text} where account_id = ${accountId}`)
  return {
    server,
    pathOf: (pattern) => {
      const path = pattern.includes(':') ? places[pattern] : pattern
      if (path === undefined)
        throw new Error(`No test knows a place of ${pattern}: add one to test/support/furnished.ts.`)
      return path
    },
    close: async () => {
      await server.close()
      await close()
      await meta.close()
    },
  }
}

/** As Meta might tell of them: one whose every text is of another person, and one to import. */
function listMetaTemplates(text: string): object[] {
  const body = (said: string) => [{ type: 'BODY', text: said }]
  return [
    { name: text, language: text, status: text, category: text, components: body(`{{${text}}}`) },
    { name: 'hours', language: 'en_US', status: 'APPROVED', category: 'UTILITY', components: body('From {{1}}.') },
  ]
}

async function furnishTemplate(server: TestServer, accountId: string, text: string): Promise<{ slug: string }> {
  const slug = 'hostile'
  await server.app.templates.apply(accountId, [{ slug, text: `{{name}} ${text}` }])
  await server.app.wordings.apply(accountId, { texts: { de: `{{code}} {{brand}} ${text}` }, domain: 'acme.com' })
  return { slug }
}

/** With a secret that is hostile too, and outcomes of posts. @returns its id */
async function furnishInlet(server: TestServer, accountId: string, text: string): Promise<string> {
  const id = 'hostile'
  // A secret goes into a header.
  const secret = `${text.replace(/[^\x20-\x7e]/g, '').slice(0, 400)} and more of it`
  await server.app.inlets.apply(accountId, [{ id, kind: 'plain', mode: 'test', secret }])
  const at = server.runtime.now().toISOString()
  const posts = JSON.stringify(
    ['accepted', 'signature', 'invalid_phone'].map((outcome) => ({ at, outcome, count: 12_345 })),
  )
  await server.query(sql`update inlet set posts = ${posts}::jsonb where account_id = ${accountId}`)
  return id
}

/** Rules have found much, and stopped numbers. A budget has all that one can have. */
async function furnishFindings(server: TestServer, accountId: string): Promise<void> {
  const { protections } = server.app
  const { rules, fail } = await protections.find(accountId)
  const daily = { id: 'daily', countries: ['DE', 'BA', 'GB'], messages: 1_000_000_000, money: '999999999.99 EUR' }
  await protections.apply(accountId, { rules, fail, budgets: [daily] })
  const hour = new Date(Math.floor(server.runtime.now().getTime() / 3_600_000) * 3_600_000).toISOString()
  await server.query(sql`insert into protection_finding (account_id, mode, hour, rule, did, part, sends, phones)
    values (${accountId}, 'live', ${hour}, 'prefix-hour', 'block', 0, 12345, '{+4915112345678,+4915112345679}'),
      (${accountId}, 'live', ${hour}, 'sequence', 'record', 0, 678, '{}')`)
}

/** It fails, and says something hostile; one more takes all. */
async function furnishEndpoint(
  server: TestServer,
  text: string,
): Promise<{ id: string; eventId: string; close: () => Promise<void> }> {
  const failing = await listenTo(server, { behaviour: { status: 500, body: text } })
  const good = await listenTo(server)
  await server.test.send('+14155550110')
  await server.work()
  const [delivery] = await server.app.endpoints.deliveries({ accountId: 'acct_default', id: failing.id }, 1)
  const close = async () => {
    await failing.close()
    await good.close()
  }
  return { id: failing.id, eventId: delivery!.eventId, close }
}

/** Sent over three connections, with what providers and templates may say. @returns the id of the one that has it all */
async function furnishMessages(server: TestServer, text: string): Promise<string> {
  const at = server.runtime.now().toISOString()
  await server.test.send('+14155550120')
  const id = await server.test.send('+14155550110')
  await server.work()
  const price = { amount: '0.0333', currency: 'EUR' }
  const timeline = JSON.stringify([
    { status: 'sent', at },
    { status: 'sent', at, connection: 'wa', note: `wa: ${text}`, providerCode: text },
    { status: 'delivered', at, connection: 'sandbox', price },
  ])
  await server.query(sql`update message set route = '{wa,sandbox,later}', leg = 2, template = ${text}, country = 'US',
    timeline = ${timeline}::jsonb, prices = ${JSON.stringify({ sandbox: price, wa: price })}::jsonb where id = ${id}`)
  await server.query(sql`update sandbox_message set text = ${text} where id = ${id}`)
  return id
}
