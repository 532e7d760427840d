/** A backup says who wrote it: what somebody else has changed is refused before anything is unpacked or written. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openUnchanged, type Unchanged } from '../../src/app/admin.ts'
import { createSecrets } from '../../src/domain/access/secret.ts'
import { read, write } from '../../src/store/engine/session.ts'
import { createBackup, restore, type Target } from '../../src/transfer/transfer.ts'
import { testConfig } from '../support/config.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { linesOf, packed } from './forgery.ts'

const [older, newer] = ['an older secret, of enough characters', 'a newer secret, of enough characters']
const secrets = createSecrets([older])
let folder: string
let source: Unchanged
let database: TestDatabase
let file: string
let bytes: Buffer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ww-signature-'))
  database = await createDatabase()
  source = await openUnchanged(testConfig(database.settings))
  await source.migrate()
  await run(`insert into audit (account_id, id, at, name, act, subject)
    select 'acct_default', 'aud_' || n, now(), 'operator', 'act', 'subject ' || n from generate_series(1, 3) n`)
  file = await backUp('whole')
  bytes = await readFile(file)
})
afterAll(async () => {
  await source.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const run = (text: string) => source.commit.transaction((tx) => tx.run(write(text), []))
const backUp = async (name: string, { isSigned = true } = {}) => {
  const parts = { ...source, secrets: isSigned ? secrets : undefined }
  return (await createBackup(parts, () => new Date(0))(join(folder, name))).file
}

/** Fails when anything is asked of it. */
const untouched = new Proxy({} as Target, {
  get: (_, name) => {
    throw new Error(`asked for ${String(name)}`)
  },
})

async function refusalOf(content: Buffer | string, held = [older], isUnverified = false): Promise<string> {
  const there = typeof content === 'string' ? content : join(folder, 'given')
  if (typeof content !== 'string') await writeFile(there, content)
  const parts = { secrets: held.length > 0 ? createSecrets(held) : undefined, isUnverified, onRows: () => {} }
  const refusal = await restore(there, untouched, parts).then(String, ({ message }: Error) => message)
  return refusal.replaceAll(there, 'FILE')
}

const changed = 'The backup FILE is cut off or was changed: nothing was restored.'
const unsigned = /^FILE is not signed, or is cut off or was changed: nothing was restored\..* pass --unverified\.$/
/** What a good one comes to: everything is read, and the database is asked. */
const good = /^asked for /

it('a signed backup is taken with the secret that signed it, first of the list or not', async () => {
  for (const held of [[older], [newer, older]]) expect(await refusalOf(file, held)).toMatch(good)
})

it('without the secret that signed it, its key id is told, and not the secret', async () => {
  const [own] = secrets.keyIds
  const [other] = createSecrets([newer]).keyIds
  expect(await refusalOf(file, [newer])).toBe(
    `The backup FILE is signed with the secret whose key id is ${own}; the secrets that are set have ${other}. Nothing was ` +
      'restored. Set WATCHWORD_SECRET as it was when the backup was made. If that is lost, and you know that the ' +
      'file was not changed, pass --unverified.',
  )
  expect(await refusalOf(file, [])).toContain(`${own}; no secret is set. Nothing was restored.`)
  expect(await refusalOf(file, [], true)).toMatch(good)
})

it('a key that was added to a backup, with all checksums corrected, does not come in', async () => {
  const lines = linesOf(bytes)
  const at = lines.findIndex((line) => line.startsWith('{"table":{"name":"public.api_key"'))
  const backdoor = JSON.stringify(['acct_default', 'key_backdoor', 'backdoor', 'live', '{}', '\\x00', 'ww', 'now()'])
  const forged = packed(lines.toSpliced(at + 1, 0, backdoor))
  const tail = bytes.subarray(bytes.length - tailBytes())
  expect(await refusalOf(forged)).toMatch(unsigned)
  expect(await refusalOf(Buffer.concat([forged, tail]))).toBe(changed)
  // With the right sums it is what an older version would have written.
  expect(await refusalOf(forged, [older], true)).toMatch(good)
})

it('what is cut off, doubled, moved, or of another backup of the same secret is refused', async () => {
  const cut = bytes.length - tailBytes()
  const [body, tail] = [bytes.subarray(0, cut), bytes.subarray(cut)]
  await run(`update audit set subject = 'another' where id = 'aud_1'`)
  const other = await readFile(await backUp('other'))
  const lines = linesOf(bytes)
  const rows = lines.flatMap((line, index) => (line.includes('"aud_') ? [index] : []))
  const [one = 0, two = 0] = rows
  const swapped = packed(lines.with(one, lines[two]!).with(two, lines[one]!))
  const forgeries = {
    'the signature of another': Buffer.concat([body, other.subarray(-tailBytes())]),
    'the bytes of another': Buffer.concat([other.subarray(0, -tailBytes()), tail]),
    'a member between': Buffer.concat([body, gzipSync('["more"]\n'), tail]),
    'a member before': Buffer.concat([gzipSync(''), body, tail]),
    twice: Buffer.concat([bytes, bytes]),
    'two signatures': Buffer.concat([bytes, tail]),
    'two rows changed places': Buffer.concat([swapped, tail]),
    'a row less': Buffer.concat([packed(lines.toSpliced(one, 1)), tail]),
    'another header': Buffer.concat([packed(lines.with(0, lines[0]!.replace('1970', '1971'))), tail]),
    'no body': tail,
  }
  for (const [name, forgery] of Object.entries(forgeries)) expect(await refusalOf(forgery), name).toBe(changed)
  for (const at of [0, 9, cut >> 1, cut - 1]) {
    const bit = Buffer.from(bytes)
    bit[at]! ^= 1
    expect(await refusalOf(bit), `a bit of byte ${at}`).toBe(changed)
  }
  for (const length of [0, 1, 20, cut >> 1, cut, bytes.length - 1]) {
    expect(await refusalOf(bytes.subarray(0, length)), `${length} bytes`).toMatch(unsigned)
  }
  expect(await refusalOf(Buffer.concat([bytes, Buffer.from('more')]))).toMatch(unsigned)
})

