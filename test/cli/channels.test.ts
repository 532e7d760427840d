// biome-ignore-all lint/suspicious/noTemplateCurlyInString: places as they are written in files
/** What an operator does with the channels of an account. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonOf, moment, type Result, refusalOf, run } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { type Provider, startProvider } from '../support/provider.ts'

const token = 'EAAG-the-token-of-this-operator'
const secrets = {
  WATCHWORD_SECRET: 'a secret of the channels test that is long enough',
  WHATSAPP_TOKEN: token,
  APP_SECRET: 'the-app-secret-of-this-operator',
  TELEGRAM_TOKEN: 'AAH_the_token_of_this_operator',
}

let database: TestDatabase
let folder: string
let provider: Provider
beforeAll(async () => {
  database = await createDatabase()
  folder = await mkdtemp(join(tmpdir(), 'watchword-channels-'))
  provider = await startProvider({ status: 200 })
})
afterAll(async () => {
  await provider.close()
  await rm(folder, { recursive: true })
  await database.drop()
})

function cli(...args: string[]): Promise<Result> {
  return run({ DATABASE_URL: database.settings.url, ...secrets }, ['channels', ...args])
}

async function write(text: string): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.yaml`)
  await writeFile(file, text)
  return file
}

let accounts = 0

/** @returns its name */
async function newAccount(): Promise<string> {
  accounts += 1
  const name = `account ${accounts}`
  await run({ DATABASE_URL: database.settings.url }, ['accounts', 'create', name])
  return name
}

/** A message of a live key that waits. @param more about what it waits for */
async function giveWaiting(accountId: string, more: { route: string[]; leg?: number; mode?: string }): Promise<void> {
  const { route, leg = 1, mode = 'live' } = more
  await database.sql`insert into message
      (account_id, id, mode, kind, phone, route, leg, status, status_at, content, timeline, created_at)
    values (${accountId}, ${crypto.randomUUID()}, ${mode}, 'notification', '+14155550100', ${route}, ${leg}, 'queued', now(),
      'sealed', '[]', now())`
}

const whatsapp = `
- id: wa-eu
  kind: whatsapp
  phone_number_id: "106540352242922"
  business_account_id: "102290129340398"
  access_token: \${WHATSAPP_TOKEN}
  app_secret: ["\${APP_SECRET}", "\${APP_SECRET}-old"]
  verify_token: a-verify-token
  code_template: { name: auth_copy_code, language: en_US }
  countries: [DE, FR]
  failover_seconds: 30`
const telegram = `
- id: tg
  kind: telegram
  access_token: \${TELEGRAM_TOKEN}`

/** Every value of the table, bytes as hex and as text. */
async function dump(): Promise<string> {
  const rows = await database.sql`select c::text as row, encode(sealed, 'escape') as sealed from connection c`
  return JSON.stringify(rows)
}

it('a sandbox beside other channels is listed as for test keys only', async () => {
  const account = await newAccount()
  await cli('apply', await write(`${telegram}\n- id: box\n  kind: sandbox`), '--account', account)
  const list = async (...more: string[]) => cli('list', '--account', account, ...more)
  expect(jsonOf(await list('--json'))).toMatchObject([{ id: 'tg' }, { id: 'box', for_test_keys_only: true }])
  expect((await list()).stdout).toMatch(/^box .* for test keys only$/m)
})

