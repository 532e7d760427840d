/** What Meta posts of templates to the address of reports: it counts at once, and of the connection's own business alone. */
import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { standardOptions } from '../../../src/simulator/options.ts'
import { createSimulation } from '../../support/simulation.ts'
import { signIn } from '../../support/visitor.ts'
import { lookForAnHour, openShop } from '../../support/watchedShop.ts'

const simulation = createSimulation({ server: { config: { dashboardPort: 0 } } })
const { appSecret, businessAccountId } = standardOptions
type Shop = Awaited<ReturnType<typeof openShop>>

const named = ({ name }: Pick<Shop, 'name'>, more: object = {}) => ({
  ...{ message_template_id: 1689556908129832, message_template_name: name, message_template_language: 'en_US' },
  ...more,
})
const statusOf = (shop: Pick<Shop, 'name'>, event: unknown, more: object = {}) => ({
  field: 'message_template_status_update',
  value: { ...named(shop, more), event, reason: 'NONE' },
})
const categoryOf = (shop: Shop, value: object) => ({
  field: 'template_category_update',
  value: { ...named(shop), ...value },
})

/** As Meta does, or who would like to be it. @returns the status of the answer */
async function post(url: string, changes: unknown[], { secret = appSecret, id = businessAccountId as unknown } = {}) {
  const entry = [{ id, time: 1_739_321_024, changes }]
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry })
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  return (await fetch(url, { method: 'POST', headers: { 'X-Hub-Signature-256': signature }, body })).status
}

describe('what Meta tells of a template', () => {
  it('stops it at once, as the overview and one event say, until Meta tells that it is good again', async () => {
    const shop = await openShop(simulation)
    const change = (status: 'PAUSED' | 'APPROVED') =>
      simulation.simulator.changeTemplate({ name: shop.name, language: 'en_US', status })
    expect(await change('PAUSED')).toContainEqual({ answered: 200 })
    expect(await shop.troubles()).toEqual([
      `shipped wa-eu: the template ${shop.name} (en_US) is paused at its provider`,
    ])
    expect([await shop.route(), await shop.told()]).toEqual(['sms', ['paused']])
    await simulation.server.app.countingLoop.runOnce()
    const [account] = await simulation.server.query<{ name: string }>(
      sql`select name from account where id = ${shop.accountId}`,
    )
    const viewer = await signIn(simulation.server, 'viewer', { account: account!.name })
    expect((await viewer.get('/?mode=live')).text).toContain('(en_US) is paused at its provider, known since')
    expect(shop.listening.events()[0]).toMatchObject({
      data: {
        template: { slug: 'shipped', locale: 'und' },
        ...{
          channel: 'wa-eu',
          provider_template: { name: shop.name, language: 'en_US' },
          reason: 'paused',
          mode: 'live',
        },
      },
    })
    expect(shop.listening.faults(shop.listening.secret)).toEqual([])
    await change('APPROVED')
    expect([await shop.route(), await shop.troubles()]).toEqual(['wa-eu sms', []])
    const lines = simulation.server.runtime.lines.filter((line) => line.includes(shop.accountId))
    expect(lines.filter((line) => /left out for a template|carries a template again/.test(line))).toHaveLength(2)
  })

  it('counts once however often it comes, and the list has the last word', async () => {
    const shop = await openShop(simulation)
    const url = shop.webhook('wa-eu')
    const paused = statusOf(shop, 'PAUSED')
    expect([await post(url, [paused, paused]), await post(url, [paused])]).toEqual([200, 200])
    expect([await shop.route(), await shop.told()]).toEqual(['sms', ['paused']])
    // It has the template as it was.
    await lookForAnHour(simulation)
    expect([await shop.route(), await shop.troubles()]).toEqual(['wa-eu sms', []])
    await post(url, [statusOf(shop, 'PAUSED')])
    expect(await shop.told()).toEqual(['paused', 'paused'])
    await post(url, [statusOf(shop, 'DISABLED')])
    await post(url, [statusOf(shop, 'REINSTATED')])
    expect([await shop.route(), await shop.told()]).toEqual(['wa-eu sms', ['paused', 'paused', 'disabled']])
  })

  it('is another category: a change that is to come changes nothing yet', async () => {
    const shop = await openShop(simulation)
    const url = shop.webhook('wa-eu')
    const soon = { new_category: 'UTILITY', correct_category: 'MARKETING', category_update_timestamp: 1_760_711_433 }
    await post(url, [categoryOf(shop, soon)])
    expect(await shop.route()).toBe('wa-eu sms')
    await post(url, [categoryOf(shop, { previous_category: 'UTILITY', new_category: 'MARKETING' })])
    expect([await shop.route(), await shop.told()]).toEqual(['sms', ['category_changed']])
    // The template says the same by now.
    await simulation.server.app.templates.apply(shop.accountId, [{ ...shop.template, category: 'marketing' }])
    await post(url, [categoryOf(shop, { previous_category: 'UTILITY', new_category: 'MARKETING' })])
    expect([await shop.route(), await shop.troubles()]).toEqual(['wa-eu sms', []])
  })

  it('is of the language that it names alone, also where that is written with a hyphen', async () => {
    const shop = await openShop(simulation)
    const url = shop.webhook('wa-eu')
    await post(url, [statusOf(shop, 'PAUSED', { message_template_language: 'de' })])
    expect(await shop.route()).toBe('wa-eu sms')
    await post(url, [statusOf(shop, 'PAUSED', { message_template_language: 'en-US' })])
    expect(await shop.route()).toBe('sms')
  })
})

