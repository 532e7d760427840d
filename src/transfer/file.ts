/**
 * A copy as a file: gzip of lines. The first says what it is; each table has a line with its columns, its rows as arrays of
 * texts, and a line that counts them; the last has the SHA-256 of all before it. It holds phone numbers, texts and hashes of
 * keys, and what is sealed only as it is.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { Refusal } from '../domain/refusal.ts'
import { type Copied, createTally, type OnRows, type Source } from './source.ts'

const ownerOnly = 0o600
/** Quick; a stronger one saves a tenth of the space. */
const gzipLevel = 3
/** Rows that are handed on at once. */
const batchRows = 1000
/** What is longer is no row. */
const lineCharactersMax = 64 * 1024 * 1024

export interface Written {
  file: string
  bytes: number
  tables: Copied[]
}

/**
 * Under its name it is there when it is whole, and on the disk.
 *
 * @throws Refusal when there is such a file
 */
export async function writeFileOf(source: Source, file: string, madeAt: Date, onRows: OnRows): Promise<Written> {
  if (await stat(file).catch(() => undefined)) throw taken(file)
  // Somebody else may write to the same name.
  const unfinished = `${file}.${randomBytes(4).toString('hex')}.unfinished`
  const tables: Copied[] = []
  // Who ends the process meanwhile leaves it no other moment for that.
  const remove = () => rmSync(unfinished, { force: true })
  process.once('exit', remove)
  try {
    const output = createWriteStream(unfinished, { mode: ownerOnly, flags: 'wx', flush: true })
    const lines = Readable.from(linesOf(source, madeAt, tables, onRows), { objectMode: false })
    await pipeline(lines, createGzip({ level: gzipLevel }), output)
    await giveName(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall) throw new Refusal(`Cannot write ${file}: ${code}.`)
    throw error
  } finally {
    process.off('exit', remove)
  }
  return { file, bytes: (await stat(file)).size, tables }
}

function taken(file: string): Refusal {
  return new Refusal(`${file} is there already: give another name.`)
}

/** @throws Refusal when another file has got that name meanwhile */
async function giveName(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file)
    await rm(unfinished)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(file)
    // Not every file system has links.
    await rename(unfinished, file)
  }
  // The name is on the disk only when the folder is. Windows opens no folders.
  const folder = await open(dirname(file)).catch(() => undefined)
  await folder?.sync().finally(() => folder.close())
}

async function* linesOf(source: Source, madeAt: Date, copied: Copied[], onRows: OnRows): AsyncGenerator<Buffer> {
  const sum = createHash('sha256')
  const bytesOf = (lines: readonly string[]) => {
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    sum.update(bytes)
    return bytes
  }
  yield bytesOf([JSON.stringify({ watchword: 'backup', form: 1, madeAt, edition: source.edition })])
  for await (const { table, batches } of source.tables()) {
    const tally = createTally()
    yield bytesOf([JSON.stringify({ table })])
    for await (const rows of batches()) {
      tally.add(rows)
      onRows(table.name, tally.rows)
      yield bytesOf(rows)
    }
    yield bytesOf([JSON.stringify({ rows: tally.rows, digest: tally.digest })])
    copied.push({ table: table.name, rows: tally.rows })
  }
  yield Buffer.from(`${JSON.stringify({ sha256: sum.digest('hex') })}\n`)
}

