// biome-ignore-all lint/suspicious/noTemplateCurlyInString: places as they are written in files
/** What an operator does with the files of providers of SMS. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderUnicodeCompact } from 'uqr'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acme } from '../delivery/channels/sms/acme.ts'
import { anadolu } from '../delivery/channels/sms/gateways/anadolu.ts'
import { kestrel } from '../delivery/channels/sms/gateways/kestrel.ts'
import { jsonOf, refusalOf, run } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createDatabase()
  folder = await mkdtemp(join(tmpdir(), 'watchword-providers-'))
  await writeFile(join(folder, 'acme.yaml'), acme)
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await database.drop()
})

const providers = (...args: string[]) => run({}, ['providers', ...args], folder)

describe('providers check', () => {
  it('runs the examples of a file and shows what would be sent, without a secret', async () => {
    const { exitCode, stdout } = await providers('check', './acme.yaml')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('./acme.yaml is valid. Examples passed: 6.')
    expect(stdout).toContain('POST https://api.acme.example/v1/messages\nAuthorization: Bearer ***\n')
    expect(stdout).toContain('"to":"+14155550100","from":"FROM","profile":{"id":"PROFILE"}')
  })

  it('shows what is asked for a token, a message and a check, with numbers where the file wants them', async () => {
    await writeFile(join(folder, 'kestrel.yaml'), kestrel)
    await writeFile(join(folder, 'anadolu.yaml'), anadolu)
    const { stdout: xml } = await providers('check', './kestrel.yaml')
    expect(xml).toMatch(
      /For a token:\n\nPOST https:\/\/login.*client_secret=\*\*\*.*For each message:.*<Destination ton="1">.*For channels check:\n\nGET /s,
    )
    expect((await providers('check', './anadolu.yaml')).stdout).toContain('"account":12345,"gsm":4155550100,')
    expect(jsonOf(await providers('check', './kestrel.yaml', '--json'))).toMatchObject({
      token: { url: 'https://login.kestrel.example/connect/token' },
      probe: { method: 'GET' },
    })
  })

  it('names a reply whose sender is no phone, and a time in another zone than the file says', async () => {
    const placeless = anadolu.replace('countries: [TR]\n', '')
    await writeFile(join(folder, 'bad.yaml'), placeless)
    expect(refusalOf(await providers('check', './bad.yaml'))).toMatch(
      /^\.\/bad\.yaml:7: request: sends a number without its country: name the countries/,
    )
    await writeFile(join(folder, 'bad.yaml'), placeless.replace('flash: false', 'ddi: "{{to|calling_code}}"'))
    expect(refusalOf(await providers('check', './bad.yaml'))).toContain(
      'from is read as no phone: where it names no country, name those of the gateway',
    )
    await writeFile(join(folder, 'bad.yaml'), kestrel.replace('Europe/Helsinki', 'Asia/Tokyo'))
    expect(refusalOf(await providers('check', './bad.yaml'))).toMatch(
      /gives: at is 2026-11-28T02:02:03\.000Z, not 2026-11-28T09:02:03\.000Z$/,
    )
    await writeFile(
      join(folder, 'bad.yaml'),
      kestrel.replace(/<html>.*<\/html>/, '<e/>').replace('kind: down, why: credentials', 'kind: down, why: sender'),
    )
    expect(refusalOf(await providers('check', './bad.yaml'))).toMatch(/is: why is credentials, not sender$/)
  })

  it('shows what a hostile file would send without giving orders to the terminal', async () => {
    const hostile = acme
      .replace('title: Acme SMS', 'title: "Acme \\x1b]0;pwned\\x07"')
      .replace('to: "{{to}}"', '"\\x9b2J": "\\x9b31m"')
    await writeFile(join(folder, 'hostile.yaml'), hostile)
    const { exitCode, stdout, stderr } = await providers('check', './hostile.yaml')
    expect(exitCode).toBe(0)
    expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    expect(stdout).toContain('\\u009b31m')
  })

  it('names everything that is wrong with file and line', async () => {
    const text = acme.replace('{{to}}', '{{two}}').replace('is: failed, code: opted_out', 'is: failed, code: gone')
    await writeFile(join(folder, 'bad.yaml'), text)
    const refusal = refusalOf(await providers('check', './bad.yaml'))
    expect(refusal).toMatch(
      /^\.\/bad\.yaml:12: request\.body\.to: has an unknown .*\n\.\/bad\.yaml:21: answer.rules, entry 2, code: must be /,
    )
    await writeFile(
      join(folder, 'bad.yaml'),
      acme.replace('{{to}}', '{{two}}').replace('kind: sent, id', 'kind: down, id'),
    )
    expect(refusalOf(await providers('check', './bad.yaml'))).toMatch(
      /^\.\/bad\.yaml:12: request\.body\.to: has an unknown/,
    )
    await writeFile(join(folder, 'bad.yaml'), acme.replace('kind: sent, id', 'kind: down, id'))
    expect(refusalOf(await providers('check', './bad.yaml'))).toBe(
      './bad.yaml:42: examples, entry 1, is: kind is sent, not down',
    )
    expect(refusalOf(await providers('check', './none.yaml'))).toBe(
      'Cannot read ./none.yaml: there is no such file or folder.',
    )
    await writeFile(join(folder, 'big.yaml'), 'x'.repeat(1_000_000))
    expect(refusalOf(await providers('check', './big.yaml'))).toBe('./big.yaml:1: the file is longer than 64 KB')
  })
})

describe('providers new', () => {
  it('writes a file that is good, once, and overwrites none', async () => {
    expect(jsonOf(await providers('new', 'mine', '--json'))).toEqual({ file: 'mine.yaml' })
    expect(jsonOf(await providers('check', './mine.yaml', '--json'))).toMatchObject({ examples: 3, method: 'POST' })
    const text = await readFile(join(folder, 'mine.yaml'), 'utf8')
    expect(['1.', '2.', '3.'].map((step) => text.includes(`# ${step} `))).toEqual([true, true, true])
    expect(refusalOf(await providers('new', 'mine'))).toBe('Cannot write mine.yaml: it is there already.')
    expect(refusalOf(await providers('new', '../mine'))).toMatch(/^The name must be /)
  })

  it('says what to run next, and that a provider of that name ships', async () => {
    const { stdout } = await providers('new', 'yours')
    expect(stdout).toBe(
      'Wrote yours.yaml. Fill in what it asks for, then run: npm run cli -- providers check ./yours.yaml\n',
    )
    expect(await readFile(join(folder, 'yours.yaml'), 'utf8')).toContain(
      'then run: npm run cli -- providers check ./yours.yaml\n',
    )
    expect((await providers('new', 'twilio')).stdout).toContain(
      'A provider twilio ships: a connection with "provider: twilio" needs no file.',
    )
    expect(refusalOf(await providers('check', 'package.json'))).toMatch(
      /^There is no provider package\.json\. .*; a file of your own needs a path, like \.\/acme\.yaml\.$/,
    )
  })
})

describe('channels apply', () => {
  const key = 'the-key-of-this-operator'
  const environment = () => ({
    DATABASE_URL: database.settings.url,
    WATCHWORD_SECRET: 'a secret of the providers test that is long enough',
    PUBLIC_URL: 'https://codes.example',
    ACME_KEY: key,
  })
  const channels = (...args: string[]) => run(environment(), ['channels', ...args])

  it('keeps the text of a file with the connection, and tells the address of its reports', async () => {
    const list = join(folder, 'channels.yaml')
    await writeFile(
      list,
      '- { id: sms, kind: sms, provider: ./acme.yaml, api_key: "${ACME_KEY}", from: Acme, base_url: "https://10.0.0.5" }',
    )
    expect(jsonOf(await channels('apply', list, '--json'))).toMatchObject({ applied: ['sms'], changed: ['sms'] })
    expect(jsonOf(await channels('apply', list, '--json'))).toMatchObject({ changed: [] })
    const [row] =
      await database.sql`select settings, encode(sealed, 'escape') as sealed from connection where id = 'sms'`
    expect(row?.settings).toMatchObject({ provider: './acme.yaml', provider_file: acme, from: 'Acme' })
    expect(JSON.stringify(row)).not.toContain(key)
    const [listed] = jsonOf<{ id: string; report_url: string }[]>(await channels('list', '--json'))
    expect(listed).toMatchObject({
      id: 'sms',
      report_url: expect.stringMatching(/^https:\/\/codes\.example\/providers\/acct_default\/sms\/[\w-]{22}$/),
    })
    expect(JSON.stringify(row)).not.toContain(listed?.report_url.split('/').at(-1))
    const rotated = jsonOf<{ report_url: string }>(await channels('rotate', 'sms', '--json'))
    expect(rotated.report_url).not.toBe(listed?.report_url)
    expect(jsonOf(await channels('list', '--json'))).toMatchObject([rotated])
    // Whoever changes the file, changes the connection.
    await writeFile(join(folder, 'acme.yaml'), acme.replace('title: Acme SMS', 'title: Acme'))
    expect(jsonOf(await channels('apply', list, '--json'))).toMatchObject({ changed: ['sms'] })
    await writeFile(join(folder, 'acme.yaml'), acme.replace('provider: acme', 'provider: acme-two'))
    const moved = await channels('apply', list)
    expect(moved.stderr).toContain('Warning: reports now come to a different address (sms)')
    await writeFile(join(folder, 'acme.yaml'), acme)
  })

  it('shows the address of reports to a phone, as text and QR code, or what is missing for that', async () => {
    const list = join(folder, 'paired.yaml')
    await writeFile(
      list,
      '- { id: sim, kind: sms, provider: ./acme.yaml, api_key: "${ACME_KEY}", from: Acme, base_url: "https://10.0.0.5" }\n- { id: box, kind: sandbox }',
    )
    expect(jsonOf(await channels('apply', list, '--json'))).toMatchObject({ applied: ['sim', 'box'] })
    const [{ report_url }] = jsonOf<[{ report_url: string }]>(await channels('list', '--json'))
    expect(jsonOf(await channels('pair', 'sim', '--json'))).toEqual({ id: 'sim', report_url })
    const { stdout } = await channels('pair', 'sim')
    expect(stdout).toContain(`The reports of sim come to ${report_url}\n`)
    expect(stdout).toContain(renderUnicodeCompact(report_url))
    expect(stdout).not.toContain(key)
    expect(refusalOf(await channels('pair', 'box'))).toBe('The channel box takes no reports.')
    expect(refusalOf(await channels('pair', 'none'))).toBe('There is no channel none.')
    const nowhere = { ...environment(), PUBLIC_URL: '' }
    expect(refusalOf(await run(nowhere, ['channels', 'pair', 'sim']))).toMatch(/^Set PUBLIC_URL: /)
  })

  it('says once of each file that cannot be read why, by the name that the list has for it', async () => {
    const other = await mkdtemp(join(tmpdir(), 'watchword-providers-'))
    const list = join(other, 'unread.yaml')
    await mkdir(join(other, 'folder.yaml'))
    await writeFile(join(other, 'latin.yaml'), Buffer.from('title: "Grüß"\n', 'latin1'))
    await writeFile(join(other, 'empty.yaml'), '')
    await writeFile(join(other, 'big.yaml'), 'x'.repeat(1_000_000))
    await symlink('loop.yaml', join(other, 'loop.yaml'))
    const faults = {
      './none.yaml': 'Cannot read ./none.yaml: there is no such file or folder',
      './folder.yaml': 'Cannot read ./folder.yaml: it is a folder',
      'latin.yaml': 'latin.yaml: byte 11 of line 1 is not UTF-8: save the file as UTF-8',
      './empty.yaml': './empty.yaml:1: the file is empty',
      './loop.yaml': 'Cannot read ./loop.yaml: its links lead in a circle',
      [join(other, 'big.yaml')]: `${join(other, 'big.yaml')}:1: the file is longer than 64 KB`,
    }
    const names = Object.keys(faults)
    await writeFile(list, JSON.stringify(names.map((provider, at) => ({ id: `sms-${at}`, kind: 'sms', provider }))))
    expect(refusalOf(await channels('apply', list)).split('\n')).toEqual(
      Object.values(faults).map((fault, at) => `${list}:1: entry ${at + 1}, provider: ${fault}`),
    )
    await rm(other, { recursive: true })
  })

  it('refuses a list when a file is wrong or a setting is, and names both with their places', async () => {
    const list = join(folder, 'wrong.yaml')
    await writeFile(join(folder, 'bad.yaml'), acme.replace('{{to}}', '{{two}}'))
    await writeFile(list, `- { id: sms, kind: sms, provider: ./bad.yaml, api_key: ${key}, from: Acme }`)
    expect(refusalOf(await channels('apply', list))).toMatch(/^\.\/bad\.yaml:12: request\.body\.to: has an unknown /)
    await writeFile(join(folder, 'bad.yaml'), `${acme}---\n${acme}`)
    const second = `./bad.yaml:${acme.split('\n').length}: is no YAML: there is more than one document: leave out the line ---`
    expect(refusalOf(await channels('apply', list))).toBe(second)
    expect(refusalOf(await providers('check', './bad.yaml'))).toBe(second)
    await writeFile(
      list,
      `- { id: sms, kind: sms, provider: ./acme.yaml, api_key: [${key}, a, b], token: ${key}, reports: all }`,
    )
    const refusal = refusalOf(await channels('apply', list))
    for (const fault of [
      'wrong.yaml:1: entry 1, api_key: must be a text, or a list of two',
      'wrong.yaml:1: entry 1, from: is missing',
      'wrong.yaml:1: entry 1, reports: must be',
    ]) {
      expect(refusal).toContain(fault)
    }
    expect(refusal).toContain('token')
    expect(refusal).not.toContain(key)
  })
})
