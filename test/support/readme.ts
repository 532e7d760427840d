/** The README, as those read it who do what it says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

/** @throws Error when the README has no such section */
export function sectionOf(title: string): string {
  const [, section] = readme.split(`\n## ${title}\n`)
  if (section === undefined) throw new Error(`the README has no section "${title}"`)
  return section.split('\n## ')[0]!
}

export function bashBlocksOf(section: string): string[] {
  return Array.from(section.matchAll(/^```bash\n(.*?)\n```$/gms), ([, block]) => block!)
}
