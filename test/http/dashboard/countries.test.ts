/** Sending › Protection › Countries: finding one, what is known of it, and choosing where codes may go. */
import { sql } from 'drizzle-orm'
import { getCountries } from 'libphonenumber-js/max'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allowedCountries } from '../../../src/domain/protection/ruleChange.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

const path = '/protection/countries'
let server: TestServer
let account: string
let accountId: string
let owner: Visitor
let accounts = 0
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
})
afterAll(() => server.close())
beforeEach(async () => {
  account = `countries ${++accounts}`
  await server.app.accounts.create(account)
  accountId = (await server.app.accounts.require(account)).id
  owner = await signIn(server, 'owner', { account })
})

const found = () => server.app.protections.find(accountId)
const allowed = async () => allowedCountries((await found()).rules)
const namesIn = (text: string) =>
  Array.from(text.matchAll(/name="allow" value="[A-Z]{2}"[^>]*><span>([^<]+)</g), ([, name]) => name)
const ticked = (text: string) =>
  Array.from(text.matchAll(/name="allow" value="([A-Z]{2})" checked/g), ([, code]) => code)
const every = getCountries().join(' ')

describe('one finds a country', () => {
  it.each([
    ['by a part of its name', 'q=germ', ['Germany']],
    ['by its name in another language', 'q=Deutschland', ['Germany']],
    ['by its code', 'q=ch', ['Switzerland']],
    ['by how its numbers begin', 'q=%2B49', ['Germany']],
    ['by how its numbers begin, with 00', 'q=0049', ['Germany']],
    ['by how its numbers begin, in full-width digits', 'q=%EF%BC%8B%EF%BC%94%EF%BC%99', ['Germany']],
    ['by nothing that is there', 'q=Atlantis', []],
  ])('%s', async (_how, query, names) => {
    const { text } = await owner.get(`${path}?${query}`)
    expect(namesIn(text).filter((name) => names.length === 0 || names.includes(name!))).toEqual(names)
  })

  it('with what is known of it: codes, conversion and whether it is often pumped', async () => {
    const hour = new Date(Math.floor(server.runtime.now().getTime() / 3_600_000) * 3_600_000).toISOString()
    await server.query(sql`insert into figure
        (account_id, mode, grain, at, kind, connection, country, created, sent, delivered, verified, failed, expired, latencies)
      values (${accountId}, 'live', 'hour', ${hour}, 'verification', 'sms', 'AZ', 40, 40, 40, 10, 0, 0, array_fill(0, array[16]))`)
    const { text } = await owner.get(`${path}?show=sent`)
    expect(namesIn(text)).toEqual(['Azerbaijan'])
    const words = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(words).toContain('Azerbaijan AZ +994 40 25.0 % often pumped')
    const pumped = namesIn((await owner.get(`${path}?show=pumped`)).text)
    expect(pumped).toContain('Azerbaijan')
    expect(pumped).not.toContain('Germany')
  })
})

describe('an owner', () => {
  it('allows some countries, with a reason once codes to others are refused', async () => {
    const fields = { version: (await found()).version, shown: every, allow: ['DE', 'FR'], do: 'block' }
    const without = await owner.post(path, fields)
    expect([without.status, ticked(without.text)]).toEqual([400, ['FR', 'DE']])
    expect(without.text).toContain('That needs a reason.')
    expect(await allowed()).toEqual({ allow: 'all', do: 'record' })
    const { text } = await owner.submit(path, { ...fields, reason: 'We sell there alone' })
    expect(text).toContain('Codes may go to 2 countries. Those to others are refused from now on.')
    expect(await allowed()).toEqual({ allow: ['DE', 'FR'], do: 'block' })
    const live = server.as(await server.key({ mode: 'live', account }))
    await live.send('+4915112345678')
    const refused = await live.post<{ code: string }>('/v1/verify/send', { phone: '+447400123456' })
    expect([refused.status, refused.data.code]).toEqual([403, 'send_blocked'])
  })

  it('changes only the countries that a search shows', async () => {
    const allow = ['DE', 'FR', 'GB']
    await owner.submit(path, { version: (await found()).version, shown: every, allow, do: 'record' })
    const { text } = await owner.get(`${path}?q=united%20k`)
    const [, shown = ''] = /name="shown" value="([^"]*)"/.exec(text) ?? []
    expect([namesIn(text), shown]).toEqual([['United Kingdom'], 'GB'])
    await owner.submit(path, { version: (await found()).version, shown, do: 'record' })
    expect((await allowed()).allow).toEqual(['DE', 'FR'])
  })

  it('allows all again, never none, and never over the change of another', async () => {
    const { version } = await found()
    const none = await owner.post(path, { version, shown: every, do: 'record' })
    expect(none.text).toContain('Allow one country at least')
    await owner.submit(path, { version, shown: every, allow: ['DE'], do: 'record' })
    const late = await owner.post(path, { version, shown: every, allow: ['FR'], do: 'record' })
    expect([late.status, (await allowed()).allow]).toEqual([400, ['DE']])
    await owner.submit(path, { version: (await found()).version, shown: every, allow: getCountries(), do: 'record' })
    expect((await allowed()).allow).toBe('all')
  })

  it('gets a rule for it where the list of the account has none', async () => {
    const rule = {
      id: 'countries',
      by: 'ip',
      count: 'sends',
      window: '1h',
      over: { constant: 9 },
      do: 'record',
    } as const
    await server.app.protections.apply(accountId, { rules: [rule], fail: 'open', budgets: [] })
    await owner.submit(path, { version: (await found()).version, shown: every, allow: ['DE'], do: 'record' })
    expect((await found()).rules.map(({ id, by }) => [id, by])).toEqual([
      ['countries-2', 'country'],
      ['countries', 'ip'],
    ])
  })
})

it('a viewer sees which countries are allowed, and has nothing to tick', async () => {
  await owner.submit(path, { version: (await found()).version, shown: every, allow: ['DE'], do: 'record' })
  const viewer = await signIn(server, 'viewer', { account })
  const { text } = await viewer.get(`${path}?q=germany`)
  expect(text).toContain('>allowed<')
  expect(text).not.toContain('type="checkbox"')
  expect((await viewer.post(path, { shown: every, allow: ['FR'], do: 'record' })).status).toBe(403)
})
