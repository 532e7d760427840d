/** What came of attacks, as a table; and whether that is as good as it has to be. */
import type { PlayedPattern } from './play.ts'

const goals = {
  /** Of the sends after the first fifty, at least this part is stopped. */
  stoppedLater: 0.9,
  /** Of the honest sends, less than this part is. */
  honestStopped: 0.005,
  /** Of all sends, the service may judge this part otherwise than the rules alone: it knows less of the day before. */
  differing: 0.005,
}

export function tableOf(played: readonly PlayedPattern[]): string {
  const head = [
    'attack',
    'sends',
    'let through',
    'stopped after the first 50',
    'first stopped after',
    'honest sends stopped',
    'by',
  ]
  const rows = played.map(rowOf)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function rowOf({
  name,
  about,
  sends,
  passed,
  stoppedLater,
  firstStopAfter,
  honest,
  honestStopped,
  rules,
}: PlayedPattern) {
  return [
    `\`${name}\`: ${about}`,
    ...[String(sends), String(passed), percent(stoppedLater)],
    firstStopAfter === undefined ? 'never' : spanOf(firstStopAfter),
    `${honestStopped} of ${honest} (${percent(honestStopped / honest, 2)})`,
    rules.map(([rule]) => `\`${rule}\``).join(', ') || '-',
  ]
}

/** @returns what is not as good as it has to be, a sentence each */
export function missedGoals(played: readonly PlayedPattern[]): string[] {
  const bound = played.filter(({ isGoal }) => isGoal)
  return bound.flatMap(({ name, stoppedLater, honest, honestStopped }) => [
    ...(stoppedLater < goals.stoppedLater
      ? [
          `${name}: ${percent(stoppedLater)} of the sends after the first 50 were stopped; the goal is ${percent(goals.stoppedLater)}.`,
        ]
      : []),
    ...(honestStopped / honest >= goals.honestStopped
      ? [
          `${name}: ${percent(honestStopped / honest, 2)} of the honest sends were stopped; the goal is less than ${percent(goals.honestStopped, 1)}.`,
        ]
      : []),
  ])
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

function spanOf(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds < 60
    ? `${seconds} s`
    : seconds < 3600
      ? `${Math.round(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`
}
