/** The table of attacks in the docs: between two comments that keep its place. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const page = join(import.meta.dirname, '../../docs/protection.md')
const [begin, end] = ['<!-- played: attacks -->', '<!-- end: attacks -->'] as const

/** Puts a table there. */
export async function writeTable(table: string): Promise<void> {
  await writeFile(page, withTable(await readFile(page, 'utf8'), table))
}

/** Whether the page has that table. */
export async function hasTable(table: string): Promise<boolean> {
  const text = await readFile(page, 'utf8')
  return withTable(text, table) === text
}

/** @throws Error when the page has no place for it */
function withTable(text: string, table: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`${page} has no place for the table of attacks`)
  return `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`
}
