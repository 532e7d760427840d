/** What people type into the dashboard's other forms: names, addresses, codes, amounts of money, networks. */
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visitorWith } from '../support/visitor.ts'
import { openSite, type Site } from './site.ts'

let site: Site
let owner: Awaited<ReturnType<Site['owner']>>
beforeAll(async () => {
  site = await openSite()
  owner = await site.owner()
})
afterAll(() => site?.close())

const besideOf = (page: string, name: string) => new RegExp(`id="${name}-fault">([^<]*)<`).exec(page)?.[1]
const isAbove = (page: string) => page.includes('<p class="saying fault"')

describe('an email', () => {
  const emails = [
    'ada@x.example',
    ' ada@x.example\u00a0',
    'mailto:ada@x.example',
    'MAILTO:ada@x.example?subject=Hello',
    'Ada Lovelace <ada@x.example>',
    '"Lovelace, Ada" <ada@x.example>,',
    '<ada@x.example>',
    '"ada@x.example"',
    'ada@x.example,',
    'ada@x.example;',
    '\u202aada@x.example\u202c',
    'ａｄａ＠x.example',
  ]
  it.each(emails)('as %j is read as the one that is meant, in an invitation', async (email) => {
    const { status, text } = await owner.submit('/people/invite', { role: 'viewer', email })
    expect([status, text]).toEqual([200, expect.stringContaining('Send it to ada@x.example: ')])
  })

  it('is kept as it was read, also of a command', async () => {
    expect(await site.cli('users', 'invite', '--email', 'mailto:Ada@x.example,')).toMatchObject({
      exitCode: 0,
      stderr: '',
    })
    const { text } = await owner.get('/people')
    expect(text).toContain('ada@x.example')
    expect(text).not.toMatch(/mailto:|ada@x\.example[,;]|Lovelace &#60;/i)
  })

  it.each([
    'ada@x.example bob@x.example',
    'ada@x.example,bob@x.example',
    'ada(at)x.example',
    'ada@x',
    'a\u200bda@x.example',
  ])('as %j is refused beside its field, which keeps it', async (email) => {
    const { status, text } = await owner.submit('/people/invite', { role: 'viewer', email })
    expect([status, besideOf(text, 'email')]).toEqual([400, 'An email address looks like ada@example.com.'])
    expect(text).toContain(`value="${email}"`)
    expect(isAbove(text)).toBe(false)
  })
})

describe('the name of a key', () => {
  const make = (name: string) => owner.submit('/keys', { name, mode: 'test', scope: ['messages:read'] })

  it.each(['Ключ магазина', '店のキー', 'مفتاح المتجر', 'מפתח', 'กุญแจ', 'चाबी', '상점 키', '🔑 1'])(
    'is taken in any script: %s',
    async (name) => {
      expect((await make(name)).text).toContain('Your new key')
      expect((await owner.get('/keys')).text).toContain(name)
    },
  )

  it.each(['x'.repeat(1000), ' ', 'a\u202eb', 'a\tb'])('is refused beside its field: %j', async (name) => {
    const { status, text } = await make(name)
    expect([status, besideOf(text, 'name')]).toEqual([400, expect.stringContaining('1 to 64 characters')])
    expect(isAbove(text)).toBe(false)
  })
})

it.each<[string, string]>([
  ['shop.example/hook', 'must begin with https://'],
  ['http://shop.example/hook', 'must begin with https://'],
  ['//shop.example', 'must begin with https://'],
  ['shop.example:8443/hook', 'must begin with https://'],
  ['https://', 'this is not a URL'],
  ['', 'the URL is missing'],
  ['https://ada:secret@shop.example/', 'must not hold a user name or password'],
  ['https://10.0.0.1/', 'this address is not allowed'],
])('the URL of an endpoint as %j is refused beside its field', async (url, words) => {
  const { status, text } = await owner.submit('/webhooks', { url, mode: 'test', events: 'all' })
  expect([status, besideOf(text, 'url')]).toEqual([400, expect.stringContaining(words)])
  expect(isAbove(text)).toBe(false)
})

describe('the list of rules', () => {
  const save = async (rules: string) => {
    const version = /name="version" value="([^"]*)"/.exec((await owner.get('/protection/rules')).text)?.[1] ?? ''
    return owner.submit('/protection/rules', { version, rules, reason: 'a test' })
  }
  const budget = (money: string) => `rules: []\nbudgets:\n  - id: all\n    money: ${money}\n`
  const rule = (networks: string) =>
    `- { id: own, by: network, count: unverified, window: 1h, over: { constant: 5 }, do: record, except: { networks: [${networks}] } }\n`

  const amounts = ['1,50', '€ 2.00', '1 000', '1,50 EUR', '1.000,50 EUR', 'EUR 2', '$5', '1,000 EUR', '-1 EUR', '2.00']
  it.each(amounts)('refuses %s for an amount with its line, and saves no other one', async (money) => {
    const { status, text } = await save(budget(money))
    expect(status).toBe(400)
    expect(text).toContain(
      'Line 4: <code>budgets, entry 1, money</code> must be an amount and its currency, like 12.50 EUR',
    )
    expect((await owner.get('/protection')).text).not.toContain('The budgets, in their order')
  })

  it('takes the amount that its words have for an example', async () => {
    expect((await save(budget('12.50 EUR'))).text).toContain('of 12.5 EUR')
    await save('rules: []\n')
  })

  it.each([
    ['rules: []\nbudgets:\n  - id: all\n    messages: 1.000\n', 'Line 4: <code>budgets, entry 1, messages</code>'],
    ['- id: own\n  by: ip\n  count: sends\n  do: record\n  window: 1h\n  over: { constant: 10.000 }\n', 'Line 6'],
  ])('refuses a number that may be one or a thousand, with its line', async (rules, place) => {
    const { status, text } = await save(rules)
    expect([status, text]).toEqual([400, expect.stringContaining(place)])
    expect(text).toContain('may be read as one or as a thousand: write it without a point')
  })

  it.each(['10.0.0.0/8', '10.1.2.3/8', '2001:db8::1/32'])('takes %s for a network', async (network) => {
    expect((await save(rule(`"${network}"`))).status).toBe(200)
    expect((await owner.get('/protection/rules')).text).toContain(network)
  })

  it.each(['10.0.0.1:443', '10.0.0.1 10.0.0.2', '10.0.0.0/33', '10.0.0.0-10.0.0.9', '10.0.0.*', '[2001:db8::1]:443'])(
    'refuses %s for a network with its line',
    async (network) => {
      const { status, text } = await save(rule(`"${network}"`))
      expect([status, text]).toEqual([
        400,
        expect.stringContaining('must be a network like 10.0.0.0/8 or 2001:db8::/32; one address is 10.0.0.5/32'),
      ])
    },
  )
})

