/** Lengths of time as a list of rules writes them: `10m`, `1h`, `1d`. */
const unitSeconds = { m: 60, h: 3600, d: 86_400 } as const

type Unit = keyof typeof unitSeconds

/** @returns seconds; undefined for what is no length of time */
export function secondsOfDuration(text: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * unitSeconds[unit as Unit]
}

/** @param seconds whole minutes */
export function durationText(seconds: number): string {
  const unit: Unit = seconds % 3600 !== 0 ? 'm' : seconds > unitSeconds.d && seconds % unitSeconds.d === 0 ? 'd' : 'h'
  return `${seconds / unitSeconds[unit]}${unit}`
}