describe('what Meta does not tell', () => {
  it('changes nothing: unsigned, of another business or account, of unknown words and forms', async () => {
    const [shop, other] = [await openShop(simulation), await openShop(simulation)]
    const url = shop.webhook('wa-eu')
    const paused = [statusOf(shop, 'PAUSED')]
    expect(await post(url, paused, { secret: 'another' })).toBe(401)
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
    for (const id of ['102290129340399', 7, null, {}, [businessAccountId]])
      expect(await post(url, paused, { id })).toBe(200)
    expect(await post(other.webhook('wa-eu'), paused)).toBe(200)
    const events = ['FLAGGED', 'PENDING', 'IN_APPEAL', 'LOCKED', 'paused', 'constructor', '', null, 7, ['PAUSED']]
    const odd = [null, 7, {}, { field: 'message_template_status_update' }, statusOf({ name: 'welcome' }, 'PAUSED')]
    expect(await post(url, [...events.map((event) => statusOf(shop, event)), ...odd])).toBe(200)
    expect(await shop.route()).toBe('wa-eu sms')
    expect(await other.route()).toBe('wa-eu sms')
    expect([await shop.told(), await other.told()]).toEqual([[], []])
  })

  it('takes no report with it: a crowd of news is cut short', async () => {
    const shop = await openShop(simulation)
    const crowd = Array.from({ length: 1000 }, (_, n) => statusOf({ name: `other_${n}` }, 'PAUSED'))
    expect(await post(shop.webhook('wa-eu'), [...crowd, statusOf(shop, 'PAUSED')])).toBe(200)
    expect(await shop.route()).toBe('wa-eu sms')
  })
})

it('a crowd of reports from one account is looked at sixty times a minute', async () => {
  const shop = await openShop(simulation)
  const url = shop.webhook('wa-eu')
  for (let n = 0; n < 60; n++) await post(url, [statusOf({ name: 'other' }, 'PAUSED')])
  expect(await post(url, [statusOf(shop, 'PAUSED')])).toBe(200)
  expect(await shop.route()).toBe('wa-eu sms')
  simulation.server.runtime.advance(60)
  await post(url, [statusOf(shop, 'PAUSED')])
  expect(await shop.route()).toBe('sms')
})

it('a process of an older version, which has never heard of it, sends beside this one', async () => {
  const shop = await openShop(simulation)
  const { server } = simulation
  await post(shop.webhook('wa-eu'), [statusOf(shop, 'PAUSED')])
  // As it writes settings: the table of what was found out stays as it is.
  await server.query(
    sql`update connection set revision = 'older', updated_at = now() where account_id = ${shop.accountId} and id = 'wa-eu'`,
  )
  server.runtime.advance(5)
  expect([await shop.route(), await shop.troubles()]).toEqual(['wa-eu sms', []])
  await post(shop.webhook('wa-eu'), [statusOf(shop, 'PAUSED')])
  expect(await shop.route()).toBe('sms')
  // As it deletes connections.
  await server.query(sql`delete from connection where account_id = ${shop.accountId} and id = 'wa-eu'`)
  server.runtime.advance(5)
  expect(await shop.route()).toBe('sms')
})
