/** A list of phones as other systems export it: one on each line, or a table with a column of them. */

import { inTurns } from '../../../kit/inTurns.ts'
import type { FileFault } from '../../../kit/reading/boundedYaml.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { readTyped, type TypedPhone } from './typedPhone.ts'

/** Of one transaction: some seconds of work. */
export const phonesAtOnceMax = 10_000
/** Phones that are read in one go: a few milliseconds' work. */
export const phonesInOneGo = 250

/** How tables call the column of their phones. */
const header =
  /^(phones?|phone[ _-]?numbers?|numbers?|mobile|mobile[ _-]?(number|phone)|cell|msisdn|tel|telephone|telefon)$/i

/** Those that differ, and every line that holds no phone, without a digit of it. */
export interface PhoneList {
  phones: string[]
  faults: FileFault[]
}

/** @param name of the list, for what is wrong with it. @throws Refusal for none or too many */
export async function readPhoneList(text: string, name: string, phonesMax = phonesAtOnceMax): Promise<PhoneList> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const read: ({ line: number } & TypedPhone)[] = []
  let column: number | undefined
  for await (const part of inTurns([...lines.entries()], phonesInOneGo)) {
    for (const [index, line] of part) {
      const cells = splitCells(line)
      if (!cells.some(Boolean)) continue
      if (column === undefined) {
        column = cells.findIndex((cell) => header.test(cell))
        if (column >= 0) continue
      }
      read.push({ line: index + 1, ...readTyped(cells[Math.max(column, 0)] ?? '') })
    }
    if (read.length > phonesMax) throw new Refusal(`${name} has more than ${phonesMax} phones: divide it.`)
  }
  if (read.length === 0) throw new Refusal(`${name} has no phones.`)
  return {
    phones: [...new Set(read.flatMap(({ phone }) => phone ?? []))],
    faults: read.flatMap(({ line, fault }) => (fault === undefined ? [] : { line, path: ['phone'], fault })),
  }
}

/** Of a table, its cells; spreadsheets divide them by commas, semicolons or tabs, and put quotes around some. */
function splitCells(line: string): string[] {
  const cells = line.match(/"(?:[^"]|"")*"|[^,;\t]+|(?<=[,;\t]|^)(?=[,;\t]|$)/g) ?? []
  return cells.map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/s, '$1')
      .replaceAll('""', '"')
      .trim(),
  )
}