const text = z.string()
const header = z.strictObject({
  watchword: z.literal('backup'),
  form: z.literal(1),
  madeAt: z.iso.datetime(),
  edition: z.strictObject({ migrations: z.array(text), queue: z.int() }),
})
/** What is run as SQL is a name or a list of values, and nothing else. */
const sqlName = /^[a-z_]+\.(\w+|"[^"]+")$/
const value = `('(?:[^']|'')*'|-?\\d+|MINVALUE|MAXVALUE|NULL)`
const values = `\\(${value}(, ${value})*\\)`
const partition = new RegExp(
  `^partition of [a-z_]+\\.(\\w+|"[^"]+") (DEFAULT|FOR VALUES (IN ${values}|FROM ${values} TO ${values}))( partition by (RANGE|LIST|HASH) \\([\\w, ]+\\))?$`,
)
const tableLine = z.strictObject({
  table: z.strictObject({
    name: text.regex(sqlName),
    columns: z.array(z.strictObject({ name: text, type: text })),
    parents: z.array(text),
    partitions: z.array(z.strictObject({ name: text.regex(sqlName), definition: text.regex(partition) })),
  }),
})
const countLine = z.strictObject({ rows: z.int(), digest: text })
const lastLine = z.strictObject({ sha256: text })

/**
 * A backup whose every line was read once, and found to be what was written.
 *
 * @throws Refusal when it is not, or cannot be read
 */
export async function openFile(file: string): Promise<{ source: Source; madeAt: string }> {
  // One that is not there is told where it is read.
  if ((await stat(file).catch(() => undefined))?.isFile() === false) {
    throw new Refusal(`${file} is a pipe or a folder: a backup is read more than once, so name the file itself.`)
  }
  const { value: line } = await linesIn(file).next()
  const start = header.safeParse(parsed(line))
  if (!start.success) throw new Refusal(`${file} is no backup of this version of Watchword.`)
  const { edition, madeAt } = start.data
  const source: Source = { edition, name: `The backup ${file}`, tables: () => tablesIn(file) }
  for await (const { batches } of source.tables()) for await (const _ of batches());
  return { source, madeAt }
}

const damaged = (file: string) => new Refusal(`The backup ${file} is cut off or was changed: nothing was restored.`)

async function* tablesIn(file: string): ReturnType<Source['tables']> & AsyncGenerator {
  const sum = createHash('sha256')
  const lines = linesIn(file)
  const next = async () => {
    const { value: line } = await lines.next()
    if (line === undefined) throw damaged(file)
    return line
  }
  const noted = async () => {
    const line = await next()
    sum.update(`${line}\n`)
    return line
  }
  await noted()
  for (let line = await next(); ; line = await next()) {
    const start = tableLine.safeParse(parsed(line))
    if (!start.success) {
      const isWhole = lastLine.safeParse(parsed(line)).data?.sha256 === sum.digest('hex')
      if (isWhole && (await lines.next()).done) return
      throw damaged(file)
    }
    sum.update(`${line}\n`)
    yield { table: start.data.table, batches: () => batchesOf(noted, () => damaged(file)) }
  }
}

async function* batchesOf(noted: () => Promise<string>, fault: () => Refusal): AsyncGenerator<string[]> {
  const tally = createTally()
  let rows: string[] = []
  for (let line = await noted(); ; line = await noted()) {
    const isRow = line.startsWith('[')
    if (isRow) rows.push(line)
    if (rows.length > 0 && (!isRow || rows.length === batchRows)) {
      tally.add(rows)
      yield rows
      rows = []
    }
    if (isRow) continue
    const end = countLine.safeParse(parsed(line))
    if (end.data?.rows === tally.rows && end.data.digest === tally.digest) return
    throw fault()
  }
}

function parsed(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '')
  } catch {
    return undefined
  }
}

/** A line ends with a line feed alone: other ends that Unicode has may stand in a text. */
async function* linesIn(file: string): AsyncGenerator<string, undefined> {
  let rest = ''
  try {
    const stream = createReadStream(file)
    const unpacked = createGunzip()
    // What fails below it, fails there.
    stream.once('error', (error) => unpacked.destroy(error))
    for await (const part of stream.pipe(unpacked).setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + part).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > lineCharactersMax) throw damaged(file)
      yield* lines
    }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw damaged(file)
    if (code?.startsWith('Z_')) throw new Refusal(`${file} is no backup of Watchword, or is damaged.`)
    throw syscall ? new Refusal(`Cannot read ${file}: ${code}.`) : error
  }
  if (rest !== '') throw damaged(file)
  return undefined
}
