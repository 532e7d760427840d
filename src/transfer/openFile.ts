/**
 * Reads a copy from a file. A signature is checked before anything is unpacked. A file without one is taken only where that is
 * asked for: it may be of anybody, so what it can take of memory and time has bounds.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { fileWords } from '../kit/reading/fileWords.ts'
import { Refusal } from '../kit/refusal.ts'
import {
  type CopySignature,
  createCopyVerifier,
  findSignature,
  isAsSigned,
  type Signers,
  type Verifier,
} from './signature.ts'
import { createTally, type Source } from './source.ts'

/** Rows that are handed on at once, and characters: a row more may come. */
const [batchRows, batchCharactersMax] = [1000, 8 * 1024 * 1024]

/** What an unsigned file may make of its bytes. Backups grow to some ten times their bytes, what is made to harm to a thousand times. */
const unsignedBounds = { lineCharactersMax: 16 * 1024 * 1024, timesMax: 50, charactersFree: 4 * 1024 * 1024 }

const text = z.string()
const header = z.strictObject({
  watchword: z.literal('backup'),
  form: z.literal(1),
  madeAt: z.iso.datetime(),
  edition: z.strictObject({ migrations: z.array(text), queue: z.int() }),
})
/** What is run as SQL is a name or a list of values, and nothing else. A name also stands in texts, so it ends none. */
const name = `[a-z_]+\\.(\\w+|"[^"'$\\\\]+")`
const sqlName = new RegExp(`^${name}$`)
const value = `('(?:[^']|'')*'|-?\\d+|MINVALUE|MAXVALUE|NULL)`
const values = `\\(${value}(, ${value})*\\)`
const partition = new RegExp(
  `^partition of ${name} (DEFAULT|FOR VALUES (IN ${values}|FROM ${values} TO ${values}))( partition by (RANGE|LIST|HASH) \\([\\w, ]+\\))?$`,
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

export interface OpenParts {
  /** Those that may have signed it; undefined: none is held. */
  secrets: Signers | undefined
  /** Also take a file of which nobody can tell who wrote it. */
  isUnverified: boolean
}

/**
 * A backup as it was written: by somebody with one of the secrets, or by its own sums where that is not asked for.
 *
 * @throws Refusal when it is not, or cannot be read
 */
export async function openFile(file: string, parts: OpenParts): Promise<{ source: Source; madeAt: string }> {
  // One that is not there is told where it is read.
  if ((await stat(file).catch(() => undefined))?.isFile() === false) {
    throw new Refusal(`${file} is a pipe or a folder: a backup is read more than once, so name the file itself.`)
  }
  const copy = await verified(file, parts)
  const start = header.safeParse(parsed(await keepFirst(linesIn(copy))))
  if (!start.success) throw new Refusal(`${file} is no backup of this version of Watchword.`)
  const { edition, madeAt } = start.data
  const source: Source = { edition, name: `The backup ${file}`, tables: () => tablesIn(copy) }
  if (!copy.verifier) await requireWhole(copy)
  return { source, madeAt }
}

async function keepFirst(lines: AsyncIterable<string>): Promise<string | undefined> {
  for await (const line of lines) return line
  return undefined
}

/** @throws Refusal when its last line does not have the sum of those before it */
async function requireWhole(copy: Copy): Promise<void> {
  const sum = createHash('sha256')
  let last: string | undefined
  for await (const line of linesIn(copy)) {
    if (last !== undefined) sum.update(`${last}\n`)
    last = line
  }
  if (lastLine.safeParse(parsed(last)).data?.sha256 !== sum.digest('hex')) throw damaged(copy.file)
}

/** The part of a file that is the copy. */
interface Copy {
  file: string
  bytes: number
  /** Checks that what is read is what was signed; undefined where nobody can tell. */
  verifier: (() => Verifier) | undefined
}

async function verified(file: string, { secrets, isUnverified }: OpenParts): Promise<Copy> {
  const { bytes, signature } = await findSignature(file).catch((error: unknown) => {
    throw unread(file, error)
  })
  const verifier = signature && createCopyVerifier(signature, secrets)
  if (!signature || !verifier) {
    if (isUnverified) return { file, bytes, verifier: undefined }
    throw signature ? secretMissing(file, signature, secrets) : unsigned(file)
  }
  const isGood = await isAsSigned(file, bytes, verifier).catch((error: unknown) => {
    throw unread(file, error)
  })
  if (!isGood) throw damaged(file)
  return { file, bytes, verifier: () => createCopyVerifier(signature, secrets)! }
}

const damaged = (file: string) => new Refusal(`The backup ${file} is cut off or was changed: nothing was restored.`)

function unsigned(file: string): Refusal {
  return new Refusal(
    `${file} is not signed, or is cut off or was changed: nothing was restored. If it is a backup of an older version, and you ` +
      'know that it was not changed, pass --unverified.',
  )
}

function secretMissing(file: string, { keyId }: CopySignature, secrets: Signers | undefined): Refusal {
  const own = secrets ? `the secrets that are set have ${secrets.keyIds.join(', ')}` : 'no secret is set'
  return new Refusal(
    `The backup ${file} is signed with the secret whose key id is ${keyId}; ${own}. Nothing was restored. Set WATCHWORD_SECRET ` +
      'as it was when the backup was made. If that is lost, and you know that the file was not changed, pass --unverified.',
  )
}

function unread(file: string, error: unknown): unknown {
  const failed = error as NodeJS.ErrnoException
  return failed.syscall ? new Refusal(`Cannot read ${file}: ${fileWords(failed)}.`) : error
}

async function* tablesIn(copy: Copy): ReturnType<Source['tables']> & AsyncGenerator {
  const { file } = copy
  const sum = createHash('sha256')
  const lines = linesIn(copy)
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
    yield { table: start.data.table, batches: () => findBatches(noted, () => damaged(file)) }
  }
}

