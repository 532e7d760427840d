/** The operator's commands as an operator runs them: each is a process of its own. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { migrate } from '../../src/app/admin.ts'
import { extraScopes, scopes } from '../../src/contract/document.ts'
import { defaultAccount } from '../../src/domain/access/account.ts'
import { connect } from '../../src/store/engine/connect.ts'
import { jsonOf, moment, type Result, refusalOf, run } from '../support/cli.ts'
import { testConfig } from '../support/config.ts'
import { createDatabase } from '../support/database.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const dayMs = 24 * 3600 * 1000

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await startServer()
  folder = await mkdtemp(join(tmpdir(), 'watchword-cli-'))
})
// Commands go by the time of the machine, and the server by its own.
beforeEach(() => server.runtime.advance((Date.now() - server.runtime.now().getTime()) / 1000))
afterAll(async () => {
  await rm(folder, { recursive: true })
  await server.close()
})

/** Runs a command on the server's database. */
function cli(...args: string[]): Promise<Result> {
  return run({ DATABASE_URL: server.database!.settings.url }, args)
}

/** Moves the server's time on, from the machine's or from where it is already. */
function passSeconds(seconds: number): void {
  const behindMs = Date.now() - server.runtime.now().getTime()
  server.runtime.advance(Math.max(behindMs / 1000, 0) + seconds)
}

async function answerTo(key: string): Promise<unknown> {
  const { status, data } = await server.as(key).get('/v1/messages/req_00000000000000000000000000')
  return `${status} ${data.code}`
}

async function writeTemplates(name: string, text: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}

describe('accounts', () => {
  it('are made, once for a name, and listed', async () => {
    const made = jsonOf(await cli('accounts', 'create', 'Acme', '--json'))
    const standard = { brand: null, cooldown_seconds: 60, created_at: moment }
    expect(made).toEqual({ id: expect.stringMatching(/^acct_/), name: 'Acme', ...standard })

    const [list, again] = await Promise.all([cli('accounts', 'list', '--json'), cli('accounts', 'create', 'Acme')])
    expect(jsonOf(list)).toEqual([made, { id: expect.any(String), name: 'default', ...standard }])
    expect(refusalOf(again)).toBe('There is an account "Acme" already.')
  })
})

