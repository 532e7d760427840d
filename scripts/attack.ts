/** Plays attacks and honest crowds, against the standard list with every rule on block: docs/protection.md. */
import { InvalidArgumentError } from 'commander'
import { hasTable, writeTable } from './attack/page.ts'
import { patterns } from './attack/patterns.ts'
import { type PlayedPattern, type PlayedScenario, playPattern, playScenario } from './attack/play.ts'
import { differences, formatTable, missedGoals } from './attack/report.ts'
import { scenarios } from './attack/scenarios.ts'
import { openServices } from './attack/service.ts'
import { type OpenStage, openMemory } from './attack/stage.ts'
import { createCommand } from './command.ts'

const names = [...patterns, ...scenarios].map(({ name }) => name)
const about =
  'Plays attacks and honest crowds, and says what the rules let through and stop; 1 when that is not as it must be.'
const { pattern, on, services, write, check, seed, short } = createCommand('attack', about)
  .option('--pattern <name>', `all, or one of ${names.join(', ')}`, known, 'all')
  .option('--on <what>', 'service, with its API and a PostgreSQL; or rules: these alone, from memory', stage, 'rules')
  .option('--services <number>', 'so many of them on that PostgreSQL, which are asked in turn', several, 1)
  .option('--short', 'honest people come only from two hours before the attack until its end')
  .option('--seed <number>', 'the same seed plays the same sends', whole, 1)
  .option('--write', 'put the table of all into docs/protection.md')
  .option('--check', 'only look whether that table is what is played')
  .parse()
  .opts<Options>()

const isChosen = ({ name }: { name: string }) => pattern === 'all' || name === pattern
const alone = await playAll(openMemory)
const played = on === 'service' ? await playAll((before) => openServices(before, services)) : alone
// An attack in each of the crowds is played by the rules alone: a service would take an hour for all of them.
const crowds: PlayedScenario[] = []
for (const one of scenarios.filter(isChosen)) crowds.push(await playScenario(one, patterns, openMemory, { seed }))
const table = formatTable(played, crowds)
process.stdout.write(`${table}\n`)
// Each of several knows a second late what another one has counted for a country.
const faults = [...missedGoals(played, crowds), ...(services === 1 ? differences(played, alone) : [])]
if (write) await writeTable(table)
if (check && !(await hasTable(table))) {
  faults.push('docs/protection.md has another table: run "npm run attack -- --write".')
}
process.stderr.write(faults.map((line) => `${line}\n`).join(''))
if (faults.length > 0) process.exitCode = 1

interface Options {
  pattern: string
  on: 'service' | 'rules'
  services: number
  seed: number
  short?: boolean
  write?: boolean
  check?: boolean
}

async function playAll(openStage: OpenStage): Promise<PlayedPattern[]> {
  const list: PlayedPattern[] = []
  for (const one of patterns.filter(isChosen)) list.push(await playPattern(one, openStage, { seed, isShort: short }))
  return list
}

function known(name: string): string {
  if (name !== 'all' && !names.includes(name)) throw new InvalidArgumentError(`There are all, ${names.join(', ')}.`)
  return name
}

function stage(text: string): string {
  if (text !== 'service' && text !== 'rules') throw new InvalidArgumentError('It is service or rules.')
  return text
}

function several(text: string): number {
  if (!/^[1-9]$/.test(text)) throw new InvalidArgumentError('It is a number from 1 to 9.')
  return Number(text)
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.')
  return Number(text)
}
