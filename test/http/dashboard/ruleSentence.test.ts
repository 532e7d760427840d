/** Sending › Protection: each rule as a sentence with fields. */
import fc from 'fast-check'
import { getCountries } from 'libphonenumber-js/max'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readProtectionFile } from '../../../src/domain/protection/protectionFile.ts'
import { type ProtectionRule, ruleList, writtenRule } from '../../../src/domain/protection/rule.ts'
import { standardList } from '../../../src/domain/protection/standardList.ts'
import { fillRuleFields, writeRule } from '../../../src/http/dashboard/pages/protection/ruleFields.ts'
import { blocksOf, pageOf } from '../../support/docs.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

let server: TestServer
let accountId: string
let owner: Visitor
let accounts = 0
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
})
afterAll(() => server.close())
beforeEach(async () => {
  const name = `sentences ${++accounts}`
  await server.app.accounts.create(name)
  accountId = (await server.app.accounts.require(name)).id
  owner = await signIn(server, 'owner', { account: name })
})

const found = () => server.app.protections.find(accountId)
const audit = async () => JSON.stringify(await server.app.listAudit(accountId, { count: 10 }))
const wordsOf = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
const apply = (rules: readonly ProtectionRule[]) =>
  server.app.protections.apply(accountId, { rules: rules.map(writtenRule), fail: 'open', budgets: [] }, 'as it was')

const unescaped = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

/** What a browser sends of the form that posts there. */
function parseFields(text: string, action: string): Record<string, string[]> {
  const [, form = ''] = new RegExp(`<form method="post" action="${action}"[^>]*>(.*?)</form>`, 's').exec(text) ?? []
  const fields: Record<string, string[]> = {}
  for (const [control] of form.matchAll(/<input\b[^>]*>|<select\b.*?<\/select>/gs)) {
    const [, name = ''] = /name="([^"]*)"/.exec(control) ?? []
    if (/type="(checkbox|radio)"/.test(control) && !/ checked/.test(control)) continue
    const [, value = ''] = /value="([^"]*)" selected/.exec(control) ?? /value="([^"]*)"/.exec(control) ?? []
    fields[name] = [...(fields[name] ?? []), unescaped(value)]
  }
  return fields
}

/** Opens the form of a rule, and saves it with these fields in place of its own. */
async function save(id: string, changes: Record<string, string> = {}): Promise<string> {
  const path = `/protection/rules/${id}`
  const fields = parseFields((await owner.get(path)).text, `${path}/sentence`)
  return (await owner.submit(`${path}/sentence`, { ...fields, ...changes })).text
}

const documented = blocksOf('yaml', pageOf('docs/protection.md')).flatMap(
  (text) => readProtectionFile(text).rules ?? [],
)
const odd = ruleList.parse([
  {
    id: 'all',
    by: 'country',
    count: 'unverified',
    window: '90m',
    settles: '1h',
    over: { constant: 0.5, verified: { times: 0.07, per: 3.5, window: '24h' }, max14d: { times: 33.3, per: 2 } },
    when: { conversion_under: 0.295, without_history: '1d', never_verified: true, sends_over: 7 },
    only: { countries: ['HK', 'CI', 'TA', 'GB'] },
    do: 'challenge',
    except: { countries: ['DE'], networks: ['10.0.0.0/8', '2001:db8::/32'], phones: ['+4930*', '+4930123456'] },
  },
  { id: 'kinds', by: 'number_kind', kinds: ['uan', 'voicemail'], record_kinds: ['mobile'], do: 'block' },
  { id: 'network', by: 'network', count: 'countries', window: '1m', over: { constant: 50 }, do: 'record' },
  { id: 'device', by: 'device', count: 'numbers', window: '24h', over: { constant: 0 }, do: 'block' },
])