describe('keys', () => {
  it('have names that are one line to read, also in a list with older ones that are not', async () => {
    const { id } = await server.newKey()
    const forged = `a\u001b[2J\u009b1m\nkey_0  default  forged`
    await server.query(sql`update api_key set name = ${forged} where id = ${id}`)
    const [table, list, refused, trimmed] = await Promise.all([
      cli('keys', 'list'),
      cli('keys', 'list', '--json'),
      cli('keys', 'create', '--name', forged, '--mode', 'test'),
      cli('keys', 'create', '--name', ' shop ', '--mode', 'test', '--account', 'DEFAULT', '--json'),
    ])
    expect(table.stdout.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
    expect(table.stdout.split('\n').filter((line) => line.startsWith('key_0 '))).toEqual([])
    expect(table.stdout).toContain('a\\u001b[2J\\u009b1m\\nkey_0  default  forged')
    expect(list.stdout.trimEnd()).not.toMatch(/\p{C}/u)
    expect(jsonOf<{ name: string }[]>(list).map(({ name }) => name)).toContain(forged)
    expect(refusalOf(refused)).toBe("A key's name is one line of 1 to 64 characters that can be seen.")
    expect(jsonOf(trimmed)).toMatchObject({ name: 'shop', account: 'default' })
  })

  it('may send codes of their own only when that is asked for', async () => {
    const make = ['keys', 'create', '--mode', 'live', '--json', '--name']
    const [usual, extra] = await Promise.all([
      cli(...make, 'usual'),
      cli(...make, 'extra', '--scope', 'verify:write', 'verify:custom_code'),
    ])
    expect(jsonOf<{ scopes: string[] }>(usual).scopes).not.toContain('verify:custom_code')
    expect(jsonOf(extra)).toMatchObject({ scopes: ['verify:write', 'verify:custom_code'] })
  })

  it('are shown when they are made and never again, and can do what they were made for', async () => {
    await server.app.accounts.create('Globex')
    const before = Date.now()
    const [reader, writer, whole] = await Promise.all([
      cli('keys', 'create', '--name', 'reader', '--mode', 'test', '--scope', 'messages:read', '--json'),
      cli(
        ...['keys', 'create', '--name', 'writer', '--mode', 'live', '--account', 'Globex', '--expires', '30m'],
        ...['--scope', 'verify:write', 'notifications:write', '--scope', 'verify:write'],
      ),
      cli('keys', 'create', '--name', 'whole', '--mode', 'live', '--json'),
    ])
    const after = Date.now()
    const shown = jsonOf<{ key: string; hint: string }>(reader)
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_/),
      account: 'default',
      name: 'reader',
      mode: 'test',
      scopes: ['messages:read'],
      key: expect.stringMatching(/^ww_test_[0-9A-Za-z]{49}$/),
      hint: `${shown.key.slice(0, 12)}…`,
      created_at: moment,
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    })
    expect(writer.stdout).toMatch(/^ww_live_[0-9A-Za-z]{49}\n\nIt is not shown again\./)
    const writerKey = writer.stdout.split('\n')[0]!
    const wholeKey = jsonOf<{ key: string }>(whole).key

    const [list, table] = await Promise.all([cli('keys', 'list', '--json'), cli('keys', 'list')])
    const listed = jsonOf<Record<string, unknown>[]>(list)
    const { key: _, ...readerRow } = shown
    expect(listed).toContainEqual(readerRow)
    const writerRow = listed.find(({ name }) => name === 'writer')!
    expect(writerRow).toMatchObject({
      account: 'Globex',
      mode: 'live',
      scopes: ['verify:write', 'notifications:write'],
    })
    const expiresAt = Date.parse(writerRow.expires_at as string)
    expect(expiresAt).toBeGreaterThanOrEqual(before + 30 * 60_000)
    expect(expiresAt).toBeLessThanOrEqual(after + 30 * 60_000)
    expect(listed.find(({ name }) => name === 'whole')).toMatchObject({ scopes, expires_at: null })
    expect(table.exitCode).toBe(0)
    expect(table.stdout).toContain('reader')
    for (const key of [shown.key, writerKey, wholeKey]) {
      // All but the beginning, which is there to recognise it by.
      expect(list.stdout + table.stdout).not.toContain(key.slice(12))
    }

    const refused = await server.as(shown.key).post('/v1/verify/send', { phone: newPhone() })
    expect(refused).toMatchObject({ status: 403, data: { code: 'insufficient_scope' } })
    expect(await answerTo(shown.key)).toBe('404 message_not_found')
    expect(await answerTo(wholeKey)).toBe('404 message_not_found')
    expect(await server.as(writerKey).post('/v1/verify/send', { phone: newPhone() })).toMatchObject({ status: 200 })
    passSeconds(30 * 60)
    expect(await answerTo(writerKey)).toBe('401 expired_api_key')
    expect(await answerTo(shown.key)).toBe('404 message_not_found')
  })

  it('are revoked, once: a running server knows within 5 seconds', async () => {
    const [revoked, other] = [await server.newKey(), await server.newKey()]
    expect(await answerTo(revoked.key)).toBe('404 message_not_found')
    expect(jsonOf(await cli('keys', 'revoke', revoked.id, '--json'))).toEqual({ id: revoked.id, revoked: true })
    passSeconds(5)
    expect(await answerTo(revoked.key)).toBe('401 revoked_api_key')
    expect(await answerTo(other.key)).toBe('404 message_not_found')

    expect(refusalOf(await cli('keys', 'revoke', revoked.id))).toBe(`The key ${revoked.id} was revoked before.`)
  })

  it('are rolled: the new one is like the old, which ends after the overlap', async () => {
    const [reader, kept] = [await server.newKey({ scopes: ['messages:read'] }), await server.newKey()]
    expect(await answerTo(reader.key)).toBe('404 message_not_found')
    const before = Date.now()
    const results = await Promise.all([
      cli('keys', 'roll', reader.id, '--overlap', '0s', '--json'),
      cli('keys', 'roll', kept.id, '--json'),
    ])
    const after = Date.now()
    const [atOnce, inADay] = results.map((result) =>
      jsonOf<{ id: string; key: string; replaces: string; replaced_ends_at: string }>(result),
    )
    expect(atOnce).toEqual({
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^ww_test_/),
      replaces: reader.id,
      replaced_ends_at: moment,
    })
    const endsAt = Date.parse(inADay!.replaced_ends_at)
    expect(endsAt).toBeGreaterThanOrEqual(before + dayMs)
    expect(endsAt).toBeLessThanOrEqual(after + dayMs)

    passSeconds(5)
    expect(await answerTo(reader.key)).toBe('401 expired_api_key')
    expect(await answerTo(atOnce!.key)).toBe('404 message_not_found')
    expect(await server.as(atOnce!.key).post('/v1/verify/send', { phone: newPhone() })).toMatchObject({ status: 403 })
    expect(await answerTo(kept.key)).toBe('404 message_not_found')
    passSeconds(dayMs / 1000)
    expect(await answerTo(kept.key)).toBe('401 expired_api_key')
    expect(await answerTo(inADay!.key)).toBe('404 message_not_found')
  })
})

