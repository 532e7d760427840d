/** Overview: what an account's people see first. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { simulateAccount } from '../../../scripts/dashboard/account.ts'
import { connectionIds } from '../../../scripts/dashboard/day.ts'
import { roundTop } from '../../../src/http/dashboard/chart.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
})
afterAll(() => server.close())

const stepsDone = (text: string) => /(\d) of 6 done/.exec(text)?.[1]

describe('an account that has just come', () => {
  it('is led from step to step, each ticked once it is done', async () => {
    await server.app.accounts.create('new')
    const { id: accountId } = await server.app.accounts.require('new')
    const developer = await signIn(server, 'developer', { account: 'new' })
    const { text } = await developer.get('/')
    expect(stepsDone(text)).toBe('0')
    expect(text).toContain(`curl ${server.directUrl}/v1/verify/send`)
    expect(text).toContain('href="/keys/new"')

    const key = await server.key({ account: 'new' })
    expect(stepsDone((await developer.get('/')).text)).toBe('1')
    await server.as(key).send('+14155550100')
    await server.work()
    // The code was sent, and it arrived.
    expect(stepsDone((await developer.get('/')).text)).toBe('3')
    await server.app.templates.apply(accountId, [{ slug: 'shipped', text: 'On its way.' }])
    const url = 'http://127.0.0.1:9/'
    await server.app.endpoints.add({ accountId, mode: 'test', url, types: null })
    expect(stepsDone((await developer.get('/')).text)).toBe('5')
    await server.app.connections.apply(accountId, [{ id: 'tg', kind: 'telegram', access_token: 'AAH_the_token_of_it' }])
    expect(stepsDone((await developer.get('/')).text)).toBeUndefined()
  })

  it('makes a key of its own: those of the first start were shown to nobody', async () => {
    await server.app.accounts.create('started')
    const { id: accountId } = await server.app.accounts.require('started')
    const input = { accountId, mode: 'test', scopes: ['verify:write'], expiresAt: null } as const
    const { key } = await server.app.apiKeys.create({ ...input, name: 'first test key' })
    const developer = await signIn(server, 'developer', { account: 'started' })
    const { text } = await developer.get('/')
    expect(stepsDone(text)).toBe('0')
    expect(text).toContain('<a class="button" href="/keys/new">')
    // Whoever has that key all the same, has one.
    await server.as(key).send('+14155550100')
    await server.work()
    expect(stepsDone((await developer.get('/')).text)).toBe('3')
  })

  it('offers no button to a viewer, who may do none of it', async () => {
    await server.app.accounts.create('watched')
    const viewer = await signIn(server, 'viewer', { account: 'watched' })
    const { text } = await viewer.get('/')
    expect(stepsDone(text)).toBe('0')
    expect(text).not.toContain('href="/keys/new"')
  })

  it('is led no longer once messages of live keys flow', async () => {
    await server.app.accounts.create('flowing')
    const developer = await signIn(server, 'developer', { account: 'flowing' })
    await server.as(await server.key({ account: 'flowing', mode: 'live' })).send(newPhone())
    await server.app.countingLoop.runOnce()
    const { text } = await developer.get('/')
    expect(stepsDone(text)).toBeUndefined()
    expect(text).toContain('Messages by hour')
  })
})

describe('an account in use', () => {
  let viewer: Visitor
  beforeAll(async () => {
    await server.app.accounts.create('busy')
    const { id: accountId } = await server.app.accounts.require('busy')
    const {
      app: { admin },
      commit,
      runtime,
    } = server
    await simulateAccount({ admin, commit, now: runtime.now, accountId, messages: 2000, days: 2 })
    viewer = await signIn(server, 'viewer', { account: 'busy' })
  })

  it('sees what was sent, as bars with titles and as the same numbers in a table', async () => {
    const { text } = await viewer.get('/')
    const titles = [...text.matchAll(/<title>([^<]+): ([\d,]+) delivered, ([\d,]+) on the way/g)]
    expect(titles).toHaveLength(24)
    for (const [, name, delivered] of titles) {
      expect(text).toContain(`>${name}</time></th><td class="number" data-label="delivered">${delivered}</td>`)
    }
    expect(text).toMatch(/[\d,]+ of [\d,]+ codes sent came back/)
    expect(text).toContain('United States')
  })

  it('sees what became of all messages: the parts add up, in the tiles and in the bars', async () => {
    const { text } = await viewer.get('/')
    const numberOf = (found: string) => Number(found.replaceAll(',', ''))
    const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)
    const [, value = '', more = ''] =
      /<dt>Messages<\/dt><dd class="value">([\d,]+)<\/dd>\s*<dd class="more">([^<]+)</.exec(text) ?? []
    const [, delivered = '', of = ''] = /([\d,]+) of ([\d,]+) messages/.exec(text) ?? []
    const made = numberOf(value)
    expect(numberOf(of)).toBe(made)
    expect(more).toMatch(/^[\d,]+ on the way; [\d,]+ failed; [\d,]+ expired$/)
    expect(sum([delivered, ...more.split('; ').map((part) => part.split(' ')[0]!)].map(numberOf))).toBe(made)
    const share = `${((numberOf(delivered) / made) * 100).toFixed(1)} %`
    expect(text).toContain(`<dt>Delivered</dt><dd class="value">${share}</dd>`)
    const bars = [...text.matchAll(/<title>[^<]+: ([^<]+), [\d,]+ verified<\/title>/g)]
    const parts = bars.flatMap(([, list = '']) => list.split(/, (?=[\d])/).map((part) => part.split(' ')[0]!))
    expect(parts).toHaveLength(24 * 5)
    expect(sum(parts.map(numberOf))).toBe(made)
    expect(text).toMatch(/<th scope="col" class="number">Messages<\/th>/)
  })

  it('chooses the days and the mode by links', async () => {
    const { text } = await viewer.get('/?span=7d&mode=test')
    expect(text).toContain('href="/?span=30d&#38;mode=test"')
    expect(text).toContain('href="/?span=7d&#38;mode=live"')
    expect([...text.matchAll(/<title>\d+ Nov: /g)]).toHaveLength(7)
  })

  it('is told what is wrong, each with a link to where it is put right', async () => {
    const { text } = await viewer.get('/')
    expect(text).toContain('What is wrong now')
    expect(text).toMatch(/channel rests<\/span><a href="\/channels">telegram: the provider refused/)
    expect(text).toMatch(/webhook disabled<\/span><a href="\/webhooks\/ep_\w+">old\.example\.net/)
    expect(text).toMatch(/webhook fails<\/span><a href="\/webhooks\/ep_\w+">warehouse\.example\.com: 7 failures/)
  })

  it('is told of a channel that gets no reports', async () => {
    const since = new Date(server.runtime.now().getTime() - 180_000).toISOString()
    await server.query(
      sql`update connection set unreported_count = 60, unreported_since = ${since} where id = ${connectionIds.whatsapp}`,
    )
    const { text } = await viewer.get('/')
    expect(text).toContain(
      `no reports</span><a href="/channels">${connectionIds.whatsapp}: no report of 60 messages since <time`,
    )
  })

  it('is told that no channel carries the template that it came with only after somebody changed that', async () => {
    await server.app.accounts.create('greeted')
    const { id: accountId } = await server.app.accounts.require('greeted')
    await server.app.connections.apply(accountId, [{ id: 'tg', kind: 'telegram', access_token: 'AAH_the_token_of_it' }])
    const stuck = async () =>
      (await server.app.troubles.find({ accountId, mode: 'live' })).some(({ kind }) => kind === 'template_stuck')
    await server.app.templates.apply(accountId, [{ slug: 'welcome', text: 'Welcome, {{name}}!' }])
    expect(await stuck()).toBe(false)
    await server.app.templates.apply(accountId, [{ slug: 'welcome', text: 'Welcome to Acme, {{name}}!' }])
    expect(await stuck()).toBe(true)
  })

  it('sees nothing of the figures of another account', async () => {
    await server.app.accounts.create('nosy')
    const { text } = await (await signIn(server, 'owner', { account: 'nosy' })).get('/?mode=test')
    expect(text).not.toContain('United States')
    expect(text).not.toContain('old.example.net')
  })
})

describe('the axis of a chart', () => {
  it.each([
    [0, 4],
    [3, 4],
    [5, 8],
    [40, 40],
    [41, 80],
    [278, 320],
    [768, 800],
    [1_234_567, 1_600_000],
  ])('for %i ends at %i, whose quarters are whole', (highest, top) => {
    expect(roundTop(highest)).toBe(top)
  })
})
