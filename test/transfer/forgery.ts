/** Backups as somebody makes them who knows their form and not the secret. */
import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createTally } from '../../src/transfer/source.ts'

/** The lines of a backup, the last of them empty, without its signature. */
export function linesOf(bytes: Buffer): string[] {
  const lines = gunzipSync(bytes).toString().split('\n')
  return lines.filter((line) => !line.startsWith('{"signedBy"'))
}

/** Packs lines with sums that are right. */
export function packed(lines: readonly string[]): Buffer {
  const sum = createHash('sha256')
  let tally = createTally()
  const right = lines.filter(Boolean).map((line) => {
    if (line.startsWith('[')) tally.add([line])
    const isCount = line.startsWith('{"rows"')
    const text = line.startsWith('{"sha256"')
      ? JSON.stringify({ sha256: sum.digest('hex') })
      : isCount
        ? JSON.stringify({ rows: tally.rows, digest: tally.digest })
        : line
    if (isCount) tally = createTally()
    if (!line.startsWith('{"sha256"')) sum.update(`${text}\n`)
    return text
  })
  return gzipSync(`${right.join('\n')}\n`)
}
