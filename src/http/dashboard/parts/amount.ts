/** Numbers as people read them. */

const whole = new Intl.NumberFormat('en')

/** `12,345`. */
export function count(value: number): string {
  return whole.format(value)
}

/** `1 request`, `3,204 requests`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** `97.3 %`; a dash of nothing. */
export function share(part: number, all: number): string {
  return all === 0 ? '–' : `${((part / all) * 100).toFixed(1)} %`
}
