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
  return blocksOf('bash', text)
}

/** @param language as the page names it; empty for what has none */
export function blocksOf(language: string, text: string): string[] {
  const blocks = text.matchAll(/^```(\w*)\n(.*?)\n```$/gms)
  return Array.from(blocks).flatMap(([, name, block]) => (name === language ? block! : []))
}

/** Blocks of a page in its order, also those in lists, without their indentation. */
export function allBlocksOf(text: string): { language: string; text: string }[] {
  return Array.from(text.matchAll(/^( *)```(\w*)\n(.*?)\n\1```$/gms), ([, indent, language, block]) => ({
    language: language!,
    text: block!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}

/** The commands of the blocks for a shell, each whole: lines that a backslash or a quote leaves open are of the same one. */
export function commandsOf(page: string): string[] {
  const blocks = allBlocksOf(pageOf(page)).filter(({ language }) => ['bash', 'sh'].includes(language))
  return blocks.flatMap(({ text }) => {
    const commands = ['']
    for (const line of text.split('\n')) {
      const command = commands.pop()! + line
      const isOpen = command.endsWith('\\') || command.replaceAll(/"[^"']*"/g, '').split("'").length % 2 === 0
      commands.push(...(isOpen ? [`${command}\n`] : [command, '']))
    }
    return commands
      .map((command) =>
        command
          .replaceAll(/\\\n\s*/g, '')
          .replace(/(^|\s+)#.*$/s, '')
          .trim(),
      )
      .filter(Boolean)
  })
}
