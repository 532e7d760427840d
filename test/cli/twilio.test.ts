/** What an operator is shown for a program that is written for Twilio Verify. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountSidOf, serviceSidOf } from '../../src/domain/twilioSid.ts'
import { jsonOf, type Result, refusalOf, run } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const cli = (...args: string[]): Promise<Result> => run({ DATABASE_URL: database.settings.url }, args)

it('the SIDs of an account are shown, with the good keys of which one is the auth token', async () => {
  const { id } = jsonOf<{ id: string }>(await cli('accounts', 'create', 'Shop', '--json'))
  const make = async (name: string, mode: string) =>
    jsonOf<{ id: string; key: string }>(
      await cli('keys', 'create', '--name', name, '--mode', mode, '--account', 'Shop', '--json'),
    )
  const { key, ...live } = await make('login', 'live')
  await cli('keys', 'revoke', (await make('old', 'test')).id)
  const shown = await cli('twilio', 'show', '--account', 'shop', '--json')
  expect(jsonOf(shown)).toEqual({
    ...{ account: 'Shop', account_sid: accountSidOf(id), service_sid: serviceSidOf(id) },
    ...{ base_url: null, enabled: false },
    keys: [{ id: live.id, name: 'login', mode: 'live', hint: expect.stringMatching(/^ww_live_.{4}…$/) }],
  })
  const { stdout } = await cli('twilio', 'show', '--account', 'Shop')
  expect(stdout).toContain(accountSidOf(id))
  expect(stdout).toContain('TWILIO_VERIFY is off here')
  expect(stdout).not.toContain(key)
  expect(refusalOf(await cli('twilio', 'show', '--account', 'Nobody'))).toContain('Nobody')
})