describe('templates', () => {
  it('of a file are added or changed, all of them or none, and every fault of it named', async () => {
    const good = await writeTemplates(
      'good.yaml',
      `
      - slug: parcel_ready
        text: Hello {{name}}, your parcel is here.
      - slug: goodbye
        text: |
          Goodbye.
          Come again.
      `,
    )
    expect(jsonOf(await cli('templates', 'apply', good, '--json'))).toEqual({
      account: 'default',
      applied: ['parcel_ready', 'goodbye'],
    })
    const send = { phone: newPhone(), template: 'parcel_ready', variables: { name: 'Ada' } }
    expect(await server.test.post('/v1/notifications/send', send)).toMatchObject({ status: 200 })

    const wrong = await writeTemplates(
      'wrong.yaml',
      `
      - { slug: fine, text: Fine. }
      - { slug: goodbye, text: Never to be seen. }
      - { slug: Not A Slug, text: Text. }
      - { slug: shouting, text: "Hello {{NAME}}" }
      - { slug: fine, text: Again. }
      `,
    )
    const shapeless = await writeTemplates(
      'shapeless.yaml',
      `
      - { slug: no_text }
      - { slug: more, text: Text., colour: blue }
      - { slug: number, text: 5 }
      `,
    )
    const [list, wrongly, shapelessly, nobody] = await Promise.all([
      cli('templates', 'list', '--json'),
      cli('templates', 'apply', wrong),
      cli('templates', 'apply', shapeless, '--json'),
      cli('templates', 'apply', good, '--account', 'Nobody'),
    ])
    const faults = refusalOf(wrongly)
    expect(faults.replaceAll(`${wrong}:`, '').split('\n')).toEqual([
      expect.stringMatching(/^4: entry 3, slug: is no slug: 1 to /),
      expect.stringMatching(/^5: entry 4, text: "\{\{NAME\}\}" is no variable/),
      '6: entry 5, slug: is there twice',
    ])
    expect(refusalOf(shapelessly)).toMatch(/:2: entry 1, text: .*\n\S+:3: .* 2, colour: .*\n\S+:\d+: .* 3, text: /)
    expect(refusalOf(nobody)).toBe('There is no account "Nobody".')

    const { id } = await server.app.accounts.require(defaultAccount)
    const found = (await server.app.templates.list(id)).filter(({ slug }) => slug !== 'welcome')
    const kept = found.map(({ slug, locales }) => ({ slug, text: locales.und?.text }))
    expect(kept).toEqual([
      { slug: 'goodbye', text: 'Goodbye.\nCome again.\n' },
      { slug: 'parcel_ready', text: 'Hello {{name}}, your parcel is here.' },
    ])
    expect(jsonOf(list)).toEqual(
      expect.arrayContaining(kept.map(({ slug, text }) => expect.objectContaining({ slug, text, updated_at: moment }))),
    )
  })
})

describe('a file of templates', () => {
  const noYaml = (reason: string) => new RegExp(String.raw`^\S+ cannot be read as YAML: ${reason}`)
  const aliases = Array.from('bcdefgh', (name, i) => `- &${name} [${`*${'abcdefg'[i]},`.repeat(9)}]`)

  it.each([
    ['that grows without end', ['- &a [x]', ...aliases].join('\n'), /^\S+ cannot be read as YAML: its aliases \(\*\) /],
    ['that is nested without end', '['.repeat(20_000), noYaml('it is nested too deeply \\(line 1, column \\d+\\)$')],
    ['that is broken', '- slug: [a', /^\S+ cannot be read as YAML: .+ a bracket is not closed \(line 1, column 11\)$/],
    ['with an alias of nothing', '- *nobody', /^\S+ cannot be read as YAML: an alias \(\*\) has no anchor/],
    [
      'with very many faults',
      '- 1\n'.repeat(3000),
      /^\S+:1: entry 1: must be a mapping with slug and text\n[\s\S]{1,9000}\nand 2950 more$/,
    ],
    ['with escape codes', '- { slug: "a\\e[2J\\nb", text: x }', /^\S+:1: entry 1, slug: is no slug/],
    ['of a tag that nobody knows', '- !!js/function "x"', /^\S+:1: entry 1: must be a mapping/],
  ])('%s is refused in a line for each fault', async (_what, text, reason) => {
    const file = await writeTemplates(`${randomUUID()}.yaml`, text)
    const refused = refusalOf(await cli('templates', 'apply', file))
    expect(refused).toMatch(reason)
    expect(refused).not.toMatch(/[^\P{C}\n]/u)
  })
})