describe('a budget', () => {
  let budgets = 0
  const add = async (fields: { messages?: string; money?: string }) => {
    const path = '/protection/add-budget'
    const version = /name="version" value="([^"]*)"/.exec((await owner.get(path)).text)?.[1] ?? ''
    const id = `budget-${++budgets}`
    const { status, text } = await owner.submit(path, {
      ...{ version, id, countries: '', messages: '', money: '' },
      ...fields,
    })
    return { status, text, row: (await owner.get('/protection')).text.split(`>${id}<`)[1]?.split('</tr>')[0] }
  }

  it.each(['1.000', '1,000', '1 000', '1e3', '5.5', 'ten'])(
    'of %s messages is refused: it may be one or a thousand',
    async (messages) => {
      const { status, text, row } = await add({ messages })
      expect([status, besideOf(text, 'messages'), row]).toEqual([400, 'It must be a whole number.', undefined])
    },
  )

  it.each(['12.50 EUR', '12.50\u00a0EUR', ' 12.50  eur ', '１２.５０ EUR', '\u202a12.50 EUR\u202c'])(
    'of %j is read as the amount that is meant',
    async (money) => {
      const { status, row } = await add({ money })
      expect([status, row]).toEqual([200, expect.stringContaining('of 12.5 EUR')])
    },
  )

  it.each(['1.000,50 EUR', '€ 5', '1,50 EUR', '5', '0 EUR', '5 Euro'])('of %s is refused', async (money) => {
    const { status, text, row } = await add({ money })
    const words = 'It must be an amount and its currency, like 12.50 EUR.'
    expect([status, besideOf(text, 'money'), row]).toEqual([400, words, undefined])
  })
})

it('codes of an app are taken with blanks, dashes and the digits of any script', async () => {
  const { text } = await owner.get('/profile/authenticator')
  const [, sealed = ''] = /name="sealed" value="([^"]*)"/.exec(text) ?? []
  const [, secret = ''] = /secret=([A-Z2-7]+)/.exec(text) ?? /<code>([A-Z2-7 ]{32,})<\/code>/.exec(text) ?? []
  const codeIn = (steps: number) =>
    new TOTP({ secret: secret.replaceAll(' ', '') }).generate({ timestamp: Date.now() + steps * 30_000 })
  const arabic = (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
  const spaced = (code: string, between: string) => code.slice(0, 3) + between + code.slice(3)

  const set = await owner.submit('/profile/authenticator', { sealed, code: ` ${spaced(codeIn(0), '\u00a0')} ` })
  expect(set.text).toContain('recovery codes')
  const [, email = ''] = /You sign in as ([^,]+),/.exec((await owner.get('/profile')).text) ?? []
  const visitor = visitorWith(site, '')
  const entered = await visitor.post('/sign-in', { email: `Ada <${email}>`, password: 'correct horse battery staple' })
  expect(entered.headers.get('location')).toContain('/sign-in/code')
  const wrong = await visitor.post('/sign-in/code', { code: arabic('12') })
  expect(wrong.status).toBe(400)
  const right = await visitor.post('/sign-in/code', { code: spaced(arabic(codeIn(1)), '-') })
  expect(right.status).toBe(303)
})
