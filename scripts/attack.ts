/** Plays attacks beside honest traffic, against the standard list with every rule on block: docs/protection.md. */
import { InvalidArgumentError } from 'commander'
import { hasTable, writeTable } from './attack/page.ts'
import { patterns } from './attack/patterns.ts'
import { type PlayedPattern, playPattern } from './attack/play.ts'
import { missedGoals, tableOf } from './attack/report.ts'
import { openMemory } from './attack/stage.ts'
import { createCommand } from './command.ts'

const names = patterns.map(({ name }) => name)
const about =
  'Plays attacks beside honest traffic, and says what the rules let through; 1 when that is more than it may be.'
const { pattern, seed, write, check } = createCommand('attack', about)
  .option('--pattern <name>', `all, or one of ${names.join(', ')}`, known, 'all')
  .option('--seed <number>', 'the same seed plays the same sends', whole, 1)
  .option('--write', 'put the table of all into docs/protection.md')
  .option('--check', 'only look whether that table is what is played')
  .parse()
  .opts<{ pattern: string; seed: number; write?: boolean; check?: boolean }>()

const played: PlayedPattern[] = []
for (const one of patterns.filter(({ name }) => pattern === 'all' || name === pattern)) {
  played.push(await playPattern(one, openMemory, seed))
}
const table = tableOf(played)
process.stdout.write(`${table}\n`)
const faults = missedGoals(played)
if (write) await writeTable(table)
if (check && !(await hasTable(table))) {
  faults.push('docs/protection.md has another table: run "npm run attack -- --write".')
}
process.stderr.write(faults.map((line) => `${line}\n`).join(''))
if (faults.length > 0) process.exitCode = 1

function known(name: string): string {
  if (name !== 'all' && !names.includes(name)) throw new InvalidArgumentError(`There are all, ${names.join(', ')}.`)
  return name
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.')
  return Number(text)
}
