/** Sending › Channels: the templates that Meta has, beside those of the account, and their import. */
import { sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Behaviour, startProvider } from '../../support/provider.ts'
import { createSimulation } from '../../support/simulation.ts'
import { signIn } from '../../support/visitor.ts'

const simulation = createSimulation({ server: { config: { dashboardPort: 0 } } })
const path = '/channels/wa-eu/templates'

async function accountOf(entry = simulation.whatsapp()) {
  const { server } = simulation
  const { accountId } = await simulation.accountWith(entry)
  const { name: account } = (await server.app.accounts.list()).find(({ id }) => id === accountId)!
  const developer = await signIn(server, 'developer', { account })
  const slugs = async () => (await server.app.templates.list(accountId)).map(({ slug }) => slug)
  const acts = async () => {
    const rows = await server.query<{ act: string; subject: string }>(
      sql`select act, subject from audit where account_id = ${accountId} and act like 'template.%' order by id`,
    )
    return rows.map(({ act, subject }) => `${act} ${subject}`)
  }
  return { accountId, account, developer, slugs, acts }
}

/** One row of the table, as text. */
const findRow = (page: string, name: string) =>
  page
    .split('<tr>')
    .find((row) => row.includes(`<code class="theirs">${name}</code>`))
    ?.replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** An account whose WhatsApp is another one than the simulator. */
async function accountAt(behaviour: Behaviour) {
  const meta = await startProvider(behaviour)
  onTestFinished(() => meta.close())
  return { ...(await accountOf(simulation.whatsapp({ base_url: meta.url }))), meta }
}

describe("the provider's templates of a channel", () => {
  it('are shown with languages, status, places, and how those of the account fit, place by place', async () => {
    const { accountId, developer } = await accountOf()
    const whatsapp = { name: 'parcel_shipped', language: 'en_US', body: { customer: 'name' } }
    await simulation.server.app.templates.apply(accountId, [
      { slug: 'shipped', text: 'For {{name}}', channels: { whatsapp } },
      {
        slug: 'hello',
        text: 'Hi {{name}}',
        channels: { whatsapp: { name: 'welcome', language: 'en_US', body: ['name'] } },
      },
    ])
    for (const page of ['/channels', '/templates']) expect((await developer.get(page)).text).toContain(`href="${path}"`)
    const { status, text } = await developer.get(path)
    expect(status).toBe(200)
    const parcel = findRow(text, 'parcel_shipped')
    for (const seen of [
      'en_US APPROVED UTILITY',
      'header: image, customer, number, button 1: url',
      'shipped en_US',
      'has a header to be filled with an image, and nothing is given',
      'has parameters that nothing fills: number',
      'has button 1 (URL), which nothing fills',
    ]) {
      expect(parcel).toContain(seen)
    }
    expect(findRow(text, 'welcome')).toContain('hello en_US fits')
    expect(findRow(text, 'auth_copy_code')).toContain('is for codes')
    expect(text).not.toContain('value="auth_copy_code"')
  })

  it('become templates of the account, those that were ticked, and the audit names them', async () => {
    const { developer, slugs, acts } = await accountOf()
    const { text } = await developer.get(`${path}?q=PARCEL`)
    expect([text.includes('value="parcel_shipped"'), text.includes('value="welcome"')]).toEqual([true, false])
    const page = await developer.submit(path, { template: 'parcel_shipped' })
    expect(page.text).toContain('Added parcel_shipped.')
    expect(await slugs()).toEqual(['parcel_shipped'])
    expect(await acts()).toEqual(['template.added parcel_shipped'])
    expect(findRow(page.text, 'parcel_shipped')).toContain('parcel_shipped en_US fits')
    expect(page.text).not.toContain('value="parcel_shipped"')
  })

  it('leave those of the account as they are, and say why some could not be had', async () => {
    const { accountId, developer, slugs, acts } = await accountOf()
    await simulation.server.app.templates.apply(accountId, [{ slug: 'welcome', text: 'Own' }])
    const fields = { template: ['welcome', 'auth_copy_code', 'gone'] }
    const { text } = await developer.submit(path, fields)
    expect(text).toContain('None was added.')
    for (const reason of ['auth_copy_code (en_US) is for codes', 'welcome is a template of the account already'])
      expect(text).toContain(reason)
    expect(text).toContain('gone is no longer there')
    expect((await developer.submit(path)).text).toContain('Tick a template first.')
    expect([await slugs(), await acts()]).toEqual([['welcome'], ['template.added welcome']])
  })

  it('are for those who may edit templates, and forms of other sites change none', async () => {
    const { account, developer, slugs } = await accountOf()
    const viewer = await signIn(simulation.server, 'viewer', { account })
    for (const page of ['/channels', '/templates']) expect((await viewer.get(page)).text).not.toContain(path)
    const fields = { template: 'welcome' }
    const foreign = await developer.post(path, fields, { 'Sec-Fetch-Site': 'cross-site' })
    expect([(await viewer.get(path)).status, (await viewer.post(path, fields)).status, foreign.status]).toEqual([
      403, 403, 403,
    ])
    expect(await slugs()).toEqual([])
  })

  it.each<[string, Behaviour, string]>([
    ['refuses', { status: 401, body: '{"error":{"code":190,"message":"Token"}}' }, 'could not be read'],
    ['fails', { status: 500, body: 'oops' }, 'status 500 with an unknown body'],
    ['is gone', 'gone', 'could not be read'],
    ['sends without an end', 'flood', 'could not be read'],
  ])('are an error in words where Meta %s, and nothing is added', async (_what, behaviour, words) => {
    const { developer, slugs } = await accountAt(behaviour)
    const { status, text } = await developer.get(path)
    expect([status, text.includes(words)]).toEqual([200, true])
    expect((await developer.submit(path, { template: 'welcome' })).text).toContain(words)
    expect(await slugs()).toEqual([])
  })

  it('are read for a time and a number of pages at most, and so many are shown', async () => {
    const { accountId, developer, meta } = await accountAt('hang')
    const list = (withinMs: number) => simulation.server.app.listProviderTemplates(accountId, 'wa-eu', { withinMs })
    await expect(list(50)).rejects.toThrow('not all were told within 0.05 seconds')
    const named = (name: string) => {
      return {
        name,
        language: 'en',
        status: 'APPROVED',
        category: 'UTILITY',
        components: [{ type: 'BODY', text: 'Hi' }],
      }
    }
    const before = meta.asked.length
    meta.behave(({ path: asked }) => {
      const at = Number(new URL(asked, meta.url).searchParams.get('after') ?? 0)
      const data = Array.from({ length: 20 }, (_, index) => named(`t_${at + index}`))
      return { status: 200, body: JSON.stringify({ data, paging: { cursors: { after: String(at + 20) } } }) }
    })
    const { text } = await developer.get(path)
    expect(meta.asked.length - before).toBeLessThanOrEqual(100)
    expect(text).toContain('The first 200 of 2000 names')
    expect(text.match(/type="checkbox"/g)).toHaveLength(200)
    expect((await developer.get(`${path}?q=t_1999`)).text.match(/type="checkbox"/g)).toHaveLength(1)
  })
})
