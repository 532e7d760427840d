/** Lines of CSV (RFC 4180), for spreadsheets. */

/**
 * A cell that begins so is taken for a formula, which can fetch and run what it likes. Where a comma stands in numbers, spreadsheets
 * begin a cell after each semicolon.
 */
const formula = /(^|;)(?=[=+\-@\t\r])/g

/** A formula gets an apostrophe before it, by which spreadsheets take it for text. Null is an empty cell. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(plain(cell ?? ''))).join(',')}\r\n`
}

function plain(text: string): string {
  return text.replaceAll(formula, "$1'")
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
