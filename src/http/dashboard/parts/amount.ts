/** Numbers as people read them. */
import type { Price } from '../../../store/schema/schema.ts'

const whole = new Intl.NumberFormat('en')

/** `12,345`. */
export function count(value: number): string {
  return whole.format(value)
}

const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 20 })
const rounded = new Intl.NumberFormat('en', { maximumFractionDigits: 4 })

/** `0.03335 EUR`: all places that there are. */
export function money({ amount, currency }: Price): string {
  // A text is read as the decimal number that it is.
  return `${exact.format(amount as `${number}`)} ${currency}`
}

/** `1,234.5678 EUR`: of a sum, four places. */
export function moneySum({ amount, currency }: Price): string {
  return `${rounded.format(amount as `${number}`)} ${currency}`
}

/** `1 request`, `3,204 requests`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** `97.3 %`; a dash of nothing. */
export function share(part: number, all: number): string {
  return all === 0 ? '–' : `${((part / all) * 100).toFixed(1)} %`
}

/** `420 ms`, `2.9 s`, `37 s`, `2 min 5 s`, `1 h`. */
export function duration(ms: number): string {
  if (ms < 995) return `${Math.round(ms)} ms`
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  if (minutes < 60) return rest === 0 || minutes >= 10 ? `${minutes} min` : `${minutes} min ${rest} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/**
 * `+12.3 %` of what it was before; of rates, `−1.2 points`. Undefined where there is nothing to compare.
 *
 * @param as what both numbers are: of rates, 0 to 1, the difference is told
 */
export function change(now: number | undefined, before: number | undefined, as: 'part' | 'points'): string | undefined {
  if (now === undefined || before === undefined || (as === 'part' && before === 0)) return undefined
  const hundredths = as === 'points' ? (now - before) * 100 : (now / before - 1) * 100
  const text = Math.abs(hundredths).toFixed(Math.abs(hundredths) < 99.95 ? 1 : 0)
  const sign = Number(text) === 0 ? '±' : hundredths > 0 ? '+' : '−'
  return `${sign}${text} ${as === 'points' ? (text === '1.0' ? 'point' : 'points') : '%'}`
}
