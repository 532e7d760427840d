/** The times of reports, as gateways write them. Never in the zone of the machine that reads them. */

/** @returns milliseconds of Unix time; NaN for what is no time, or could be read in two ways */
export type ReadTime = (text: string | undefined) => number

/** @returns what is wrong with the name of a zone */
export function zoneFault(zone: string): string | undefined {
  try {
    formatIn(zone)
    return undefined
  } catch {
    return 'must be UTC, an offset like +03:00, or a time zone like America/Sao_Paulo'
  }
}

/** @param zone of times that name none; one in which `zoneFault` finds no fault */
export function createReadTime(zone = 'UTC'): ReadTime {
  const offsetMs = createOffset(zone)
  // What was no time in the zone, as clocks went on, is an hour later.
  const fromWall = (wallMs: number) => wallMs - offsetMs(wallMs - offsetMs(wallMs))
  return (text) => {
    if (text === undefined) return Number.NaN
    if (/^\d+(\.\d+)?$/.test(text) && !compact.test(text)) return millisecondsIn(text)
    const [, year, month, day, hour, minute, second = '00', fraction = '', named] =
      compact.exec(text) ?? dated.exec(text) ?? []
    if (year !== undefined) {
      const wall = `${year.padStart(4, '20')}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}`
      return named === undefined ? fromWall(Date.parse(`${wall}Z`)) : Date.parse(`${wall}${offsetIn(named)}`)
    }
    if (!written.test(text)) return Number.NaN
    return /(?:Z|[A-Z]{3}|[+-]\d{4})$/.test(text) ? Date.parse(text) : fromWall(Date.parse(`${text} UTC`))
  }
}

/**
 * As in 20261128100000, and as gateways hand on SMPP's receipts, whose form is YYMMDDhhmm: 2611281000, 261128100000, 202611281000.
 * Unix time in seconds begins with 2 from 2033 on; in milliseconds it had 12 digits until 2001.
 */
const compact = /^(20\d\d|2\d)(0[1-9]|1[0-2])([0-3]\d)([0-2]\d)([0-5]\d)([0-5]\d)?$/
/** As in 2026-11-28 10:00:00.123 +03:00. */
const dated =
  /^(\d{4})[-/](\d\d)[-/](\d\d)[T ]+(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i
/** As in Sat, 28 Nov 2026 10:00:00 GMT, RFC 9110. Digits alone for day and month could be either. */
const written = /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)?(?: (?:UTC|GMT|[+-]\d{4}))?$/

/** Seconds, milliseconds or microseconds, by the count of their digits. */
function millisecondsIn(text: string): number {
  const digits = text.split('.')[0]!.length
  if (digits <= 11) return Number(text) * 1000
  return digits <= 14 ? Number(text) : Math.floor(Number(text) / 1000)
}

function offsetIn(named: string): string {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(named) ?? []
  return sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`
}

/** @returns by how much the clocks of a zone are before UTC at a moment */
function createOffset(zone: string): (ms: number) => number {
  if (zone === 'UTC') return () => 0
  const format = formatIn(zone)
  return (ms) => {
    if (!Number.isFinite(ms)) return Number.NaN
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day, hour, minute, second } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000
  }
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const two = '2-digit'
  const fields = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const
  return new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...fields })
}