describe('the channels of a file', () => {
  it('become those of the account, with what is secret from the environment, which is shown nowhere', async () => {
    const account = await newAccount()
    expect(jsonOf(await cli('list', '--account', account, '--json'))).toEqual([
      { id: 'sandbox', kind: 'sandbox', countries: null, failover_seconds: null, state: 'up' },
    ])
    const file = await write(`${whatsapp}${telegram}`)
    const applied = await cli('apply', file, '--account', account, '--json')
    const ids = ['wa-eu', 'tg']
    expect(jsonOf(applied)).toEqual({ account, applied: ids, changed: ids, removed: ['sandbox'] })
    const again = await cli('apply', file, '--account', account)
    expect(again).toEqual({
      exitCode: 0,
      stdout: 'Applied: wa-eu, tg. New or changed: none. Removed: none.\n',
      stderr: '',
    })
    const [list, table] = await Promise.all([
      cli('list', '--account', account, '--json'),
      cli('list', '--account', account),
    ])
    const url = expect.stringMatching(/\/providers\/acct_[0-9A-Z]+\/wa-eu$/)
    expect(jsonOf(list)).toEqual([
      {
        id: 'wa-eu',
        kind: 'whatsapp',
        countries: ['DE', 'FR'],
        failover_seconds: 30,
        state: 'up',
        report_url: url,
      },
      { id: 'tg', kind: 'telegram', countries: null, failover_seconds: null, state: 'up' },
    ])
    expect(table.stdout).toMatch(/^wa-eu +whatsapp +DE FR +30 +up$/m)
    expect(table.stdout).toMatch(/^tg +telegram +all +- +up$/m)
    const stored = await dump()
    expect(stored).toContain('106540352242922')
    const shown = [stored, applied.stdout, again.stdout, list.stdout, table.stdout].join()
    for (const secret of [token, secrets.APP_SECRET, secrets.TELEGRAM_TOKEN, 'a-verify-token']) {
      expect(shown).not.toContain(secret)
      expect(shown).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })

  it('say which of them a person had entered in the dashboard, the first time that they are applied', async () => {
    const account = await newAccount()
    const file = await write(telegram)
    const apply = () => cli('apply', file, '--account', account)
    await apply()
    await database.sql`update connection set by_person = true
      where account_id = (select id from account where name = ${account})`
    expect((await apply()).stderr).toMatch(/^Warning: connections that a person had entered .* are yours now \(tg\)\. /)
    expect((await apply()).stderr).toBe('')
  })

  it('are replaced with a word on the messages that wait for one that is gone, and have no other left', async () => {
    const account = await newAccount()
    await cli('apply', await write(`${whatsapp}${telegram}`), '--account', account)
    const [row] = await database.sql<{ id: string }[]>`select id from account where name = ${account}`
    const accountId = row!.id
    for (let count = 0; count < 2; count++) await giveWaiting(accountId, { route: ['tg', 'wa-eu'], leg: 2 })
    await giveWaiting(accountId, { route: ['wa-eu', 'tg'] })
    await giveWaiting(accountId, { route: ['sandbox'], mode: 'test' })
    const renamed = await write(`${whatsapp.replace('id: wa-eu', 'id: wa')}${telegram}`)
    const { exitCode, stdout, stderr } = await cli('apply', renamed, '--account', account)
    expect([exitCode, stdout]).toEqual([0, 'Applied: wa, tg. New or changed: wa. Removed: wa-eu.\n'])
    expect(stderr).toMatch(/^Warning: messages that wait for a channel that is gone, and have no other left: 2\. /)
  })

  it('change nothing when anything is wrong; all of it is named at once, and no value', async () => {
    const account = await newAccount()
    await cli('apply', await write(telegram), '--account', account)
    const before = await dump()
    const wrong = await write(`
- { id: wa-eu, kind: whatsapp, access_token: "\${NOBODY_SET_THIS}", app_secret: "\${", colour: "${token}" }
- { id: tg, kind: telegram, access_token: [ "\${WHATSAPP_TOKEN}" ], countries: [ "\${WHATSAPP_TOKEN}" ] }
- { id: tg, kind: "\${WHATSAPP_TOKEN}" }
- { id: "\${EMPTY}", kind: telegram, access_token: "\${WHATSAPP_TOKEN}" }`)
    const said = refusalOf(
      await run({ DATABASE_URL: database.settings.url, ...secrets, EMPTY: '' }, [
        'channels',
        'apply',
        wrong,
        '--account',
        account,
      ]),
    )
    expect(said.replaceAll(`${wrong}:`, '').split('\n')).toEqual(
      expect.arrayContaining([
        '2: entry 1, access_token: NOBODY_SET_THIS is not set in the environment',
        expect.stringMatching(/^2: entry 1, app_secret: there is a "\$\{" without a name/),
        expect.stringMatching(/^2: entry 1, phone_number_id: /),
        '2: entry 1, colour: is not known',
        expect.stringMatching(/^3: entry 2, access_token: /),
        '3: entry 2, countries, entry 1: must be a two-letter country code (ISO 3166-1)',
        expect.stringMatching(/^4: entry 3, kind: must be one of .*telegram/),
        '4: entry 3, id: is there twice',
        '5: entry 4, id: EMPTY is not set in the environment',
      ]),
    )
    expect(said).not.toContain(token)
    expect(said).not.toMatch(/ 0\.access_token: (?!NOBODY)/)
    expect(await dump()).toBe(before)
    const nobody = refusalOf(await cli('apply', await write(telegram), '--account', 'Nobody'))
    expect(nobody).toBe('There is no account "Nobody".')
    const refusals = ['id: tg', 'null', ''].map(async (text) => refusalOf(await cli('apply', await write(text))))
    const [one, none, empty] = await Promise.all(refusals)
    for (const refused of [one, none]) expect(refused).toMatch(/must be a list of channels\.$/)
    expect(empty).toMatch(/: the file is empty$/)
  })

  it('are not taken where the secret of the service is not known, and what to do is said', async () => {
    const file = await write('[]')
    const refused = await run({ DATABASE_URL: database.settings.url, DATA_DIR: folder }, ['channels', 'apply', file])
    expect(refusalOf(refused)).toContain('set WATCHWORD_SECRET to the same value as the service.')
    expect(await readdir(folder)).not.toContain('secret')
  })

  it('are applied under another secret than before with a warning, and an empty list too', async () => {
    const account = await newAccount()
    const file = await write(telegram)
    const apply = (WATCHWORD_SECRET: string, file: string) =>
      run({ DATABASE_URL: database.settings.url, ...secrets, WATCHWORD_SECRET, SECRETS_MISSING: 'accept' }, [
        ...['channels', 'apply', file, '--account', account],
      ])
    expect(await apply('a'.repeat(40), file)).toMatchObject({ exitCode: 0, stderr: '' })
    const foreign = await apply('b'.repeat(40), file)
    expect(foreign).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('(tg) do not open with the WATCHWORD_SECRET'),
    })
    const empty = await apply('b'.repeat(40), await write('[]'))
    expect(empty).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('403 no_channel') })
  })

  it('are sealed under the secret in the data folder where nothing else is set', async () => {
    const dataDir = join(folder, 'data')
    const environment = { DATA_DIR: dataDir, TELEGRAM_TOKEN: secrets.TELEGRAM_TOKEN }
    provider.behave({ status: 200, body: '{"ok":false,"error":"REQUEST_ID_INVALID"}' })
    const file = await write(`${telegram}\n  base_url: ${provider.url}`)
    expect(jsonOf(await run(environment, ['channels', 'apply', file, '--json']))).toMatchObject({ applied: ['tg'] })
    expect(await readdir(dataDir)).toContain('secret')
    const [checked] = jsonOf<unknown[]>(await run(environment, ['channels', 'check', '--json']))
    expect(checked).toMatchObject({ id: 'tg', findings: [{ level: 'good' }, { level: 'warning' }] })
  })
})

