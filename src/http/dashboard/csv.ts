/** Lines of CSV (RFC 4180), for spreadsheets, and the files that they are saved in. */
import { Forbidden } from '../../domain/access/actor.ts'
import type { Asked, Download } from './route.ts'

/**
 * A cell that begins so is taken for a formula, which can fetch and run what it likes. Where a comma stands in numbers, spreadsheets
 * begin a cell after each semicolon. Where people write in wide characters, those count as the narrow ones.
 */
const formula = /(^|;)(?=[=+\-@＝＋－＠\t\r\n])/g

/** A formula gets an apostrophe before it, by which spreadsheets take it for text. Null is an empty cell. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(plain(cell ?? ''))).join(',')}\r\n`
}

/** @param what is in it */
export function csvFile(what: string, now: Date): Pick<Download, 'fileName' | 'type'> {
  return { fileName: `${what}-${now.toISOString().slice(0, 10)}.csv`, type: 'text/csv; charset=utf-8; header=present' }
}

/** What was read for a user who is signed out by then, is not sent. */
export async function* whileSignedIn<Page>(
  { entrance, session }: Asked,
  pages: AsyncIterable<Page>,
): AsyncGenerator<Page> {
  for await (const page of pages) {
    const left = await entrance.sessions.list(session)
    if (left.every(({ id }) => id !== session.id)) throw new Forbidden('You have been signed out.')
    yield page
  }
}

function plain(text: string): string {
  return text.replaceAll(formula, "$1'")
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
