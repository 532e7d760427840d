/** What happened to a message, one stop a step; the ways that it was tried on side by side, when there are several. */
import type { History, Leg } from '../../../domain/sending/history.ts'
import type { Price, TimelineStep } from '../../../store/schema/schema.ts'
import { type Html, html, type Part } from '../../html.ts'
import { counted, money } from './amount.ts'
import { idOf } from './code.ts'
import { type Tone, toneOf } from './status.ts'
import { clockOf } from './time.ts'

interface Stop {
  tone: Tone | 'note'
  title: Part
  at: Date
  note?: Part
}

export function renderTimeline(history: History): Html {
  const { legs, timeline, createdAt, status } = history
  const stops = timeline.map((step, index) => {
    const timed = { ...step, at: timeOfStep(step, history) }
    const stop = withNote(findStop(timed, timeline[index - 1]), [
      step.segments !== undefined && counted(step.segments, 'SMS', 'SMS'),
      formatCost(findNewPrice(timeline, index)),
    ])
    // Its message arrived all the same, and keeps its status.
    const isCodeAlone = step.status === 'expired' && status !== 'expired'
    return { ...stop, ...(isCodeAlone && { title: 'the code ran out' }), connection: step.connection }
  })
  const verified: Stop[] = history.verifiedAt
    ? [{ tone: 'delivered', title: 'verified', at: history.verifiedAt, note: 'The right code was entered.' }]
    : []
  const line = (list: readonly Stop[]) =>
    list.length > 0 && html`<ol class="timeline">${list.map((stop) => stopHtml(stop, createdAt))}</ol>`
  const inOrder = (list: readonly Stop[]) => list.toSorted((one, other) => Number(one.at) - Number(other.at))
  if (legs.length === 1) return html`${line(inOrder([...stops, ...verified]))}`
  const first = stops.findIndex(({ connection }) => connection !== undefined)
  const whole = (list: typeof stops) => list.filter(({ connection }) => connection === undefined)
  const [before, after] = first === -1 ? [stops, []] : [stops.slice(0, first), stops.slice(first)]
  return html`${line(before)}
<div class="legs">${legs.map(
    (
      leg,
      index,
    ) => html`<section class="leg"><h3>${index + 1}. ${leg.connection} <small>${describeState(leg)}</small></h3>
${line(stops.filter(({ connection }) => connection === leg.connection))}
${leg.providerMessageId !== undefined && html`<p class="small">Its provider calls it ${idOf(leg.providerMessageId)}</p>`}</section>`,
  )}</div>
${line(inOrder([...whole(after), ...verified]))}`
}

/** A provider's clock, or a time without its zone, can be hours behind: nothing happened before the connection was asked. */
function timeOfStep({ at, connection }: TimelineStep, { timeline, createdAt }: History): string {
  const asked = timeline.find((step) => step.connection === connection)?.at ?? at
  return new Date(Math.max(Number(new Date(at)), Number(new Date(asked)), Number(createdAt))).toISOString()
}

function describeState({ state, attempts = 0 }: Leg): string {
  if (state === 'past') return 'passed on'
  if (state === 'ahead') return 'not asked'
  return attempts > 1 ? `asked ${attempts} times` : ''
}

function takenIn(inlet: string | undefined): Part {
  return inlet === undefined ? 'Taken in from the API.' : html`Taken in through the inlet <code>${inlet}</code>.`
}

/** The status is said where it changes; elsewhere, what happened. */
function findStop(
  { status, at, note, connection, providerCode, taken, inlet }: TimelineStep,
  before: TimelineStep | undefined,
): Stop {
  const words = note === undefined ? undefined : wordsOf(note, connection)
  // The words often begin with it.
  const isSaid = providerCode === undefined || words?.includes(providerCode)
  const code = !isSaid && html` <code>${providerCode}</code>`
  const told = { at: new Date(at) }
  if (before === undefined) return { ...told, tone: toneOf(status), title: status, note: takenIn(inlet) }
  if (before.status !== status || words === undefined) {
    return {
      ...told,
      tone: toneOf(status),
      title: status,
      note: words === undefined ? code || undefined : html`${words}${code}`,
    }
  }
  return { ...told, tone: taken ? 'sent' : 'note', title: html`${words}${code}` }
}

/** What a step says of the price that its connection has not said before. */
function findNewPrice(timeline: readonly TimelineStep[], index: number): Price | undefined {
  const { price, connection } = timeline[index]!
  const before = timeline.slice(0, index).findLast((step) => step.price && step.connection === connection)?.price
  return price?.amount === before?.amount && price?.currency === before?.currency ? undefined : price
}

function formatCost(price: Price | undefined): Part {
  if (!price) return undefined
  return price.amount === '0' ? 'costs nothing' : html`costs ${money(price)}`
}

function withNote(stop: Stop, more: readonly Part[]): Stop {
  const notes = [stop.note, ...more].filter((note) => note !== undefined && note !== false)
  if (notes.length === 0) return stop
  return { ...stop, note: html`${notes.map((note, index) => html`${index > 0 && '; '}${note}`)}` }
}

/** The connection is said by where it stands. */
function wordsOf(note: string, connection: string | undefined): string {
  return connection !== undefined && note.startsWith(`${connection}: `) ? note.slice(connection.length + 2) : note
}

function stopHtml({ tone, title, at, note }: Stop, start: Date): Html {
  return html`<li class="stop"><span class="status ${tone}"><span>${title}</span></span>
<span class="when">${clockOf(at)} <small>${formatSince(at, start)}</small></span>
${note !== undefined && html`<p class="quiet-text">${note}</p>`}</li>`
}

/** `+1.4 s`: how long after the message was made. */
function formatSince(at: Date, start: Date): string {
  const seconds = Math.max(0, Number(at) - Number(start)) / 1000
  if (seconds < 10) return `+${seconds.toFixed(1)} s`
  if (seconds < 120) return `+${Math.round(seconds)} s`
  if (seconds < 7200) return `+${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `+${Math.round(seconds / 3600)} h` : `+${Math.round(seconds / 86_400)} days`
}
