/** What came of attacks and of honest crowds, as a table; and whether that is as good as it has to be. */
import { firstSends, type Played, type PlayedPattern, type PlayedScenario } from './play.ts'
import { alike } from './scenarios.ts'

const goals = {
  /** Of the sends of an attack after its first fifty, at least this part is stopped. */
  stoppedLater: 0.9,
  /** In the middle of an honest crowd, this part of those after the first hundred. */
  stoppedInTheMiddle: 0.8,
  /** Of the honest sends, less than this part is. */
  honestStopped: 0.005,
  /** Of all sends, the service may judge this part otherwise than the rules alone: it knows less of the day before. */
  differing: 0.005,
}

const head = [
  'played',
  'sends of the attack',
  'let through',
  'stopped after the first 50; in a crowd, 100',
  'first stopped after',
  'honest sends stopped',
  'by',
]

export function formatTable(patterns: readonly PlayedPattern[], scenarios: readonly PlayedScenario[]): string {
  const rows = [...patterns.map(formatRow), ...scenarios.flatMap((one) => [rowOfCrowd(one), rowOfAttacked(one)])]
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function formatRow(played: PlayedPattern): string[] {
  const { name, about, sends, passed, stoppedLater, firstStopAfter } = played
  return [
    `\`${name}\`: ${about}`,
    ...[String(sends), String(passed), percent(stoppedLater)],
    firstStopAfter === undefined ? 'never' : formatSpan(firstStopAfter),
    ...[honestText(played), namesOf(played.rules.map(([rule]) => rule))],
  ]
}

function rowOfCrowd({ name, about, alone }: PlayedScenario): string[] {
  return [`honest \`${name}\`: ${about}`, 'none', '', '', '', honestText(alone), namesOf([])]
}

/** The worst of all attacks, but for those that the rules cannot tell from the crowd. */
function rowOfAttacked(scenario: PlayedScenario): string[] {
  const told = toldApart(scenario)
  const others = Object.entries(alike).map(([name, stop]) => `\`${name}\` (stopped by ${stop})`)
  const least = told.toSorted((one, other) => one.stoppedLater - other.stoppedLater)[0]!
  const latest = told.toSorted((one, other) => (other.firstStopAfter ?? 0) - (one.firstStopAfter ?? 0))[0]!
  const most = told.toSorted((one, other) => partOf(other) - partOf(one))[0]!
  const rules = new Set(told.flatMap((one) => one.rules.map(([rule]) => rule)))
  return [
    `\`${scenario.name}\` with each attack in the middle of it, but for ${others.join(', ')}`,
    ...[String(sumOf(told, 'sends')), String(sumOf(told, 'passed'))],
    `${percent(least.stoppedLater)} of \`${least.pattern}\`, more of the others`,
    `${formatSpan(latest.firstStopAfter ?? 0)} at most`,
    `${honestText(most)} at most`,
    namesOf([...rules].toSorted()),
  ]
}

function toldApart({ attacked }: PlayedScenario): PlayedScenario['attacked'] {
  return attacked.filter(({ pattern }) => alike[pattern] === undefined)
}

function sumOf(list: readonly Played[], what: 'sends' | 'passed'): number {
  return list.reduce((sum, one) => sum + one[what], 0)
}

function partOf({ honest, honestStopped }: Played): number {
  return honestStopped / honest
}

function honestText(played: Played): string {
  return `${played.honestStopped} of ${played.honest} (${percent(partOf(played), 2)})`
}

function namesOf(rules: readonly string[]): string {
  return rules.map((rule) => `\`${rule}\``).join(', ') || '-'
}

/** @returns what is not as good as it has to be, a sentence each */
export function missedGoals(patterns: readonly PlayedPattern[], scenarios: readonly PlayedScenario[] = []): string[] {
  return [
    ...patterns
      .filter(({ isGoal }) => isGoal)
      .flatMap((one) => [
        ...missedStop(one.name, one, { least: goals.stoppedLater, after: firstSends.beside }),
        ...missedHonest(one.name, one),
      ]),
    ...scenarios.flatMap((scenario) => [
      ...missedHonest(scenario.name, scenario.alone),
      ...toldApart(scenario).flatMap((one) => {
        const name = `${scenario.name} with ${one.pattern}`
        const goal = { least: goals.stoppedInTheMiddle, after: firstSends.inTheMiddle }
        return [...missedStop(name, one, goal), ...missedHonest(name, one)]
      }),
    ]),
  ]
}

function missedStop(
  name: string,
  { stoppedLater }: Played,
  { least, after }: { least: number; after: number },
): string[] {
  if (stoppedLater >= least) return []
  return [
    `${name}: ${percent(stoppedLater)} of the sends after the first ${after} were stopped; the goal is ${percent(least)}.`,
  ]
}

function missedHonest(name: string, played: Played): string[] {
  if (partOf(played) < goals.honestStopped) return []
  const [part, goal] = [percent(partOf(played), 2), percent(goals.honestStopped, 1)]
  return [`${name}: ${part} of the honest sends were stopped; the goal is less than ${goal}.`]
}

/** @param alone the same, by the rules alone @returns whether the service has judged otherwise, a sentence each */
export function differences(played: readonly PlayedPattern[], alone: readonly PlayedPattern[]): string[] {
  return played.flatMap(({ name, stopped }, index) => {
    const others = alone[index]!.stopped
    const count = stopped.filter((one, place) => one !== others[place]).length
    if (count <= goals.differing * stopped.length) return []
    return [`${name}: the service has judged ${count} of ${stopped.length} sends otherwise than the rules alone.`]
  })
}

function percent(part: number, places = 0): string {
  return `${(100 * part).toFixed(places)} %`
}

function formatSpan(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds < 60
    ? `${seconds} s`
    : seconds < 3600
      ? `${Math.round(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`
}
