/** Sending › Protection: what the rules found, and changing them. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

let server: TestServer
let accountId: string
let name: string
let owner: Visitor
let accounts = 0
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
})
afterAll(() => server.close())
beforeEach(async () => {
  name = `rules ${++accounts}`
  await server.app.accounts.create(name)
  accountId = (await server.app.accounts.require(name)).id
  owner = await signIn(server, 'owner', { account: name })
})

const wordsOf = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
const rulesNow = async () => (await server.app.protections.find(accountId)).rules
const actOf = async (id: string) => (await rulesNow()).find((rule) => rule.id === id)?.do
const versionNow = async () => (await server.app.protections.find(accountId)).version
const audit = async () => JSON.stringify(await server.app.listAudit(accountId, { count: 10 }))

async function found(rule: string, did: string, sends: number, phones: string[] = [], hoursAgo = 0): Promise<void> {
  const hour = new Date(Math.floor(server.runtime.now().getTime() / 3_600_000 - hoursAgo) * 3_600_000).toISOString()
  await server.query(sql`insert into protection_finding (account_id, mode, hour, rule, did, part, sends, phones)
    values (${accountId}, 'live', ${hour}, ${rule}, ${did}, ${sends % 10}, ${sends}, ${`{${phones.join(',')}}`}::text[])`)
}

describe('what the rules found', () => {
  it('is shown by hour for a day and by rule for 14 days, and what is older is not', async () => {
    await found('prefix-hour', 'record', 7)
    await found('prefix-hour', 'record', 5, [], 2)
    await found('sequence', 'block', 3, [], 2)
    await found('sequence', 'block', 900, [], 25)
    await found('sequence', 'block', 5000, [], 15 * 24)
    const { text } = await owner.get('/protection')
    expect(text).toMatch(/<title>[^<]+: 7 recorded, 0 challenged, 0 blocked<\/title>/)
    expect(text).toMatch(/<title>[^<]+: 5 recorded, 0 challenged, 3 blocked<\/title>/)
    expect(wordsOf(text)).toMatch(
      / prefix-hour Record codes to one block of numbers when more than 30 in 1 hour were not verified, and fewer than 20 % were verified\. 12 sends in 14 days; most on \d+ \w+ \d+: \d+ 12 12 record /,
    )
    expect(wordsOf(text)).toMatch(
      / sequence Record codes to one block of numbers when they go to more than 3 numbers in 10 minutes , that are at most 20 apart\. 903 sends in 14 days; most on \d+ \w+ \d+: 90\d 903 3 record /,
    )
  })

  it('names the numbers that were stopped, masked, with every rule that stopped them', async () => {
    await found('sequence', 'block', 2, ['+4915112345678', '+4915112345679'])
    await found('prefix-hour', 'block', 1, ['+4915112345679'])
    const developer = await signIn(server, 'developer', { account: name })
    for (const who of [owner, developer, await signIn(server, 'viewer', { account: name })]) {
      const words = wordsOf((await who.get('/protection')).text)
      expect(words).toMatch(/ \+4915•+79 prefix-hour , sequence /)
      expect(words).toMatch(/ \+4915•+78 sequence /)
    }
    expect((await developer.get('/protection')).text).not.toContain('+4915112345678')
  })
})

describe('an owner', () => {
  it('has a rule refuse sends only with a reason, which the audit keeps', async () => {
    const fields = { do: 'block', version: await versionNow() }
    const without = await owner.post('/protection/rules/prefix-hour', fields)
    expect(without.status).toBe(400)
    expect(without.text).toContain('These rules would refuse sends from now on: prefix-hour. That needs a reason.')
    expect(without.text).not.toContain('--reason')
    expect(await actOf('prefix-hour')).toBe('record')
    const { text } = await owner.submit('/protection/rules/prefix-hour', { ...fields, reason: 'Pumped last night' })
    expect(text).toContain('prefix-hour refuses sends from now on.')
    expect(await actOf('prefix-hour')).toBe('block')
    expect(await audit()).toContain('Pumped last night')
  })

  it('has a rule only record again, without a reason', async () => {
    await owner.post('/protection/rules/kind', { do: 'block', version: await versionNow(), reason: 'x' })
    await owner.post('/protection/rules/kind', { do: 'record', version: await versionNow() })
    expect(await actOf('kind')).toBe('record')
  })

  it('edits the whole list as YAML, and each fault is named with its line', async () => {
    const before = await owner.get('/protection/rules')
    expect(before.text).toContain('- id: kind')
    const good = '- id: mine\n  by: country\n  allow: [DE, FR]\n  do: record\n'
    const version = await versionNow()
    const bad = await owner.post('/protection/rules', { rules: good.replace('FR', 'XX'), version })
    expect(bad.status).toBe(400)
    expect(wordsOf(bad.text)).toContain('Line 3: entry 1, allow, entry 2 must be a two-letter country code')
    expect(bad.text).toContain('allow: [DE, XX]')
    const { text } = await owner.submit('/protection/rules', { rules: good, version })
    expect(text).toContain('The list has 1 rules now.')
    expect((await rulesNow()).map(({ id }) => id)).toEqual(['mine'])
  })

  it('says which budgets an edit of the whole list took away, and that a list has no rules', async () => {
    const edit = async (rules: string) =>
      (await owner.submit('/protection/rules', { rules, version: await versionNow() })).text
    await edit('rules: []\nbudgets:\n  - { id: all, messages: 9000 }\n  - { id: dach, messages: 5000 }\n')
    const text = await edit('[]')
    expect(text).toContain('The list has no rules: no send is checked. Budgets removed: all, dach.')
    expect(await edit('- { id: mine, by: country, allow: [DE], do: record }')).not.toContain('Budgets removed')
  })

  it('loses nothing of a list that took longer to write than a proof counts', async () => {
    const [rules, version] = ['- id: mine\n  by: country\n  allow: [DE]\n  do: record\n', await versionNow()]
    await server.advance(601)
    const { status, text } = await owner.post('/protection/rules', { rules, version })
    expect(status).toBe(403)
    expect(text).toContain('- id: mine\n')
    expect(text).toContain('<a href="/proof" target="_blank">')
    expect((await rulesNow()).map(({ id }) => id)).not.toContain('mine')
  })

  it('changes nothing when another user changed the list in the meantime', async () => {
    const version = await versionNow()
    await owner.post('/protection/rules/kind', { do: 'block', version, reason: 'first' })
    const tried = await Promise.all([
      owner.post('/protection/rules/sequence', { do: 'block', version, reason: 'second' }),
      owner.post('/protection/rules', { rules: '[]', version }),
      owner.submit('/protection/pass', { phone: '+4930123456', version }),
      owner.submit('/protection/reset', { version }),
    ])
    for (const { text } of tried) expect(text).toContain('Another user changed the rules')
    expect([await actOf('kind'), await actOf('sequence')]).toEqual(['block', 'record'])
  })

  it('goes back to the standard list, which the audit has', async () => {
    const button = 'Back to the standard list</button>'
    expect((await owner.get('/protection')).text).not.toContain(button)
    await owner.post('/protection/rules', { rules: '[]', version: await versionNow() })
    expect((await owner.get('/protection')).text).toContain(button)
    const version = await versionNow()
    const { text } = await owner.submit('/protection/reset', { version })
    expect(text).toContain('The standard list is in force again.')
    expect(text).toContain('This is the standard list, which only records.')
    expect(await audit()).toContain('"standard":true')
    expect((await owner.submit('/protection/reset', { version })).text).toContain('was in force already')
  })

  it('lets a number pass the rules that refuse sends, and the audit has it nowhere', async () => {
    await owner.post('/protection/rules/sequence', { do: 'block', version: await versionNow(), reason: 'x' })
    const { text } = await owner.submit('/protection/pass', { phone: '0049 30 123456', version: await versionNow() })
    expect(text).toContain('+4930••••56 passes the rules that refuse sends.')
    const excepted = (await rulesNow()).filter((rule) => rule.except?.phones?.includes('+4930123456'))
    expect(excepted.map(({ id }) => id)).toEqual(['sequence'])
    expect(await audit()).not.toContain('30123456')
  })

  it('is told that every number passes while no rule refuses any, and what is no number', async () => {
    const version = await versionNow()
    const { text } = await owner.submit('/protection/pass', { phone: '+4930123456', version })
    expect(text).toContain('No rule refuses anything: every number passes.')
    expect((await owner.submit('/protection/pass', { phone: 'me', version })).text).toContain(
      'Cannot read this as a phone number',
    )
  })
})

it('a developer and a viewer see the rules, and no way to change them', async () => {
  for (const role of ['developer', 'viewer'] as const) {
    const who = await signIn(server, role, { account: name })
    const { text } = await who.get('/protection')
    expect(text).toContain('<code>sequence</code>')
    expect(text).not.toContain('/protection/rules')
    expect(text).not.toContain('/protection/pass')
    expect(text).not.toContain('/protection/reset')
    expect((await who.post('/protection/rules/kind', { do: 'block', reason: 'x' })).status).toBe(403)
    expect((await who.post('/protection/reset')).status).toBe(403)
  }
})
