/** The hourly look at Meta's list of templates: what is left out for it, who is told, and which lists change nothing. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Asked, type Behaviour, type Provider, startProvider } from '../../support/provider.ts'
import { createSimulation } from '../../support/simulation.ts'
import { lookForAnHour, openShop } from '../../support/watchedShop.ts'

const simulation = createSimulation()
const look = () => lookForAnHour(simulation)
const put = (template: Parameters<typeof simulation.simulator.putTemplate>[0]) =>
  simulation.simulator.putTemplate(template)
const body = 'Order {{1}} is on its way.'

describe('a template that Meta does not send any more', () => {
  it.each([
    ['paused', { body, status: 'PAUSED' as const }, 'is paused at its provider'],
    ['disabled', { body, status: 'DISABLED' as const }, 'is disabled at its provider'],
    ['rejected', { body, status: 'REJECTED' as const }, 'was rejected by its provider'],
    [
      'places_changed',
      { body: 'Order {{1}} of {{2}} is on its way.' },
      'has other places at its provider than are filled here: it has 2 parameters, and 1 are given',
    ],
    [
      'category_changed',
      { body, category: 'MARKETING' as const },
      'is not of the category utility at its provider any more',
    ],
  ])('is %s: it goes by the next channel, which is told once, until it is good again', async (reason, change, why) => {
    const shop = await openShop(simulation)
    await look()
    expect([await shop.route(), await shop.troubles()]).toEqual(['wa-eu sms', []])
    put({ name: shop.name, ...change })
    await look()
    await look()
    const text = `the template ${shop.name} (en_US) ${why}`
    expect(await shop.troubles()).toEqual([`shipped wa-eu: ${text}`])
    expect(await shop.route()).toBe('sms')
    expect(await shop.preview()).toEqual(['sms', `wa-eu: ${text}`])
    expect(await shop.told()).toEqual([reason])
    put({ name: shop.name, body })
    await look()
    expect([await shop.route(), await shop.troubles()]).toEqual(['wa-eu sms', []])
    expect(await shop.told()).toEqual([reason])
  })

  it('is missing in a list that has the template for codes', async () => {
    const shop = await openShop(simulation)
    const gone = { ...shop.said, name: `${shop.name}_old` }
    await simulation.server.app.templates.apply(shop.accountId, [{ ...shop.template, channels: { whatsapp: gone } }])
    await look()
    expect(await shop.told()).toEqual(['missing'])
    // What it says now is another template: nothing that was found out before is about it.
    await simulation.server.app.templates.apply(shop.accountId, [shop.template])
    expect([await shop.route(), await shop.troubles()]).toEqual(['wa-eu sms', []])
  })

  it('is asked for all the same where no other channel carries it, and by what goes later', async () => {
    const alone = await openShop(simulation, { others: [] })
    const shop = await openShop(simulation)
    put({ name: alone.name, body, status: 'PAUSED' })
    put({ name: shop.name, body, status: 'PAUSED' })
    await look()
    expect([await alone.troubles(), await shop.troubles()]).toEqual([[expect.anything()], [expect.anything()]])
    expect([await alone.route(), await alone.preview()]).toEqual(['wa-eu', ['wa-eu']])
    const tomorrow = new Date(simulation.server.runtime.now().getTime() + 86_400_000).toISOString()
    expect(await shop.route({ send_at: tomorrow })).toBe('wa-eu sms')
  })

  it('has never been of the category that the account says: it is sent as before', async () => {
    const shop = await openShop(simulation)
    put({ name: shop.name, body, category: 'MARKETING' })
    await look()
    expect([await shop.route(), await shop.told()]).toEqual(['wa-eu sms', []])
  })

  it('is forgotten when the settings of the channel change', async () => {
    const shop = await openShop(simulation)
    put({ name: shop.name, body, status: 'PAUSED' })
    await look()
    expect(await shop.route()).toBe('sms')
    await shop.changeChannel({ per_second: 7 })
    expect(await shop.troubles()).toEqual([])
  })
})

describe('a list that cannot be believed', () => {
  let meta: Provider
  beforeEach(async () => {
    meta = await startProvider({ status: 200 })
  })
  afterEach(() => meta.close())

  const json = (value: unknown, status = 200) => ({ status, body: JSON.stringify(value) })
  const told = (name: string, more: object = {}) => ({
    ...{ name, language: 'en_US', status: 'APPROVED', category: 'UTILITY', components: [{ type: 'BODY', text: body }] },
    ...more,
  })
  const codes = told('auth_copy_code', { category: 'AUTHENTICATION' })
  const lists = (...data: unknown[]) => json({ data })
  const pageOf = ({ path }: Asked) => Number(new URL(path, meta.url).searchParams.get('after') ?? 0)
  const many = (make: (page: number) => unknown[]) => (asked: Asked) =>
    json({ data: make(pageOf(asked)), paging: { cursors: { after: String(pageOf(asked) + 1) } } })

  it.each<[string, Behaviour]>([
    ['of who does not take the token', json({ error: { code: 190, message: 'no' } }, 401)],
    ['of who is broken', { status: 500, body: 'oops' }],
    ['that breaks off', 'reset in the body'],
    ['that never comes', 'hang'],
    ['without an end', 'flood'],
    ['that is no list', json({ data: { name: 'order' } })],
    ['with nothing in it', lists()],
    ['of another business', lists(told('welcome'))],
    ['with an entry of an unknown form', lists(codes, { name: 7 })],
    ['of 100,000 templates', many((page) => Array.from({ length: 20 }, (_, n) => told(`other_${page}_${n}`)))],
    ['that begins again and again', many(() => [codes])],
  ])(
    '%s changes nothing, and the log says why',
    async (_what, behaviour) => {
      const shop = await openShop(simulation, { whatsapp: { base_url: meta.url } })
      const paused = told(shop.name, { status: 'PAUSED' })
      meta.behave(behaviour)
      await look()
      expect(await shop.route()).toBe('wa-eu sms')
      meta.behave(lists(codes, paused))
      await look()
      expect(await shop.route()).toBe('sms')
      meta.behave(behaviour)
      await look()
      expect(await shop.route()).toBe('sms')
      const lines = simulation.server.runtime.lines.filter((line) => line.includes('was not read'))
      expect(lines.filter((line) => line.includes(shop.accountId))).toHaveLength(2)
      meta.behave(lists(codes, told(shop.name)))
      await look()
      expect([await shop.route(), await shop.told()]).toEqual(['wa-eu sms', ['paused']])
    },
    60_000,
  )

  it('with a place whose name the store does not take: it counts, and holds up no other account', async () => {
    const odd = [{ type: 'BODY', text: `Order {{a\0${'\u{1f4e6}'.repeat(200)}\ud83d}} is on its way.` }]
    const shops = []
    for (let n = 0; n < 3; n++) shops.push(await openShop(simulation, { whatsapp: { base_url: meta.url } }))
    meta.behave(lists(codes, ...shops.map(({ name }) => told(name, { components: odd }))))
    await look()
    for (const shop of shops) expect([await shop.route(), await shop.told()]).toEqual(['sms', ['places_changed']])
  })

  it('says an unknown status, or two at once: WhatsApp itself is asked', async () => {
    const shop = await openShop(simulation, { whatsapp: { base_url: meta.url } })
    meta.behave(lists(codes, told(shop.name, { status: 'toString' })))
    await look()
    expect(await shop.route()).toBe('wa-eu sms')
    meta.behave(lists(codes, told(shop.name), told(shop.name, { status: 'PAUSED' })))
    await look()
    expect([await shop.route(), await shop.told()]).toEqual(['wa-eu sms', []])
  })
})

it('asks nothing of an account without such templates', async () => {
  const meta = await startProvider({ status: 500 })
  const { accountId } = await openShop(simulation, { whatsapp: { base_url: meta.url } })
  await simulation.server.app.templates.apply(accountId, [{ slug: 'shipped', text: 'Order {{order}} is on its way.' }])
  await look()
  expect(meta.asked).toEqual([])
  await meta.close()
})