async function* findBatches(noted: () => Promise<string>, fault: () => Refusal): AsyncGenerator<string[]> {
  const tally = createTally()
  let rows: string[] = []
  let characters = 0
  for (let line = await noted(); ; line = await noted()) {
    const isRow = line.startsWith('[')
    if (isRow) characters += rows.push(line) && line.length
    if (rows.length > 0 && (!isRow || rows.length === batchRows || characters > batchCharactersMax)) {
      tally.add(rows)
      yield rows
      rows = []
      characters = 0
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

/**
 * A line ends with a line feed alone: other ends that Unicode has may stand in a text.
 *
 * @throws Refusal at the end too, when the file was changed since its signature was checked
 */
async function* linesIn({ file, bytes, verifier }: Copy): AsyncGenerator<string, undefined> {
  const check = verifier?.()
  /** Of a line that is not over, in its parts: to join them each time would take as long as the square of its length. */
  let begun: string[] = []
  let [length, unpacked] = [0, 0]
  const { stream, parts } = unpack(file, bytes, check)
  try {
    for await (const part of parts) {
      const end = part.lastIndexOf('\n')
      length = end < 0 ? length + part.length : part.length - end - 1
      unpacked += part.length
      if (!check) requireBounded(file, { length, unpacked, read: stream.bytesRead })
      if (end >= 0) {
        yield* (begun.join('') + part.slice(0, end)).split('\n')
        begun = []
      }
      begun.push(part.slice(end + 1))
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw damaged(file)
    if (code?.startsWith('Z_')) throw new Refusal(`${file} is no backup of Watchword, or is damaged.`)
    throw unread(file, error)
  } finally {
    stream.destroy()
  }
  if (length > 0 || check?.isGood() === false) throw damaged(file)
  return undefined
}

function unpack(file: string, bytes: number, check: Verifier | undefined) {
  const stream = createReadStream(file, { end: Math.max(bytes - 1, 0) })
  const unpacked = createGunzip({ chunkSize: 64 * 1024 })
  if (check) stream.on('data', (chunk) => check.update(chunk as Buffer))
  // What fails below it, fails there.
  stream.once('error', (error) => unpacked.destroy(error))
  return { stream, parts: stream.pipe(unpacked).setEncoding('utf8') as AsyncIterable<string> }
}

/** @throws Refusal for what no backup of an older version is */
function requireBounded(file: string, { length, unpacked, read }: { length: number; unpacked: number; read: number }) {
  const { lineCharactersMax, timesMax, charactersFree } = unsignedBounds
  if (length > lineCharactersMax) throw damaged(file)
  if (unpacked <= charactersFree + timesMax * read) return
  throw new Refusal(`${file} unpacks to more than ${timesMax} times its size, as no backup does: nothing was restored.`)
}