describe('a channel that rests', () => {
  it('is listed with the time until then, and the reason', async () => {
    const account = await newAccount()
    const until = new Date(Date.now() + 60_000)
    await database.sql`update connection set rests_until = ${until}, rest_reason = ${'token \u001b[2Jrefused'}
      where account_id = (select id from account where name = ${account})`
    const [list, table] = await Promise.all([
      cli('list', '--account', account, '--json'),
      cli('list', '--account', account),
    ])
    expect(jsonOf(list)).toMatchObject([{ state: 'resting', rests_until: moment, reason: 'token \u001b[2Jrefused' }])
    expect(table.stdout).toContain(`resting until ${until.toISOString()}: token \\u001b[2Jrefused\n`)
  })
})

describe('the check of channels', () => {
  it('asks each provider, and ends with exit code 1 when something that is configured is not good', async () => {
    const account = await newAccount()
    const base = `\n  base_url: ${provider.url}`
    const file = await write(`${telegram}${base}\n- { id: sandbox, kind: sandbox }`)
    await cli('apply', file, '--account', account)
    provider.asked.splice(0)
    provider.behave({ status: 200, body: '{"ok":false,"error":"REQUEST_ID_INVALID"}' })
    const good = await cli('check', '--account', account)
    expect(good).toMatchObject({ exitCode: 0, stderr: '' })
    expect(good.stdout).toMatch(
      /^tg \(telegram\)\n {2}good {5}token taken\n {2}warning {2}PUBLIC_URL .*\nsandbox \(sandbox\)\n {2}good /,
    )
    expect(provider.asked.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${secrets.TELEGRAM_TOKEN}`])

    provider.behave({ status: 200, body: '{"ok":false,"error":"ACCESS_TOKEN_INVALID"}' })
    const bad = await cli('check', '--account', account, '--json')
    expect(bad).toMatchObject({ exitCode: 1, stderr: '' })
    expect(JSON.parse(bad.stdout)).toEqual([
      { id: 'tg', kind: 'telegram', findings: expect.arrayContaining([{ level: 'bad', text: expect.any(String) }]) },
      { id: 'sandbox', kind: 'sandbox', findings: [{ level: 'good', text: 'no request is needed' }] },
    ])
    expect(good.stdout + bad.stdout).not.toContain(secrets.TELEGRAM_TOKEN)
  })

  it('says of a gateway, which nobody can ask, that only its settings are known to be good', async () => {
    const account = await newAccount()
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const file = await write(`- { id: sms, kind: http, url: "https://127.0.0.1:9/", secret: ${secret} }`)
    await cli('apply', file, '--account', account)
    expect((await cli('check', '--account', account)).stdout).toContain('it can be tried with a message only')
  })

  it('asks for what templates say for a kind', async () => {
    const account = await newAccount()
    await cli('apply', await write(`${whatsapp}\n  base_url: ${provider.url}`), '--account', account)
    const templates = await write(`
- slug: shipped
  text: Hello {{name}}, order {{order}} is on its way.
  whatsapp: { name: order_shipped, language: de, parameters: [name, order] }
- { slug: plain, text: Hello }`)
    const environment = { DATABASE_URL: database.settings.url, ...secrets }
    jsonOf(await run(environment, ['templates', 'apply', templates, '--account', account, '--json']))
    provider.asked.splice(0)
    provider.behave({ status: 200, body: '{"data":[]}' })
    const checked = await cli('check', '--account', account, '--json')
    expect(checked.exitCode).toBe(1)
    const [{ findings }] = JSON.parse(checked.stdout) as [{ findings: { level: string; text: string }[] }]
    expect(findings.filter(({ level }) => level === 'bad').map(({ text }) => text)).toEqual([
      expect.stringContaining('auth_copy_code (en_US)'),
      expect.stringContaining("template shipped: WhatsApp's template order_shipped (de)"),
    ])
    expect(provider.asked.map(({ path }) => path).join(' ')).toContain('name=order_shipped')
  })

  it("lists Meta's templates with what there is to fill, and adds those that can be", async () => {
    const account = await newAccount()
    await cli('apply', await write(`${whatsapp}\n  base_url: ${provider.url}`), '--account', account)
    const hours = { name: 'hours', language: 'en_US', status: 'PAUSED', category: 'UTILITY' }
    const code = { name: 'auth_copy_code', language: 'en_US', status: 'APPROVED', category: 'AUTHENTICATION' }
    const data = [{ ...hours, components: [{ type: 'BODY', text: 'Open at {{1}}' }] }, code]
    provider.behave({ status: 200, body: JSON.stringify({ data }) })
    const { id } = (jsonOf(await cli('list', '--account', account, '--json')) as { id: string }[])[0]!
    const listed = await cli('templates', id, '--account', account)
    expect(listed.stdout).toMatch(/hours +en_US +UTILITY +PAUSED +- +1 +-/)
    const added = jsonOf(await cli('templates', id, '--import', '--account', account, '--json'))
    expect(added).toMatchObject({
      added: ['hours'],
      left: [{ name: 'auth_copy_code (en_US)', reason: 'is for codes' }],
    })
    expect((await cli('templates', id, '--account', account)).stdout).toMatch(/hours .* 1 +hours/)
    expect((await cli('templates', id, '--import', '--account', account)).stdout).toContain(
      'Added none.\nLeft out: auth_copy_code (en_US) is for codes.\nLeft out: hours is a template of the account already.',
    )
    provider.behave({ status: 401, body: '{"error":{"code":190,"message":"x"}}' })
    expect(refusalOf(await cli('templates', id, '--account', account))).toMatch(/could not be read/)
  })

  it('tells of one that cannot be opened', async () => {
    const account = await newAccount()
    await cli('apply', await write(telegram), '--account', account)
    const other = {
      DATABASE_URL: database.settings.url,
      WATCHWORD_SECRET: 'another secret that nothing was sealed under',
    }
    const check = ['channels', 'check', '--account', account]
    expect(refusalOf(await run(other, check))).toMatch(
      /^Secrets are missing .*\(connections: \d+\).* Set WATCHWORD_SECRET /,
    )
    const changed = await run({ ...other, SECRETS_MISSING: 'accept' }, check)
    expect(changed.exitCode).toBe(1)
    expect(changed.stdout).toContain(
      'bad      its secrets were encrypted with another WATCHWORD_SECRET: apply it again',
    )
    const unknown = await run({ DATABASE_URL: database.settings.url }, ['channels', 'check', '--account', account])
    expect(unknown.exitCode).toBe(1)
    expect(unknown.stdout).toContain('set WATCHWORD_SECRET')
  })
})

describe('an export', () => {
  it('is a file without secrets, which gives the same list again when they are filled in', async () => {
    const account = await newAccount()
    const file = await write(`
- id: wa-eu
  kind: whatsapp
  phone_number_id: "1"
  business_account_id: "2"
  access_token: \${WHATSAPP_TOKEN}
  app_secret: [first-secret, second-secret]
  verify_token: a-word
  code_template: { name: auth, language: [en_US, de] }
  countries: [DE]
  failover_seconds: 30
- { id: tg, kind: telegram, access_token: "\${TELEGRAM_TOKEN}" }
- { id: sandbox, kind: sandbox }
`)
    await cli('apply', file, '--account', account)
    const { stdout } = await cli('export', '--account', account)
    for (const secret of [token, secrets.TELEGRAM_TOKEN, 'first-secret', 'second-secret', 'a-word']) {
      expect(stdout).not.toContain(secret)
    }
    for (const place of ['WA_EU_ACCESS_TOKEN', 'WA_EU_APP_SECRET_1', 'WA_EU_APP_SECRET_2', 'TG_ACCESS_TOKEN']) {
      expect(stdout).toContain(`\${${place}}`)
    }
    const filled = {
      WA_EU_ACCESS_TOKEN: token,
      WA_EU_APP_SECRET_1: 'first-secret',
      WA_EU_APP_SECRET_2: 'second-secret',
      ...{ WA_EU_VERIFY_TOKEN: 'a-word', TG_ACCESS_TOKEN: secrets.TELEGRAM_TOKEN },
    }
    const settings = { DATABASE_URL: database.settings.url, ...secrets, ...filled }
    const again = await run(settings, ['channels', 'apply', await write(stdout), '--account', account, '--json'])
    expect(jsonOf(again)).toMatchObject({ changed: [], removed: [] })
  })
})
