/** Times. The server writes them in UTC and says so; the script writes them in the reader's zone, with UTC on hover. */
import { type Html, html } from '../../html.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** "2 minutes ago" or "in 3 days"; of what is longer ago than a day, that moment. */
export function timeOf(at: Date): Html {
  return timed(at, 'relative', minuteOf(at))
}

/** To the minute. */
export function momentOf(at: Date): Html {
  return timed(at, 'minute', minuteOf(at))
}

/** To the second. */
export function exactOf(at: Date): Html {
  return timed(at, 'second', secondOf(at))
}

/** To the second, without its day: for a timeline. */
export function clockOf(at: Date): Html {
  return timed(at, 'clock', secondOf(at).slice(-12))
}

/** Under the axis of a chart. */
export function hourOf(at: Date): Html {
  return timed(at, 'hour', `${at.toISOString().slice(11, 13)}:00`)
}

/** `21 Nov, 13:00 UTC`: the hour that begins then. */
export function hourNameOf(at: Date): string {
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]}, ${at.toISOString().slice(11, 16)} UTC`
}

/** The same, where a page can hold more than text. */
export function hourOfDayOf(at: Date): Html {
  return timed(at, 'dayHour', hourNameOf(at))
}

/**
 * The day of what stands before it, in a list with the latest first. The script shows it where the day of the reader's zone
 * is another than the one of what follows.
 */
export function renderDayMark(at: Date, before: Date | undefined): Html {
  const isShown = before === undefined || dayOf(before) !== dayOf(at)
  return html`<p class="day"${!isShown && html` hidden`}>${timed(at, 'day', `${dayOf(at)}, UTC`)}</p>`
}

/** What is said of times by the server, and by the script in its place. */
export function zoneOf(utc: string, own: string): Html {
  return html`<span data-own-zone="${own}">${utc}</span>`
}

/** `21 Nov 2026`, in UTC. */
export function dayOf(at: Date): string {
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`
}

/** @param form of `script.js` */
function timed(at: Date, form: string, text: string): Html {
  return html`<time datetime="${at.toISOString()}" data-form="${form}" title="${secondOf(at)}">${text}</time>`
}

function minuteOf(at: Date): string {
  return `${dayOf(at)}, ${at.toISOString().slice(11, 16)} UTC`
}

function secondOf(at: Date): string {
  return `${dayOf(at)}, ${at.toISOString().slice(11, 19)} UTC`
}