describe('a phone', () => {
  it('is forgotten, whatever there is about it, and no other', async () => {
    const [phone, other] = [newPhone(), newPhone()]
    const ids = [await server.test.send(phone), await server.live.send(phone), await server.live.send(other)]
    expect(jsonOf(await cli('forget', '--phone', phone, '--json'))).toEqual({
      messages: 2,
      sandbox_messages: 0,
      phone_states: 2,
    })
    expect(await server.query(sql`select id from message where id in ${ids}`)).toEqual([{ id: ids[2] }])
  })

  it('that opted out cannot be found without the secret of the service, and the refusal says so', async () => {
    expect(refusalOf(await cli('opt-outs', 'remove', '--phone', newPhone()))).toMatch(/set WATCHWORD_SECRET/)
  })
})

describe('the database', () => {
  it('is brought to this version, also by many at once', async () => {
    const database = await createDatabase()
    try {
      await database.sql.unsafe('drop schema public cascade; drop schema drizzle cascade; drop schema pgboss cascade')
      await database.sql.unsafe('create schema public')
      const [result] = await Promise.all([
        run({ DATABASE_URL: database.settings.url }, ['migrate', '--json']),
        ...Array.from({ length: 5 }, () => migrate(testConfig(database.settings))),
      ])
      expect(jsonOf(result)).toEqual({ migrated: true })
      expect(await database.sql`select name from account`).toEqual([{ name: 'default' }])
      expect(await database.sql`select count(*)::int as jobs from pgboss.job`).toEqual([{ jobs: 0 }])
    } finally {
      await database.drop()
    }
  })

  it('that cannot be reached is the reason given, without its password', async () => {
    const refused = await run({ DATABASE_URL: 'postgres://me:opensesame@127.0.0.1:1/x' }, ['keys', 'list', '--json'])
    expect(refusalOf(refused)).toBe(
      'Nothing takes connections at 127.0.0.1:1 (ECONNREFUSED). Is the database running, and are host and port in DATABASE_URL right? ' +
        'In a container, localhost is the container itself.',
    )
  })

  it('that refuses the password, is not there, or gives no rights is told apart, each by what to do', async () => {
    const database = await createDatabase()
    const said = async (change: (url: URL) => void) => {
      const url = new URL(database.settings.url)
      change(url)
      return refusalOf(await run({ DATABASE_URL: url.href }, ['migrate', '--json']))
    }
    try {
      await database.sql.unsafe("create role guest_of_the_cli login password 'x'")
      expect(await said((url) => Object.assign(url, { password: 'opensesame' }))).toMatch(
        /refuses this user and password/,
      )
      expect(await said((url) => Object.assign(url, { pathname: '/nowhere' }))).toMatch(/^There is no such database/)
      expect(await said((url) => Object.assign(url, { username: 'guest_of_the_cli', password: 'x' }))).toMatch(
        /^The database must be brought to this version, which its user may not do .* as the user that owns/,
      )
    } finally {
      await database.sql.unsafe('drop role guest_of_the_cli')
      await database.drop()
    }
  })

  it('that has no connection left is told from one that cannot be reached', async () => {
    const database = await createDatabase()
    try {
      await database.sql`create role latecomer login password 'late' connection limit 0`
      const url = new URL(database.settings.url)
      Object.assign(url, { username: 'latecomer', password: 'late' })
      const refused = await run({ DATABASE_URL: url.href }, ['keys', 'list', '--json'])
      expect(refusalOf(refused)).toBe('The database has no connection left. Who has them is in pg_stat_activity.')
    } finally {
      await database.sql`drop role if exists latecomer`
      await database.drop()
    }
  })

  it('in a folder that another process holds is left alone, and what to do is said', async () => {
    const dataDir = join(folder, 'data')
    const held = await connect({ kind: 'embedded', dataDir })
    try {
      const reason = refusalOf(await run({ DATA_DIR: dataDir }, ['keys', 'list']))
      expect(reason).toContain(`The embedded database in ${dataDir} is in use by process ${process.pid}.`)
      expect(reason).toContain('Stop it first; or set DATABASE_URL')
    } finally {
      await held.close()
    }
  })
})

it('tells the version', async () => {
  expect(await cli('--version')).toMatchObject({ exitCode: 0, stdout: `${manifest.version}\n` })
})

describe('wrong usage', () => {
  it('ends with exit code 2, and says what is missing or wrong', async () => {
    const [nameless, scopeless] = await Promise.all([
      cli('keys', 'create', '--mode', 'test', '--json'),
      cli('keys', 'create', '--name', 'x', '--mode', 'test', '--scope', 'everything'),
    ])
    for (const { exitCode, stdout } of [nameless, scopeless]) {
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    }
    expect(nameless.stderr).toContain('This command needs --name <name>.')
    for (const scope of [...scopes, ...extraScopes]) expect(scopeless.stderr).toContain(scope)
  })
})
