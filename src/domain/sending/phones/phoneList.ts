/** A list of phones as other systems export it: one on each line, or a table with a column of them. */

import type { FileFault } from '../../../kit/reading/boundedYaml.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { readTyped } from './typedPhone.ts'

/** Of one transaction: some seconds of work. */
export const phonesAtOnceMax = 10_000

/** How tables call the column of their phones. */
const header =
  /^(phones?|phone[ _-]?numbers?|numbers?|mobile|mobile[ _-]?(number|phone)|cell|msisdn|tel|telephone|telefon)$/i

/** Those that differ, and every line that holds no phone, without a digit of it. */
export interface PhoneList {
  phones: string[]
  faults: FileFault[]
}

/** @param name of the list, for what is wrong with it. @throws Refusal for none or too many */
export function readPhoneList(text: string, name: string, phonesMax = phonesAtOnceMax): PhoneList {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const rows = lines
    .map((line, index) => ({ line: index + 1, cells: splitCells(line) }))
    .filter(({ cells }) => cells.some(Boolean))
  const column = rows[0]?.cells.findIndex((cell) => header.test(cell)) ?? -1
  const read = (column < 0 ? rows : rows.slice(1)).map(({ line, cells }) => ({
    line,
    ...readTyped(cells[Math.max(column, 0)] ?? ''),
  }))
  if (read.length === 0) throw new Refusal(`${name} has no phones.`)
  if (read.length > phonesMax) throw new Refusal(`${name} has more than ${phonesMax} phones: divide it.`)
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
