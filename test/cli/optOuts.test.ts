/** Opt-outs from the command line: one phone, and lists of them as other systems export them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jsonOf, type Result, refusalOf, run } from '../support/cli.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await startServer()
  folder = await mkdtemp(join(tmpdir(), 'watchword-opt-outs-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await server.close()
})

function cli(...args: string[]): Promise<Result> {
  const settings = {
    DATABASE_URL: server.database!.settings.url,
    WATCHWORD_SECRET: 'a secret for tests of enough characters',
  }
  return run(settings, ['opt-outs', ...args])
}

async function importing(text: string): Promise<Result> {
  const file = join(folder, 'list.csv')
  await writeFile(file, text)
  return cli('import', file, '--json')
}

const find = async (phone: string) => (await server.live.post('/v1/opt-outs/find', { phone })).data

it('a phone is opted out, found and opted in again, as people write it', async () => {
  const phone = newPhone()
  const typed = `${phone.slice(0, 2)} (${phone.slice(2, 5)}) ${phone.slice(5)}`
  expect(jsonOf(await cli('add', '--phone', typed, '--json'))).toEqual({ added: true })
  expect(jsonOf(await cli('add', '--phone', phone, '--json'))).toEqual({ added: false })
  expect(await find(phone)).toMatchObject({ opted_out: true, source: 'operator' })
  expect(jsonOf(await cli('find', '--phone', phone, '--json'))).toMatchObject({ opted_out: true, source: 'operator' })
  expect(jsonOf(await cli('remove', '--phone', phone, '--json'))).toEqual({ removed: true })
  expect((await cli('find', '--phone', phone)).stdout).toBe('This phone has not opted out.\n')
})

it('a phone opts out of marketing alone, and by import of the rest', async () => {
  const phone = newPhone()
  expect((await cli('add', '--phone', phone, '--category', 'marketing')).stdout).toBe(
    'default sends no more marketing to this phone.\n',
  )
  expect((await cli('find', '--phone', phone)).stdout).toContain('default sends no marketing to this phone since')
  expect(jsonOf(await importing(phone))).toEqual({ phones: 1, added: 1 })
  expect(await find(phone)).toMatchObject({ category: 'all', source: 'import' })
  expect(jsonOf(await cli('remove', '--phone', phone, '--reason', 'They called', '--json'))).toEqual({ removed: true })
})

it('a table of phones is read in, each once, by the column that has them', async () => {
  const [one, two] = [newPhone(), newPhone()]
  await cli('add', '--phone', one)
  const rows = [
    '"Name";"Phone";Since',
    `Ada;${one};2026`,
    `"Bo; Jr";"${two.replace('+', '00')}";2026`,
    `Cy;${two};2025`,
    '',
  ]
  expect(jsonOf(await importing(rows.join('\r\n')))).toEqual({ phones: 2, added: 1 })
  expect(await find(two)).toMatchObject({ opted_out: true, source: 'import' })
})

it('keywords of the account are added by language, listed, and removed in any way of writing them', async () => {
  const add = (word: string, meaning: string, language = 'tr') =>
    cli('keywords', 'add', word, '--meaning', meaning, '--language', language)
  expect((await add('Çık', 'stop')).stdout).toContain('Who answers Çık to default opts out')
  await add('Nein, danke', 'stop', 'de_DE')
  await add('çık', 'stop', 'az')
  expect(jsonOf(await cli('keywords', 'list', '--json'))).toEqual([
    { keyword: 'çık', meaning: 'stop', language: 'az' },
    { keyword: 'Nein, danke', meaning: 'stop', language: 'de-DE' },
  ])
  expect(jsonOf(await cli('keywords', 'remove', 'NEIN danke!', '--json'))).toEqual({ removed: true })
  expect((await cli('keywords', 'remove', 'nein')).stdout).toBe('There is no such keyword.\n')
  const acts = sql`select act, subject, detail from audit where act like 'reply-keyword.%' order by id`
  expect((await server.query<{ act: string }>(acts)).map(({ act }) => act.split('.')[1])).toEqual([
    ...['added', 'added', 'added', 'removed'],
  ])
})

it.each([
  ['STOP', 'start', 'tr', 'The keyword STOP means stop for every account: that cannot be changed.'],
  ['stop all', 'stop', 'tr', 'Every account has the keyword STOPALL: there is nothing to add.'],
  [' ', 'stop', 'tr', 'The keyword has no letter and no digit.'],
  ['👍!', 'stop', 'tr', 'The keyword has no letter and no digit.'],
  ['RE\tT', 'stop', 'tr', 'The keyword has a control character'],
  ['x'.repeat(41), 'stop', 'tr', 'The keyword has more than 40 characters'],
  ['RET', 'stop', 'Turkish please', 'The language must be as BCP 47 writes it'],
] as const)('no keyword: "%s" for %s in %s', async (text, meaning, language, why) => {
  const { id } = await server.app.accounts.require('default')
  await expect(server.app.optOuts.addKeyword(id, { text, meaning, language })).rejects.toThrow(why)
})

it('a keyword of one meaning gets no other, a standard one is not removed, and fifty are the most', async () => {
  const { id } = await server.app.accounts.create('many keywords')
  const add = (text: string, meaning: 'stop' | 'start' = 'stop') =>
    server.app.optOuts.addKeyword(id, { text, meaning, language: 'tr' })
  await add('RET')
  await expect(add('ret', 'start')).rejects.toThrow('The keyword RET means stop here: remove it first.')
  await expect(server.app.optOuts.removeKeyword(id, 'Stop')).rejects.toThrow('it cannot be removed')
  // At once: the one that comes when it is full is refused.
  const added = await Promise.allSettled(Array.from({ length: 60 }, (_, n) => add(`WORD ${n}`)))
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(49)
  expect(await server.app.optOuts.listKeywords(id)).toHaveLength(50)
})

it('a long list is imported part by part, which is told; of one with wrong lines, nothing is', async () => {
  const phones = Array.from({ length: 10_000 }, newPhone)
  const wrong = phones.with(2, 'Ada').with(4999, '415 555').with(9999, '+1')
  const refusal = refusalOf(await importing(wrong.join('\n')))
  expect(refusal.match(/list\.csv:\d+/g)?.map((place) => place.split(':')[1])).toEqual(['3', '5000', '10000'])
  expect(await find(phones[0]!)).toEqual({ opted_out: false })
  expect(jsonOf(await importing(phones.join('\n')))).toEqual({ phones: 10_000, added: 10_000 })
  expect(await find(phones[9999]!)).toMatchObject({ opted_out: true })
  const more = Array.from({ length: 5 }, newPhone)
  const { stdout, stderr } = await importing([...phones, ...more].join('\n'))
  expect(JSON.parse(stdout)).toEqual({ phones: 10_005, added: 5 })
  expect(stderr).toBe('10000 of 10005\n10005 of 10005\n')
})
