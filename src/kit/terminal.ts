/** Text for a terminal: what rows and files hold cannot give it orders, nor make lines of its own. */

/** Control characters, line ends, signs that change the direction or cannot be seen, and what stands for no character. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu

/** On one line, with escapes like those of JSON in place of what cannot be printed. */
export function visible(text: string): string {
  return text.replace(unprintable, escaped)
}

/** A JSON value on one line: the same value as ever, also where a string in it holds what cannot be printed. */
export function jsonLine(value: object): string {
  // Outside of its strings there is nothing to replace, and inside of them an escape means the character.
  return visible(JSON.stringify(value))
}

/** A line for each record, under their names. */
export function table(records: Record<string, unknown>[]): string {
  const [first] = records
  if (!first) return 'None.'
  const cells = [
    Object.keys(first),
    ...records.map((record) => Object.values(record).map((value) => visible(String(value ?? '-')))),
  ]
  const widths = Object.keys(first).map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function escaped(character: string): string {
  if (character === '\n') return '\\n'
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
