/**
 * A copy as a file: gzip of lines. The first says what it is; each table has a line with its columns, its rows as arrays of
 * texts, and a line that counts them; the last has the SHA-256 of all before it. Behind the lines stands the signature. It holds
 * phone numbers, texts and hashes of keys, and what is sealed only as it is.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream, rmSync } from 'node:fs'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { fileWords } from '../kit/reading/fileWords.ts'
import { Refusal } from '../kit/refusal.ts'
import { type Signers, signing } from './signature.ts'
import { type Copied, createTally, type OnRows, type Source } from './source.ts'

const ownerOnly = 0o600
/** Quick; a stronger one saves a tenth of the space. */
const gzipLevel = 3

export interface Written {
  file: string
  bytes: number
  /** False where no secret was held: whoever restores it cannot know who wrote it. */
  isSigned: boolean
  tables: Copied[]
}

export interface WriteParts {
  madeAt: Date
  /** Undefined: it is not signed. */
  secrets: Signers | undefined
  onRows: OnRows
}

/**
 * Under its name it is there when it is whole, and on the disk.
 *
 * @throws Refusal when there is such a file
 */
export async function writeCopy(
  source: Source,
  file: string,
  { madeAt, secrets, onRows }: WriteParts,
): Promise<Written> {
  if (await stat(file).catch(() => undefined)) throw taken(file)
  // Somebody else may write to the same name.
  const unfinished = `${file}.${randomBytes(4).toString('hex')}.unfinished`
  const tables: Copied[] = []
  // Who ends the process meanwhile leaves it no other moment for that.
  const remove = () => rmSync(unfinished, { force: true })
  process.once('exit', remove)
  try {
    const output = createWriteStream(unfinished, { mode: ownerOnly, flags: 'wx', flush: true })
    const lines = Readable.from(formatLines(source, madeAt, tables, onRows), { objectMode: false })
    await pipeline(lines, createGzip({ level: gzipLevel }), secrets ? signing(secrets) : new PassThrough(), output)
    await giveName(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    const failed = error as NodeJS.ErrnoException
    if (failed.syscall) throw new Refusal(`Cannot write ${file}: ${fileWords(failed)}.`)
    throw error
  } finally {
    process.off('exit', remove)
  }
  return { file, bytes: (await stat(file)).size, isSigned: secrets !== undefined, tables }
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

async function* formatLines(source: Source, madeAt: Date, copied: Copied[], onRows: OnRows): AsyncGenerator<Buffer> {
  const sum = createHash('sha256')
  const toBytes = (lines: readonly string[]) => {
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    sum.update(bytes)
    return bytes
  }
  yield toBytes([JSON.stringify({ watchword: 'backup', form: 1, madeAt, edition: source.edition })])
  for await (const { table, batches } of source.tables()) {
    const tally = createTally()
    yield toBytes([JSON.stringify({ table })])
    for await (const rows of batches()) {
      tally.add(rows)
      onRows(table.name, tally.rows)
      yield toBytes(rows)
    }
    yield toBytes([JSON.stringify({ rows: tally.rows, digest: tally.digest })])
    copied.push({ table: table.name, rows: tally.rows })
  }
  yield Buffer.from(`${JSON.stringify({ sha256: sum.digest('hex') })}\n`)
}
