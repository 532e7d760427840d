/** What programs that are written for Twilio Verify do as their quick starts do it, and the brand and cooldown of an account. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noPhones, pastedPhones } from './phones.ts'
import { type Api, openSite, type Site } from './site.ts'

let site: Site
let [live, test]: [Api, Api] = [] as never
let sids: { account_sid: string; service_sid: string }
beforeAll(async () => {
  site = await openSite({ TWILIO_VERIFY: 'on' })
  ;[live, test] = [await site.api('live'), await site.api('test')]
  sids = JSON.parse((await site.cli('twilio', 'show', '--json')).stdout)
  await site.apply(
    ['inlets', 'apply'],
    'inlets.yaml',
    '- { id: own, kind: plain, mode: test, secret: the-secret-of-this-inlet }',
  )
})
afterAll(() => site?.close())

async function ask(path: string, form: Record<string, string> | undefined, api = test) {
  const authorization = `Basic ${Buffer.from(`${sids.account_sid}:${api.key}`).toString('base64')}`
  const body = form && new URLSearchParams(form)
  const init = { method: form ? 'POST' : 'GET', headers: { authorization }, ...(body && { body }) }
  const response = await fetch(`${site.url}/v2/Services/${sids.service_sid}${path}`, init)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

let count = 0
const newPhone = () => `+1415556${2000 + count++}`

describe('a phone in the form of a program for Twilio', () => {
  it.each(pastedPhones)('%s, gets its code, and the code is checked: %j', async (_what, To, phone) => {
    expect(await ask('/Verifications', { To, Channel: 'sms' })).toMatchObject({ status: 201, body: { to: phone } })
    const checked = await ask('/VerificationCheck', { To, Code: '000000' })
    expect(checked).toMatchObject({ status: 200, body: { status: 'approved', to: phone } })
  })

  it.each(noPhones)('%s, is refused, and told what is wrong: %j', async (_what, To, fault) => {
    const { status, body } = await ask('/Verifications', { To, Channel: 'sms' })
    expect([status, body.code]).toEqual([400, 60_200])
    expect(body.message).toContain(`it ${fault}`)
  })
})

describe('a code in the form of a program for Twilio', () => {
  it.each(['000-000', '000 000', ' 000000\n', '٠٠٠٠٠٠', '００００００', '\u202a000000\u202c'])(
    '%j, is read as people type it',
    async (Code) => {
      const To = newPhone()
      await ask('/Verifications', { To, Channel: 'sms' })
      expect(await ask('/VerificationCheck', { To, Code })).toMatchObject({ status: 200, body: { status: 'approved' } })
    },
  )

  it.each(['12', 'abcdef', '000000?', '', `0${' '.repeat(100)}00000`])('%j, is refused: it is none', async (Code) => {
    const { status, body } = await ask('/VerificationCheck', { To: newPhone(), Code })
    expect([status, body.code, body.message]).toEqual([
      400,
      60_200,
      expect.stringContaining('Code must be 4 to 10 digits'),
    ])
  })
})

describe('the rate limits of a program for Twilio', () => {
  const send = (RateLimits: string) => ask('/Verifications', { To: newPhone(), Channel: 'sms', RateLimits })

  it('with the address of the person are taken, and an address that is none is refused', async () => {
    expect((await send('{"end_user_ip_address":"203.0.113.7"}')).status).toBe(201)
    expect((await send('{"end_user_ip_address":"203.0.113.7","user_id":"7"}')).status).toBe(201)
    expect((await send('{"end_user_ip_address":"somewhere"}')).status).toBe(400)
  })

  it.each([
    ['{"end_user_session":"x"}', 'end_user_session'],
    ['[1]', 'JSON object'],
    ['{', 'JSON object'],
    ['{"user_id":7}', '1 to 128 characters'],
  ])('that nothing here goes by are refused by their names: %s', async (limits, words) => {
    const { status, body } = await send(limits)
    expect([status, body.message]).toEqual([400, expect.stringContaining(words)])
  })
})

describe('the service of a program for Twilio', () => {
  it('is there, with the brand of the account as its friendly name', async () => {
    const before = await ask('', undefined)
    expect(before).toMatchObject({
      status: 200,
      body: { sid: sids.service_sid, friendly_name: 'default', code_length: 6 },
    })
    await site.cli('accounts', 'brand', 'Acme')
    expect((await ask('', undefined)).body.friendly_name).toBe('Acme')
  })
})

describe('the brand of an account', () => {
  it('is in a code whose request names none, by every door', async () => {
    await site.cli('accounts', 'brand', 'Bob’s')
    const [api, twilio, inlet, own] = [newPhone(), newPhone(), newPhone(), newPhone()]
    const texts = (phone: string) => expect.poll(() => site.texts(phone))
    await test.post('/v1/verify/send', { phone: api })
    await ask('/Verifications', { To: twilio, Channel: 'sms' })
    const headers = { authorization: 'Bearer the-secret-of-this-inlet', 'content-type': 'application/json' }
    const body = JSON.stringify({ phone: inlet, code: '000000' })
    await fetch(`${site.url}/inlets/acct_default/own`, { method: 'POST', headers, body })
    await test.post('/v1/verify/send', { phone: own, brand_name: 'Other' })
    for (const phone of [api, twilio, inlet]) await texts(phone).toEqual(["Your Bob's code is 000000"])
    await texts(own).toEqual(['Your Other code is 000000'])
  })

  it('is set in the dashboard too, and taken away', async () => {
    const owner = await site.owner()
    expect((await owner.submit('/wording-brand', { brand: 'Ada & Co' })).text).toContain('Saved')
    expect(JSON.parse((await site.cli('accounts', 'list', '--json')).stdout)[0]).toMatchObject({ brand: 'Ada & Co' })
    expect((await owner.submit('/wording-brand', { brand: 'see evil.com' })).text).toContain(
      'nothing that reads as a URL',
    )
    await site.cli('accounts', 'brand')
    const phone = newPhone()
    await test.post('/v1/verify/send', { phone })
    await expect.poll(() => site.texts(phone)).toEqual(['Your code is 000000'])
  })

  it.each(['see evil.com', '', '12345', 'x'.repeat(31)])('is none of these: %j', async (brand) => {
    const { exitCode, stderr } = await site.cli('accounts', 'brand', brand)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('A brand is 1 to 30')])
  })
})

describe('the time between two codes to one phone', () => {
  it('is a minute, and what the account sets, by every door', async () => {
    const seconds = async () => {
      const phone = newPhone()
      await live.post('/v1/verify/send', { phone })
      const again = await live.post('/v1/verify/send', { phone })
      const twilio = await ask('/Verifications', { To: phone, Channel: 'sms' }, live)
      expect([again.body.data.code, twilio.body.code]).toEqual(['resend_cooldown', 60_203])
      return again.body.data.retry_after as number
    }
    expect(await seconds()).toBeGreaterThan(50)
    expect((await site.cli('accounts', 'cooldown', '30s')).stdout).toContain('30 s between two codes')
    expect(await seconds()).toBeLessThanOrEqual(30)
    expect(JSON.parse((await site.cli('accounts', 'cooldown', '10m', '--json')).stdout).cooldown_seconds).toBe(600)
    expect(await seconds()).toBeGreaterThan(500)
    await site.cli('accounts', 'cooldown')
    expect(await seconds()).toBeLessThanOrEqual(60)
  })

  it.each(['29s', '11m'])('is not %s', async (length) => {
    const { exitCode, stderr } = await site.cli('accounts', 'cooldown', length)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('from 30 to 600 seconds')])
  })
})
