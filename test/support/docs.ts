/** The text of the README and of the pages of `docs/`, for the tests that hold them to the code. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @param path from the root of the checkout */
export function pageOf(path: string): string {
  return readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
}

/** @throws Error when the page has no such section */
export function sectionOf(path: string, title: string): string {
  const [, section] = pageOf(path).split(`\n## ${title}\n`)
  if (section === undefined) throw new Error(`${path} has no section "${title}"`)
  return section.split('\n## ')[0]!
}

export function bashBlocksOf(text: string): string[] {
  return Array.from(text.matchAll(/^```bash\n(.*?)\n```$/gms), ([, block]) => block!)
}
