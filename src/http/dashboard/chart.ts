/**
 * Charts, drawn by the server: they print, and need no script. The drawing is stretched to the room that there is; words and
 * numbers stand beside it as text, and the same numbers again in a table.
 */
import { type Html, html, type Part } from '../html.ts'
import { count } from './parts/amount.ts'
import { renderTable } from './parts/table.ts'
import { hourOfDayOf } from './parts/time.ts'

/** A part of each bar, from the bottom up. */
export interface BarPart {
  /** A class of the stylesheet, which gives it its colour. */
  tone: string
  name: string
}

export interface Bar {
  /** Under the axis. */
  label: Part
  /** In the title and the table, where there is room. */
  name: string
  /** When the hour begins that it is of. */
  hour?: Date | undefined
  /** One for each part. */
  parts: readonly number[]
  /** Where the line passes; 0 where there is none. */
  line: number
}

export interface BarChart {
  /** What it shows, for who cannot see it. */
  label: string
  /** What the first column of the table is of. */
  unit: string
  parts: readonly BarPart[]
  /** What the line is of; undefined for a chart without one. */
  line?: string
  bars: readonly Bar[]
  /** Each so many bars have their label. */
  labelEvery: number
  /** The last bar is of a time that is not over. */
  isRunning: boolean
}

const height = 100
const width = 10
/** Left and right of a bar. */
const gap = 1.5
const ticks = 4

export function renderChart(chart: BarChart): Html {
  const { bars, label } = chart
  const top = roundTop(Math.max(...bars.map(({ parts, line }) => Math.max(sumOf(parts), line))))
  return html`<figure class="chart">
<figcaption>${legendOf(chart)}</figcaption>
<div class="plot">
<ol class="axis-y" aria-hidden="true">${Array.from({ length: ticks + 1 }, (_, index) => html`<li>${count((top / ticks) * (ticks - index))}</li>`)}</ol>
<svg viewBox="0 0 ${bars.length * width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">
${Array.from({ length: ticks + 1 }, (_, index) => html`<path class="grid" d="M0 ${(height / ticks) * index}H${bars.length * width}"/>`)}
${bars.map((bar, index) => renderBar(chart, bar, { index, top }))}
${chart.line !== undefined && renderLine(bars, top)}
</svg>
<ol class="axis-x" aria-hidden="true">${bars.map((bar, index) => html`<li${index % chart.labelEvery > 0 && html` class="blank"`}${index % (2 * chart.labelEvery) === chart.labelEvery && html` class="minor"`}><span>${index % chart.labelEvery === 0 && bar.label}</span></li>`)}</ol>
</div>
${renderNumbers(chart)}
</figure>`
}

function renderLine(bars: readonly Bar[], top: number): Html {
  return html`<path class="line" d="${bars.map(({ line }, index) => `${index === 0 ? 'M' : 'L'}${place(index, line, top)}`).join('')}"/>
${bars.map(({ line }, index) => html`<path class="dot" d="M${place(index, line, top)}h0"/>`)}`
}

function renderBar(
  { parts: kinds, line, isRunning, bars }: BarChart,
  bar: Bar,
  { index, top }: { index: number; top: number },
): Html {
  let below = 0
  const pieces = bar.parts.map((value, part) => {
    const y = height - ((below + value) / top) * height
    below += value
    return (
      value > 0 &&
      html`<rect class="${kinds[part]!.tone}" x="${index * width + gap}" y="${round(y)}" width="${width - 2 * gap}" height="${round((value / top) * height)}"/>`
    )
  })
  const ofLine = line === undefined ? [] : [`${count(bar.line)} ${line}`]
  const title = [...kinds.map(({ name }, part) => `${count(bar.parts[part]!)} ${name}`), ...ofLine]
  return html`<g class="bar${isRunning && index === bars.length - 1 && ' running'}"${bar.hour && html` data-hour="${bar.hour.toISOString()}"`}><title>${bar.name}: ${title.join(', ')}</title><rect class="whole" x="${index * width}" y="0" width="${width}" height="${height}"/>${pieces}</g>
`
}

function legendOf({ parts, line }: BarChart): Html {
  return html`<ul class="legend">${parts.map(({ tone, name }) => html`<li><span class="status ${tone}">${name}</span></li>`)}${line !== undefined && html`<li><span class="line-key">${line}</span></li>`}</ul>`
}

function renderNumbers({ parts, line, unit, bars, label }: BarChart): Html {
  const numbers = [...parts.map(({ name }) => name), ...(line === undefined ? [] : [line])]
  return html`<details class="numbers"><summary>The same in numbers</summary>${renderTable({
    caption: `${label}, in numbers`,
    rows: bars,
    columns: [
      { name: unit, cell: ({ name, hour }) => (hour ? hourOfDayOf(hour) : name), isHead: true },
      ...numbers.map((name, index) => ({
        name,
        cell: (bar: Bar) => count([...bar.parts, bar.line][index]!),
        isNumber: true,
      })),
    ],
  })}</details>`
}

/** A round number that nothing is above. Its quarters are whole. */
export function roundTop(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 4) / 4))
  return [4, 8, 12, 16, 20, 24, 32, 40].map((step) => step * power).find((step) => step >= highest)!
}

function place(index: number, value: number, top: number): string {
  return `${index * width + width / 2} ${round(height - (value / top) * height)}`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function sumOf(list: readonly number[]): number {
  return list.reduce((sum, value) => sum + value, 0)
}

/** A part of a whole, 0 to 1, as a small bar beside its number. */
export function meterOf(part: number): Html {
  return html`<svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="4"/><rect class="some" width="${round(Math.min(part, 1) * 100)}" height="4"/></svg>`
}

/** A bar for each day, beside a row's name. @param label says the same in words */
export function renderSpark(values: readonly number[], label: string): Html {
  const top = Math.max(...values, 1)
  const bars = values.map((value, index) => {
    const tall = value === 0 ? 1 : Math.max(2, round((value / top) * 24))
    return html`<rect class="${value === 0 ? 'all' : 'some'}" x="${index * 7}" y="${24 - tall}" width="5" height="${tall}"/>`
  })
  return html`<svg class="spark" viewBox="0 0 ${values.length * 7} 24" role="img" aria-label="${label}"><title>${label}</title>${bars}</svg>`
}
