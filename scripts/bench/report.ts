/** The findings as a table for people. */
import { bareNames } from './bare.ts'
import type { Figure, Ratio } from './figure.ts'
import type { Life } from './life.ts'
import type { Start } from './start.ts'
import type { Retention } from './years.ts'

const columns = ['requests/s', 'CPU µs', 'PostgreSQL µs', 'callers µs', 'p50 ms', 'p99 ms', 'MB at rest', 'MB after']
const nameWidth = 48
const widths = columns.map((column) => Math.max(column.length, 7) + 2)

export function heading(): string {
  return formatLine('', columns)
}

/** One measure: a line for each server, and a line for each ratio. */
export function measureLines(figures: Figure[], ratios: Ratio[]): string {
  const lines = figures.map((figure) =>
    formatLine(`  ${figure.of}`, [
      rounded(figure.requestsPerSecond),
      rounded(figure.cpuMicros),
      rounded(figure.postgresCpuMicros),
      figure.callersCpuMicros === null ? '' : rounded(figure.callersCpuMicros),
      ...[figure.p50Ms, figure.p99Ms].map((ms) => (ms === null ? '' : ms.toFixed(2))),
      rounded(figure.memoryAtRestMb),
      rounded(figure.memoryAfterMb),
    ]),
  )
  for (const [of, to] of listPairs(ratios)) {
    const cells = (['requestsPerSecond', 'cpuMicros'] as const).map((what) => {
      const found = ratios.find((ratio) => ratio.of === of && ratio.to === to && ratio.what === what)
      return found ? `× ${found.ratio.toFixed(2)}` : ''
    })
    lines.push(formatLine(`  ${of} : ${isBare(to) ? 'bare' : to}`, cells))
  }
  return lines.join('\n')
}

export function startLines(starts: Start[]): string {
  const lines = starts.map(
    ({ of, firstMs, laterMs, firstMb, laterMb }) =>
      `  ${of}: first ${rounded(firstMs)} ms and ${rounded(firstMb)} MB, later ${rounded(laterMs)} ms and ${rounded(laterMb)} MB`,
  )
  return lines.join('\n')
}

export function retentionLines(found: Retention): string {
  return [
    `a message takes ${rounded(found.messageBytes)} bytes with its indexes, a phone ${rounded(found.phoneBytes)}`,
    `filled in ${rounded(found.fillSeconds)} s`,
    `a sweep ${rounded(found.sweepMs)} ms, a purge that finds nothing ${rounded(found.idleMs)} ms`,
    `a purge that drops a day ${rounded(found.dropMs)} ms; its longest transaction ${rounded(found.longestMs)} ms, of those ` +
      `that drop a partition ${rounded(found.longestDropMs)} ms; it dropped ${found.purged.partitionsDropped} partitions`,
  ]
    .map((line) => `  ${line}`)
    .join('\n')
}

export function lifeLines(lives: Life[]): string {
  return lives.flatMap(linesOfLife).join('\n')
}

function linesOfLife({ of, codes, steps, messageBytes, phoneBytes }: Life): string[] {
  const stepLines = steps.map(
    (step) =>
      `    ${step.name}: ${rounded(step.cpuMicros)} µs of CPU and ${rounded(step.postgresCpuMicros)} µs of PostgreSQL's, ` +
      `${rounded(step.walBytes)} bytes of its log with ${step.walPages.toFixed(2)} whole pages`,
  )
  const places = `    on the disk: ${rounded(messageBytes)} bytes for a message, ${rounded(phoneBytes)} for a new phone`
  return [`  ${of}, each of ${codes} codes:`, ...stepLines, places]
}

function formatLine(name: string, cells: string[]): string {
  const gap = name.length > nameWidth ? `${name}\n${' '.repeat(nameWidth)}` : name.padEnd(nameWidth)
  return (gap + cells.map((cell, index) => cell.padStart(widths[index]!)).join('')).trimEnd()
}

function isBare(name: string): boolean {
  return Object.values(bareNames).includes(name)
}

function rounded(value: number): string {
  return value.toFixed(0)
}

function listPairs(ratios: Ratio[]): [of: string, to: string][] {
  const pairs = new Map(ratios.map(({ of, to }) => [`${of} : ${to}`, [of, to] as [string, string]]))
  return [...pairs.values()]
}