describe('the form of a rule', () => {
  it.each([
    ['the standard list', standardList],
    ['the guide', documented],
    ['rules with every part', odd],
  ])('saves each rule of %s as it was', async (_name, rules) => {
    expect(rules.length).toBeGreaterThan(0)
    const own = rules.map((rule, index) => ({ ...rule, id: `r${index}` }))
    await apply(own)
    for (const { id } of own) expect(await save(id)).toContain(`${id} was saved.`)
    expect(ruleList.parse((await found()).rules)).toEqual(own)
  })

  it('gives back each number and each country that a rule can have', () => {
    const decimal = fc.tuple(fc.nat(99), fc.nat(9999)).map(([whole, part]) => Number(`${whole}.${part}`))
    const countries = fc.subarray(getCountries(), { minLength: 1 })
    const parts = fc.record({ constant: decimal, times: decimal, conversion: fc.nat(1000), countries })
    fc.assert(
      fc.property(parts, ({ constant, times, conversion, countries: names }) => {
        const over = { constant, verified: times, max14d: { times, per: 6 } }
        const [rule] = ruleList.parse([
          {
            id: 'any',
            by: 'country',
            count: 'sends',
            window: '1h',
            over,
            when: { conversion_under: conversion / 1000 },
            only: { countries: names },
            do: 'block',
          },
        ])
        expect(writeRule(rule!, fillRuleFields(rule!))).toEqual(writtenRule(rule!))
      }),
      { numRuns: 300 },
    )
  })

  it('changes the numbers of a rule, and the audit has who did it', async () => {
    await apply(standardList)
    const said = await save('country-day', { constant: '20', conversion: '40 %', only: 'Germany; fr', window: '12' })
    expect(said).toContain('country-day was saved.')
    const [rule] = (await found()).rules.filter(({ id }) => id === 'country-day')
    expect(rule).toMatchObject({
      ...{ window: '12h', over: { constant: 20, verified: 0.3, max14d: 0.3 } },
      ...{ when: { conversion_under: 0.4, without_history: '7d' }, only: { countries: ['DE', 'FR'] } },
    })
    expect(await audit()).toContain('"changed":["country-day"]')
  })

  it('asks for a reason before the rule refuses sends, and keeps what was entered', async () => {
    await apply(standardList)
    const text = await save('user-day', { do: 'block', constant: '77' })
    expect(text).toContain('These rules would refuse sends from now on: user-day. That needs a reason.')
    expect(text).toContain('name="constant" value="77"')
    expect(await save('user-day', { do: 'block', reason: 'Pumped' })).toContain('user-day refuses sends from now on.')
  })

  it.each([
    [{ constant: '1,000' }, '“More than”: must be a number'],
    [{ conversion: '.5' }, 'The percentage of codes that were verified: must be from 0 to 100'],
    [{ conversion: '101' }, 'The percentage of codes that were verified: must be from 0 to 100'],
    [{ verified: '3e1' }, 'The percentage of the verified codes: must be from 0 to 10000'],
    [{ window: '25' }, 'The time: must be from 1 minute to 24 hours'],
    [{ constant: '' }, '“More than”: is missing'],
    [{ except_countries: 'Atlantis' }, 'The countries excepted, entry 1: must be a two-letter country code'],
  ])('refuses what it cannot read, and changes nothing: %o', async (fields, fault) => {
    await apply(standardList)
    const before = await found()
    expect(unescaped(await save('ip-day', fields))).toContain(fault)
    expect(await found()).toEqual(before)
  })

  it('shows a rule that it has no fields for as YAML, and lets no form change its numbers', async () => {
    const [rule] = ruleList.parse([
      { id: 'tiny', by: 'ip', count: 'sends', window: '1h', over: { constant: 5, verified: 1e-9 }, do: 'record' },
    ])
    await apply([rule!])
    const { text } = await owner.get('/protection/rules/tiny')
    expect(wordsOf(text)).toContain('No form has fields for all that this rule says.')
    expect(text).toContain('verified: 1e-9')
    const { version } = await found()
    const { status } = await owner.post('/protection/rules/tiny/sentence', { version, do: 'block', constant: '1' })
    expect([status, (await found()).version]).toEqual([400, version])
  })
})

describe('an owner', () => {
  it('adds a rule in two steps, and takes it away again', async () => {
    await apply(standardList)
    const path = '/protection/add?by=device&count=sends'
    const fields = parseFields((await owner.get(path)).text, '/protection/add')
    expect(fields.id).toEqual(['device-sends'])
    const { text } = await owner.submit('/protection/add', { ...fields, constant: '4' })
    expect(wordsOf(text)).toContain('Record codes from one device when more than 4 are sent in 1 hour .')
    expect((await owner.submit('/protection/add', fields)).text).toContain('There is a rule device-sends already.')
    const { version } = await found()
    expect((await found()).rules.at(-1)).toMatchObject({ id: 'device-sends', over: { constant: 4 } })
    await owner.post('/protection/rules/device-sends/remove', { version })
    expect((await found()).rules.map(({ id }) => id)).toEqual(standardList.map(({ id }) => id))
  })

  it('is told which two choices do not make a rule', async () => {
    const { text } = await owner.get('/protection/add?by=ip&count=list')
    expect(text).toContain('These two do not go together.')
  })

  it('changes nothing by a form that was opened before another change', async () => {
    await apply(standardList)
    const { version } = await found()
    await save('kind')
    await save('ip-day', { constant: '31' })
    for (const path of ['ip-day/sentence', 'ip-day/remove']) {
      const fields = {
        ...parseFields((await owner.get('/protection/rules/ip-day')).text, '/protection/rules/ip-day/sentence'),
        version,
      }
      expect((await owner.submit(`/protection/rules/${path}`, fields)).text).toContain('Another user changed the rules')
    }
  })
})

it('reads as a sentence on the page, also for a viewer, and names no number that is excepted', async () => {
  await apply([...standardList, ...odd.filter(({ id }) => id === 'all')])
  const words = wordsOf((await owner.get('/protection')).text)
  expect(words).toContain(
    'Record codes to one country when more than 30 in 24 hours were not verified, without codes that are younger than 2 minutes , and the count is above 30 % of those verified in the same time, and the count is above 30 % of those verified on the best of the 14 days before, and fewer than 50 % were verified, which counts only while none was verified 7 days ago or earlier.',
  )
  expect(words).toContain('except to 2 numbers')
  expect(words).not.toContain('30123456')
})
