/** Secrets of the settings that stand in files, as container platforms hand them out. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Config, loadConfig, type ProcessRole, secretSettings } from '../../src/settings/config.ts'
import { run } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { sectionOf } from '../support/docs.ts'
import { settingFaults } from '../support/settings.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchword-secrets-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const secret = 'a secret of no less than 32 characters'
const url = 'postgres://watchword@localhost/watchword'

function write(name: string, text: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function load(environment: NodeJS.ProcessEnv, role: ProcessRole = 'serve'): Config {
  return loadConfig(environment, { role })
}

describe('a secret in a file', () => {
  it.each(['', '\n', '\r\n', '\n\n'])('is read without the end of its line: %j', (end) => {
    const file = write('secret', `${secret}${end}`)
    expect(load({ WATCHWORD_SECRET_FILE: file })).toEqual(load({ WATCHWORD_SECRET: secret }))
  })

  it('is every secret that there is, in every role', () => {
    const given = { WATCHWORD_SECRET_FILE: write('secret', secret), DATABASE_URL_FILE: write('url', `${url}\n`) }
    for (const role of ['serve', 'worker', 'cli'] as const) {
      expect(load(given, role)).toEqual(load({ WATCHWORD_SECRET: secret, DATABASE_URL: url }, role))
    }
    const key = `ww_test_${'x'.repeat(20)}`
    expect(settingFaults({ SANDBOX_KEY_FILE: write('key', key) })).toEqual(settingFaults({ SANDBOX_KEY: key }))
    const oidc = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'watchword', OIDC_ROLES: 'admins=owner' }
    const company = load({ ...oidc, OIDC_CLIENT_SECRET_FILE: write('oidc', 'of the company\n') }).oidc
    expect(company?.clientSecret).toBe('of the company')
  })

  it('is refused by its setting when it is wrong or set twice, and nothing of it is quoted', () => {
    const path = join(folder, 'opensesame')
    const refused = (path: string) => settingFaults({ WATCHWORD_SECRET_FILE: path })
    expect(refused(path)).toEqual(['WATCHWORD_SECRET_FILE: names a file that is not there'])
    expect(refused(join(write('plain', secret), 'x'))).toEqual([
      'WATCHWORD_SECRET_FILE: names a file that is not there',
    ])
    expect(refused(write('empty', '\n'))).toEqual(['WATCHWORD_SECRET_FILE: names a file that is empty'])
    expect(refused(folder)).toEqual(['WATCHWORD_SECRET_FILE: must be the path of a file'])
    expect(settingFaults({ WATCHWORD_SECRET_FILE: write('secret', secret), WATCHWORD_SECRET: secret })).toEqual([
      'WATCHWORD_SECRET_FILE: must not be set together with WATCHWORD_SECRET',
    ])
    expect(settingFaults({ DATABASE_URL: url, WATCHWORD_SECRET_FILE: path, PORT: 'x' })).toEqual([
      'WATCHWORD_SECRET_FILE: names a file that is not there',
      'PORT: must be a whole number from 0 to 65535, in digits alone',
    ])
    expect(settingFaults({ WATCHWORD_SECRET_FILE: write('short', 'opensesame') }).join()).not.toContain('opensesame')
  })

  it('is of 64 KiB at most, and a larger file is not read whole', () => {
    const file = write('large', '')
    truncateSync(file, 64 * 1024 + 1)
    expect(settingFaults({ OIDC_CLIENT_SECRET_FILE: file })).toEqual([
      'OIDC_CLIENT_SECRET_FILE: names a file of more than 64 KiB',
    ])
    // More than a process can hold.
    truncateSync(file, 2 ** 42)
    expect(settingFaults({ OIDC_CLIENT_SECRET_FILE: file })).toEqual([
      'OIDC_CLIENT_SECRET_FILE: names a file of more than 64 KiB',
    ])
    expect(load({ WATCHWORD_SECRET_FILE: write('full', 'x'.repeat(64 * 1024)) }).secrets?.[0]).toHaveLength(64 * 1024)
  })

  it('is one line of text: zeros that a crash left, or a second secret below it, are refused', () => {
    const fault = (text: string) => settingFaults({ WATCHWORD_SECRET_FILE: write('odd', text) })
    for (const text of ['\0'.repeat(64), `${secret}\0`])
      expect(fault(text)).toEqual(['WATCHWORD_SECRET_FILE: names a file that is not text in UTF-8'])
    for (const text of [`${secret}\nanother ${secret}`, `${secret}\rx`])
      expect(fault(text)).toEqual(['WATCHWORD_SECRET_FILE: names a file of more than one line'])
    // Editors of some systems begin a file with this mark, and end its lines with two characters.
    const file = write('marked', `\ufeff${secret}\r\n`)
    expect(load({ WATCHWORD_SECRET_FILE: file })).toEqual(load({ WATCHWORD_SECRET: secret }))
  })

  it.each([
    ['Latin-1', Buffer.from(`${secret}ü`, 'latin1'), '(byte 39 of line 1 is not UTF-8: save the file as UTF-8)'],
    ['UTF-16', Buffer.from(`\ufeff${secret}\r\n`, 'utf16le'), '(the text is UTF-16: save the file as UTF-8)'],
    ['bytes', Buffer.from([0xff, 0xfe, 0xfd]), '(the text is UTF-16: save the file as UTF-8)'],
  ])('that is %s is refused with the place, and never altered', (_, bytes, place) => {
    expect(settingFaults({ WATCHWORD_SECRET_FILE: write('other', bytes) })).toEqual([
      `WATCHWORD_SECRET_FILE: names a file that is not text in UTF-8 ${place}`,
    ])
  })

  it('that another program has altered is refused, and so is a blank that would become a part of it', () => {
    expect(settingFaults({ WATCHWORD_SECRET_FILE: write('lost', `${secret}\ufffd`) })).toEqual([
      'WATCHWORD_SECRET_FILE: names a file with U+FFFD, in place of a character that was lost: write it again',
    ])
    const fault = 'must have no blank at its beginning or end'
    const oidc = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'watchword', OIDC_ROLES: 'admins=owner' }
    const OIDC_CLIENT_SECRET_FILE = write('blank', `${secret} \n`)
    expect(settingFaults({ ...oidc, OIDC_CLIENT_SECRET_FILE })).toEqual([`OIDC_CLIENT_SECRET: ${fault}`])
    expect(load({ WATCHWORD_SECRET_FILE: write('blank', `${secret} \n`) }).secrets).toEqual([secret])
  })

  it('does not keep a process waiting that is pointed at a pipe', () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(settingFaults({ WATCHWORD_SECRET_FILE: pipe })).toEqual([
      'WATCHWORD_SECRET_FILE: must be the path of a file',
    ])
  })

  it.skipIf(process.getuid?.() === 0)('is named when this user may not read it', () => {
    const file = write('closed', secret)
    chmodSync(file, 0)
    expect(settingFaults({ WATCHWORD_SECRET_FILE: file })).toEqual([
      'WATCHWORD_SECRET_FILE: names a file that this user may not read',
    ])
  })

  it('is nothing to a sandbox when it is that of a database', () => {
    expect(load({ DATABASE_URL_FILE: join(folder, 'none') }, 'sandbox')).toEqual(load({}, 'sandbox'))
  })
})

describe('a command', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  it('takes its database from a file, and says in one line when that is not there', async () => {
    const DATABASE_URL_FILE = write('url', `${database.settings.url}\n`)
    const listed = await run({ DATABASE_URL_FILE }, ['accounts', 'list', '--json'])
    expect(listed).toMatchObject({ exitCode: 0, stderr: '' })
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'default' }])
    mkdirSync(join(folder, 'cwd'))
    const refused = await run({ DATABASE_URL_FILE: '/nowhere' }, ['accounts', 'list'], join(folder, 'cwd'))
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toBe('The settings are wrong:\n  DATABASE_URL_FILE: names a file that is not there\n')
  }, 120_000)
})

it('the table of settings says of each secret, and of nothing else, that it may stand in a file', () => {
  const rows = sectionOf('docs/operators.md', 'Settings').matchAll(/^\| `([A-Z_]+)` \|(.*)$/gm)
  const inFiles = Array.from(rows).filter(([, name, text]) => text!.includes(`also as \`${name}_FILE\``))
  expect(inFiles.map(([, name]) => name).toSorted()).toEqual(secretSettings.toSorted())
  for (const name of ['DATABASE_URL', 'OIDC_CLIENT_SECRET', 'SANDBOX_KEY', 'WATCHWORD_SECRET']) {
    expect(secretSettings).toContain(name)
  }
})
