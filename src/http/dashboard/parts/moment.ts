/** Days and times as people type them, where their browser has no field for them, or they paste them. */
import { plainText } from '../../../kit/typed.ts'
import type { Html } from '../../html.ts'
import { textField } from './field.ts'

export type ReadMoment = { at: Date; fault?: never } | { at?: never; fault: string }

const none = {
  fault: 'This is no day and time. Write it as 2026-11-28 14:30, in UTC, or with its zone: 2026-11-28 14:30 +01:00.',
}
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const clock = String.raw`(?:(?:T|,? )(\d\d?:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?(Z|UTC|GMT|[+-]\d\d:?\d\d))?)?`
const forms = {
  iso: new RegExp(`^(\\d{4})-(\\d\\d?)-(\\d\\d?)${clock}$`, 'i'),
  dots: new RegExp(`^(\\d\\d?)\\. ?(\\d\\d?)\\. ?(\\d{4})${clock}$`, 'i'),
  slashes: new RegExp(`^(\\d\\d?)/(\\d\\d?)/(\\d{4})${clock}$`, 'i'),
  named: new RegExp(`^(\\d\\d?) ([a-z]{3})[a-z]* (\\d{4})${clock}$`, 'i'),
}

/** A field for a moment, with what was typed and what is wrong with it: a browser's own field shows nothing but moments. */
export function momentField({ name, label, value }: { name: string; label: string; value: string }): Html {
  const { at, fault } = value === '' ? {} : readMoment(value)
  if (fault !== undefined) return textField({ name, label: `${label} (UTC)`, value, fault })
  return textField({ name, label, value: at?.toISOString().replace(/(:00)?\.\d+Z$/, '') ?? '', type: 'datetime-local' })
}

/** @param text a day, with or without a time: the day begins at midnight, and a time without a zone is in UTC */
export function readMoment(text: string): ReadMoment {
  const typed = plainText(text)
  const iso = forms.iso.exec(typed)
  if (iso) return toMoment(iso[1], iso[2], iso[3], iso)
  const dots = forms.dots.exec(typed)
  if (dots) return toMoment(dots[3], dots[2], dots[1], dots)
  const named = forms.named.exec(typed)
  if (named) return toMoment(named[3], String(months.indexOf(named[2]!.toLowerCase()) + 1), named[1], named)
  const slashes = forms.slashes.exec(typed)
  if (!slashes) return none
  const [, first = '', second = '', year] = slashes
  if (Number(first) > 12) return toMoment(year, second, first, slashes)
  if (Number(second) > 12 || Number(first) === Number(second)) return toMoment(year, first, second, slashes)
  const [a, b] = [first, second].map((part) => part.padStart(2, '0'))
  return { fault: `This can be ${year}-${a}-${b} or ${year}-${b}-${a}. Write the year first.` }
}

/** @param found of a form above: the time and the zone are its fourth and fifth parts */
function toMoment(year = '', month = '', day = '', [, , , , time = '0:00', zone = 'Z']: RegExpExecArray): ReadMoment {
  const date = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
  const offset = /^[+-]/.test(zone) ? zone.replace(/^(...):?/, '$1:') : 'Z'
  const at = new Date(`${date}T${time.padStart(time.indexOf(':') === 1 ? time.length + 1 : 0, '0')}${offset}`)
  // Dates roll over: the 31st of February is none. The database has no year 0.
  const isDay = new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day)
  return Number.isNaN(at.getTime()) || !isDay || year === '0000' ? none : { at }
}
