/** What the wire of Twilio Verify keeps of its callers, and what it repeats of them. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPhone } from '../../support/server.ts'
import { basic, openTwilio, type TwilioStage } from '../../support/twilio.ts'

let stage: TwilioStage
beforeAll(async () => {
  stage = await openTwilio()
})
afterAll(() => stage.close())

it('an answer that is kept for a repeat names its phone to nobody who reads the database', async () => {
  const To = newPhone()
  const ask = () => stage.test.post('/Verifications', { To, Channel: 'sms' }, { 'Idempotency-Key': 'kept' })
  const first = await ask()
  expect(first.body.to).toBe(To)
  const kept = await stage.server.query(sql`select key, body from idempotency where body <> ''`)
  expect(kept.length).toBeGreaterThan(0)
  expect(JSON.stringify(kept)).not.toContain(To.slice(1))
  const again = await ask()
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
})

it('a repeat under a key is answered as the first time, though nothing can be found any more', async () => {
  const To = newPhone()
  await stage.test.post('/Verifications', { To, Channel: 'sms' })
  const check = () => stage.test.post('/VerificationCheck', { To, Code: '000000' }, { 'Idempotency-Key': 'late' })
  const first = await check()
  expect(first.body.status).toBe('approved')
  await stage.server.advance(3600)
  expect((await check()).body).toEqual(first.body)
})

it('what was not found is not found by a repeat either, and its key is for nothing else', async () => {
  const To = newPhone()
  const check = (Code: string) =>
    stage.test.post('/VerificationCheck', { To, Code }, { 'Idempotency-Key': 'nothing-there' })
  expect((await check('000000')).body.code).toBe(20_404)
  await stage.test.post('/Verifications', { To, Channel: 'sms' })
  expect((await check('000000')).body.code).toBe(20_404)
  expect((await check('111111')).body.code).toBe(20_409)
  expect((await stage.test.post('/VerificationCheck', { To, Code: '000000' })).body.status).toBe('approved')
})

it('a name that no contract has is not said back: it may be a code', async () => {
  const { status, body } = await stage.test.post('/Verifications', { '{"Code":"314159"}': '', To: newPhone() })
  expect([status, body.code]).toEqual([400, 60_200])
  expect(JSON.stringify(body)).not.toContain('314159')
})

it.each([
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Site', 'same-site'],
  ['Origin', 'http://evil.example'],
  ['Origin', 'null'],
])('what a browser sends for another page is refused: %s: %s', async (name, value) => {
  const { status, body } = await stage.test.post(
    '/Verifications',
    { To: newPhone(), Channel: 'sms' },
    { [name]: value },
  )
  expect([status, body.code]).toEqual([401, 20_003])
})

it('a good key with the SID of another account is refused, and counts on its rate', async () => {
  const slow = await openTwilio({ testKeyRatePerSecond: 2, testKeyBurst: 2 })
  const authorization = basic(`AC${'0'.repeat(32)}`, await slow.server.key({}))
  const ask = () => fetch(`${slow.root}/Verifications/VE${'0'.repeat(32)}`, { headers: { authorization } })
  const statuses = (await Promise.all(Array.from({ length: 6 }, ask))).map(({ status }) => status)
  await slow.close()
  expect(statuses).toContain(401)
  expect(statuses).toContain(429)
})