it('a file that is changed between the check and the copy leaves nothing in the database', async () => {
  const there = join(folder, 'moving')
  await writeFile(there, bytes)
  const empty = await createDatabase()
  const target = await openUnchanged(testConfig(empty.settings))
  const lines = linesOf(bytes)
  const forged = packed(lines.map((line) => line.replace('subject 2', 'forged')))
  const tail = bytes.subarray(-tailBytes())
  const migrate = async () => {
    await target.migrate()
    await writeFile(there, Buffer.concat([forged, tail]))
  }
  const parts = { secrets, isUnverified: false, onRows: () => {} }
  await expect(restore(there, { ...target, migrate, secrets: undefined }, parts)).rejects.toThrow(/was changed|damaged/)
  expect(await target.commit.reader.run(read('select id from audit'), [])).toEqual([])
  await target.close()
  await empty.drop()
})

it('an unsigned file runs no SQL by the name of a part', async () => {
  const lines = linesOf(bytes)
  const at = lines.findIndex((line) => line.startsWith('{"table":{"name":"public.message"'))
  const { table } = JSON.parse(lines[at]!)
  const part = {
    name: `public."x', '', ''); end loop; create table public.run (); for kept in select 1 where false loop perform format('"`,
    definition: `partition of public.message FOR VALUES FROM ('x') TO ('y')`,
  }
  const partitions = [...table.partitions, part]
  const there = join(folder, 'running')
  await writeFile(there, packed(lines.with(at, JSON.stringify({ table: { ...table, partitions } }))))
  const empty = await createDatabase()
  const target = await openUnchanged(testConfig(empty.settings))
  const parts = { secrets, isUnverified: true, onRows: () => {} }
  const outcome = await restore(there, { ...target, secrets: undefined }, parts).catch(String)
  expect(await empty.sql`select to_regclass('public.run')::text as run`).toEqual([{ run: null }])
  expect(outcome).toContain('is cut off or was changed')
  await target.close()
  await empty.drop()
})

it('an unsigned file brings no queue with a table that is not there, nor SQL in its place', async () => {
  const lines = linesOf(bytes)
  const from = lines.findIndex((line) => line.startsWith('{"table":{"name":"pgboss.queue"'))
  const count = lines.slice(from).findIndex((line) => line.startsWith('{"rows"'))
  expect(count).toBeGreaterThan(1)
  const parts = { secrets, isUnverified: true, onRows: () => {} }
  for (const table of ['job_common (select 1); create table public.run ()', 'another', 'job"_common']) {
    const there = join(folder, 'queues')
    const changed = lines.map((line, at) =>
      at > from && at < from + count ? line.replace('"job_common"', JSON.stringify(table)) : line,
    )
    expect(changed).not.toEqual(lines)
    await writeFile(there, packed(changed))
    const empty = await createDatabase()
    const target = await openUnchanged(testConfig(empty.settings))
    await expect(restore(there, { ...target, secrets: undefined }, parts), table).rejects.toThrow(
      `${there} has other tables than this version of Watchword.`,
    )
    expect(await target.commit.reader.run(read('select id from audit'), [])).toEqual([])
    await target.close()
    await empty.drop()
  }
})

it('a backup that was made without a secret is taken when that is asked for', async () => {
  const plain = await backUp('plain', { isSigned: false })
  expect(await refusalOf(plain)).toMatch(unsigned)
  expect(await refusalOf(plain, [older], true)).toMatch(good)
})

it('an unsigned file that unpacks to a multiple of its size is given up early', async () => {
  const member = gzipSync(Buffer.alloc(32 * 1024 * 1024, '[]\n'), { level: 9 })
  const start = linesOf(bytes).slice(0, 2).join('\n')
  const bomb = Buffer.concat([gzipSync(`${start}\n`), ...Array(40).fill(member)])
  expect(await refusalOf(bomb)).toMatch(unsigned)
  expect(await refusalOf(bomb, [older], true)).toBe(
    'FILE unpacks to more than 50 times its size, as no backup does: nothing was restored.',
  )
  const line = gzipSync(randomBytes(9 * 1024 * 1024).toString('hex'), { level: 1 })
  expect(await refusalOf(Buffer.concat([gzipSync(`${start}\n["`), line]), [older], true)).toBe(changed)
})

it('with its signature, a backup is a gzip that every tool unpacks', () => {
  expect(gunzipSync(bytes).toString()).toMatch(/\n\{"signedBy":"[0-9a-f]{8}","hmac":"[0-9a-f]{64}"\}\n$/)
})

/** Of the signature: it is a gzip of its own. */
function tailBytes(): number {
  return bytes.length - bytes.lastIndexOf(Buffer.from([0x1f, 0x8b, 8, 0]))
}
