/** What Node runs of a service: of a checkout by its scripts, of a folder that the package is installed in by its command. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'

const commandOf = (folder: string) => join(folder, 'node_modules/watchword/bin/watchword.js')

/** @returns the arguments of Node for a process, but for its role */
export async function findProgram(root: string, script: 'start' | 'worker'): Promise<string[]> {
  const command = commandOf(root)
  if (existsSync(command)) {
    const [first = ''] = (await readFile(command, 'utf8')).split('\n')
    return [...wordsAfterNode(first), command]
  }
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  return wordsAfterNode(scripts[script] ?? '').slice(0, -1)
}

/** @returns the arguments of Node for an operator's command, but for its own */
export function findCli(root: string): string[] {
  const command = commandOf(root)
  return existsSync(command) ? [command] : ['--import', './src/loading.js', 'src/cli.ts']
}

function wordsAfterNode(line: string): string[] {
  const words = line.split(' ')
  return words.slice(words.indexOf('node') + 1)
}

/** Of a command line. @throws InvalidArgumentError */
export function packageFolder(path: string): string {
  if (!existsSync(commandOf(path))) throw new InvalidArgumentError('The package is not installed in that folder.')
  return resolve(path)
}
