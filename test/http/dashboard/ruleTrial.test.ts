/** Sending › Protection › Try rules: whom a list of rules would have stopped. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeProtectionFile } from '../../../src/domain/protection/protectionFile.ts'
import { createTryRules } from '../../../src/domain/protection/replay/trial.ts'
import { writtenRule } from '../../../src/domain/protection/rule.ts'
import { standardList } from '../../../src/domain/protection/standardList.ts'
import type { Refusal } from '../../../src/kit/refusal.ts'
import { insertCodes } from '../../support/sentCodes.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { signIn } from '../../support/visitor.ts'

let server: TestServer
let accountId: string
const minuteMs = 60_000
const rule = `- id: block-hour
  by: prefix
  count: unverified
  window: 1h
  over: { constant: 5 }
  do: record
`

beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  await server.app.accounts.create('pumped')
  accountId = (await server.app.accounts.require('pumped')).id
  const from = server.runtime.now().getTime() - 60 * minuteMs
  const price = { amount: '0.075', currency: 'EUR' }
  const codes = Array.from({ length: 20 }, (_, index) => ({
    ...{ at: from + index * minuteMs, phone: `+4915112340${100 + index}`, country: 'DE', price },
    ...(index === 19 && { verifiedAfter: 30_000 }),
  }))
  await insertCodes(server.database!.sql, accountId, codes)
})
afterAll(() => server.close())

const fields = { rules: rule, since: '24h', block: 'yes' }
const as = (role: 'developer' | 'owner') => signIn(server, role, { account: 'pumped' })
const wordsOf = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

describe('a trial of rules in the dashboard', () => {
  it('says of each rule what it would have stopped, who of them was real, and what the rest cost', async () => {
    const developer = await as('developer')
    const { status, text } = await developer.post('/protection/try', fields)
    expect(status).toBe(200)
    const words = wordsOf(text)
    expect(words).toContain('These rules would have stopped 15 (75.0 %). Verified later, so people: 1 .')
    expect(words).toMatch(/ block-hour block 15 1 1\.05 EUR 14 messages \d+ Nov, \d\d:00 UTC \d+ Nov, \d\d:00 UTC \d+ /)
  })

  it('shows ten of the messages, with masked phones, and leads to each', async () => {
    const { text } = await (await as('owner')).post('/protection/try', fields)
    const shown = [...text.matchAll(/<a href="\/messages\/(req_\w+)"><span class="phone-number">([^<]+)</g)]
    expect(shown).toHaveLength(10)
    expect(shown.map(([, , phone]) => phone)).toContain('+4915•••••••19')
    expect(text).not.toContain('+49151123401')
  })

  it('tries the list as it is, when it is not told to block', async () => {
    const { text } = await (await as('developer')).post('/protection/try', { rules: rule, since: '24h' })
    expect(wordsOf(text)).toContain('These rules would have stopped 0 (0.0 %)')
    expect(wordsOf(text)).toContain(' block-hour record 15 ')
  })

  it('names what is wrong in the rules with its line, and keeps what was typed', async () => {
    const broken = rule.replace('1h', '1y').replace('do: record', 'do: <b>shout</b>')
    const { status, text } = await (await as('developer')).post('/protection/try', { ...fields, rules: broken })
    expect(status).toBe(400)
    expect(wordsOf(text)).toContain('Line 4: entry 1, window must be a length of time from 1m to 24h')
    expect(wordsOf(text)).toContain('Line 6: entry 1, do must be record, challenge or block')
    expect(text).toContain('do: &#60;b&#62;shout&#60;/b&#62;')
  })

  it('begins with the list of rules that is in force', async () => {
    const standard = { rules: standardList.map(writtenRule), fail: 'open', budgets: [] } as const
    const { text } = await (await as('developer')).get('/protection/try')
    expect(text).toContain(writeProtectionFile(standard).split('\n')[0])
    expect(text).toContain('id: user-day')
  })

  it('sees no code of another account', async () => {
    const { text } = await (await signIn(server, 'owner')).post('/protection/try', fields)
    expect(wordsOf(text)).toContain('0 codes sent from')
  })
})

describe('beside the work of the process, a trial', () => {
  const actor = { kind: 'operator', name: 'a test' } as const
  const input = { rules: standardList, since: 86_400, isBlocking: true }
  const textOf = (tried: Promise<unknown>) => tried.catch((error: Refusal) => error.message)

  const tryAtOnce = (ids: readonly string[]) => Promise.all(ids.map((id) => textOf(server.app.tryRules(id, input))))

  it('is one at a time for an account, and another of it is told to come again', async () => {
    const tried = await tryAtOnce([accountId, accountId, 'another'])
    expect(tried.map((one) => typeof one)).toEqual(['object', 'string', 'object'])
    expect(tried[1]).toBe('Another trial of rules is running for this account. Try again in half a minute.')
    expect(await server.app.tryRules(accountId, input)).toMatchObject({ codes: 20 })
  })

  it('is one of three in a process, and a fourth account is told to come again', async () => {
    const tried = await tryAtOnce(['first', 'second', 'third', accountId])
    expect(tried.map((one) => typeof one)).toEqual(['object', 'object', 'object', 'string'])
    expect(tried[3]).toBe('The service has enough trials of other accounts to do now. Try again in half a minute.')
    expect(await server.app.tryRules(accountId, input)).toMatchObject({ codes: 20 })
  })

  it('ends when it takes too long, and the next one can begin', async () => {
    const parts = { replays: server.app.admin.replays, runtime: server.runtime }
    const tryRules = createTryRules(parts, -1)
    expect(await textOf(tryRules(actor, accountId, input))).toContain('too much for a page')
    expect(await textOf(tryRules(actor, accountId, input))).toContain('too much for a page')
  })

  it('lets the process do its other work again and again', async () => {
    const at = server.runtime.now().getTime() - 30 * minuteMs
    await server.app.accounts.create('large')
    const { id } = await server.app.accounts.require('large')
    await insertCodes(
      server.database!.sql,
      id,
      Array.from({ length: 3000 }, (_, index) => ({ at: at + index, phone: `+491511${2_000_000 + index}` })),
    )
    let turns = 0
    const other = setInterval(() => turns++, 0)
    expect(await server.app.tryRules(id, input)).toMatchObject({ codes: 3000 })
    clearInterval(other)
    expect(turns).toBeGreaterThan(8)
  })
})
