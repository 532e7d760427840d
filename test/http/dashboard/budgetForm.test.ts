/** Sending › Protection: budgets as forms. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

const add = '/protection/add-budget'
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
  account = `budgets ${++accounts}`
  await server.app.accounts.create(account)
  accountId = (await server.app.accounts.require(account)).id
  owner = await signIn(server, 'owner', { account })
})

const found = () => server.app.protections.find(accountId)
const budgets = async () => (await found()).budgets
const versioned = async (fields: Record<string, string>) => ({ version: (await found()).version, ...fields })
const unescaped = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

describe('an owner', () => {
  it('adds a budget, by messages, by money and by countries, and it caps what is sent', async () => {
    const { rules } = await found()
    const { text } = await owner.submit(add, await versioned({ id: 'daily', messages: '1', money: '12.50 EUR' }))
    expect(text).toContain('The budget daily is in force.')
    const german = { id: 'german', countries: 'Deutschland, Austria; CH', messages: '0100' }
    await owner.submit(add, await versioned(german))
    expect(await budgets()).toEqual([
      { id: 'daily', messages: 1, money: '12.50 EUR' },
      { id: 'german', countries: ['DE', 'AT', 'CH'], messages: 100 },
    ])
    expect((await found()).rules).toEqual(rules)
    const live = server.as(await server.key({ mode: 'live', account }))
    await live.send(newPhone())
    const refused = await live.post<{ code: string }>('/v1/verify/send', { phone: newPhone() })
    expect([refused.status, refused.data.code]).toEqual([403, 'budget_spent'])
  })

  it('changes and removes one, and the others stay', async () => {
    await owner.submit(add, await versioned({ id: 'one', messages: '5' }))
    await owner.submit(add, await versioned({ id: 'two', countries: 'FR', money: '9 USD' }))
    const { text } = await owner.get('/protection/budgets/two')
    expect([text, text]).toEqual([expect.stringContaining('value="France"'), expect.stringContaining('value="9 USD"')])
    await owner.submit('/protection/budgets/two', await versioned({ countries: '', messages: '70', money: '' }))
    expect(await budgets()).toEqual([
      { id: 'one', messages: 5 },
      { id: 'two', messages: 70 },
    ])
    await owner.submit('/protection/budgets/one/remove', await versioned({}))
    expect(await budgets()).toEqual([{ id: 'two', messages: 70 }])
  })

  it.each([
    ['a name that cannot be one', { id: 'Täglich', messages: '5' }, ['id'], 'It must be 1 to 32 lower-case letters'],
    ['neither messages nor money', { id: 'none' }, ['messages'], 'Fill in this, or the money.'],
    ['a number that may be another', { id: 'few', messages: '1,000' }, ['messages'], 'It must be a whole number.'],
    ['no message at all', { id: 'few', messages: '0' }, ['messages'], 'It must be at least 1.'],
    ['money without a currency', { id: 'rich', money: '12' }, ['money'], 'It must be an amount and its currency'],
    [
      'a country that is none',
      { id: 'far', messages: '5', countries: 'France, Atlantis' },
      ['countries'],
      'Entry 2 must be a two-letter country code',
    ],
    [
      'more than one thing',
      { id: '9', messages: '-1', money: 'EUR 5' },
      ['id', 'messages', 'money'],
      'It must be a whole number.',
    ],
  ])('is told of %s beside its field, and nothing is saved', async (_what, fields, places, words) => {
    const { status, text } = await owner.post(add, await versioned(fields as unknown as Record<string, string>))
    expect([status, await budgets()]).toEqual([400, []])
    const beside = Array.from(text.matchAll(/<small class="bad" id="([a-z]+)-fault">/g), ([, name]) => name)
    expect([beside, unescaped(text)]).toEqual([places, expect.stringContaining(words)])
    for (const typed of Object.values(fields)) expect(unescaped(text)).toContain(`value="${typed}"`)
  })

  it('never gets two of one name, nor saves over the change of another', async () => {
    const { version } = await found()
    await owner.submit(add, { version, id: 'one', messages: '5' })
    const twice = await owner.post(add, await versioned({ id: 'one', messages: '6' }))
    expect([twice.status, twice.text]).toEqual([400, expect.stringContaining('There is a budget one already.')])
    const late = await owner.post('/protection/budgets/one', { version, messages: '7' })
    expect([late.status, await budgets()]).toEqual([400, [{ id: 'one', messages: 5 }]])
  })
})

it('others see budgets, and no way to change them', async () => {
  await owner.submit(add, await versioned({ id: 'one', messages: '5' }))
  const developer = await signIn(server, 'developer', { account })
  const { text } = await developer.get('/protection')
  expect(text).toContain('<code>one</code>')
  expect(text).not.toContain('/protection/budgets/one')
  expect((await developer.get('/protection/budgets/one')).status).toBe(403)
  expect((await developer.post(add, await versioned({ id: 'two', messages: '5' }))).status).toBe(403)
})
