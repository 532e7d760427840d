/** A first real channel, as people enter it: what belongs together, what a value looks like, and what a provider refuses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileAnswer, outcomeOf } from '../../src/delivery/channels/sms/answer.ts'
import { shippedProviders } from '../../src/delivery/channels/sms/shipped.ts'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const sid = `AC${'0123456789abcdef'.repeat(2)}`
const entry = (changes: Record<string, string>) => {
  const members = { id: 'sms', kind: 'sms', provider: 'twilio', account_sid: sid, auth_token: 'a-token', ...changes }
  return JSON.stringify([members])
}

describe('a Twilio connection', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    ['without a sender', {}, /from: is missing: from or messaging_service is needed/],
    [
      'with an SID that is none',
      { account_sid: 'AC123', from: 'Acme' },
      /account_sid: must begin with AC, and have 34 characters/,
    ],
    ['with a number without its plus', { from: '5005550006' }, /from: must be a number in E\.164 form, with its plus/],
    ['with a name that is too long', { from: 'Acme Incorporated' }, /from: must be a number in E\.164 form/],
    ['with a service that is none', { messaging_service: sid }, /messaging_service: must begin with MG/],
  ])('%s is refused when it is applied, by the command', async (_what, changes, words) => {
    const { exitCode, stderr } = await site.apply(['channels', 'apply'], 'channels.yaml', entry(changes))
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(words)])
  })

  it('without a sender is refused by the dashboard, beside the field', async () => {
    const owner = await site.owner()
    const page = await owner.get('/new-channel?kind=sms&provider=twilio')
    const [, version = ''] = /name="version" value="([^"]*)"/.exec(page.text) ?? []
    const fields = { version, kind: 'sms', id: 'sms', provider: 'twilio', account_sid: 'AC123', auth_token: 'a-token' }
    const { status, text } = await owner.post('/new-channel', fields)
    expect(status).toBe(400)
    expect(text).toContain('from or messaging_service is needed')
    expect(text).toContain('must begin with AC')
  })

  it.each([
    { from: '+15005550006' },
    { from: '22395' },
    { from: 'Acme Shop' },
    { messaging_service: `MG${sid.slice(2)}` },
  ])('with what Twilio gives is taken: %j', async (changes) => {
    const { exitCode, stderr } = await site.apply(['channels', 'apply'], 'channels.yaml', entry(changes))
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })
})

describe('what a provider refuses', () => {
  const twilio = compileAnswer(shippedProviders().find(({ provider }) => provider === 'twilio')!.answer)
  const reasonOf = (status: number, code: number) => {
    const body = Buffer.from(JSON.stringify({ code, status }))
    const outcome = outcomeOf({ kind: 'answer', status, body } as never, twilio, [])
    return 'reason' in outcome ? outcome.reason : outcome.kind
  }

  it.each([
    [401, 20_003, 'the provider refuses the credentials (20003)'],
    [400, 21_606, 'the provider does not let this sender send (21606)'],
    [403, 30_002, 'the account at the provider is suspended (30002)'],
  ])('is told in words, with its number behind: %s, %s', (status, code, reason) => {
    expect(reasonOf(status, code)).toBe(reason)
  })
})
