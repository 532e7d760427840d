import type { PlacedFault } from './reading/formFaults.ts'

/** A request of the operator that cannot be done as it stands: one sentence that says why, for the one who asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** What alone is missing: each door says how it is given there. */
  readonly lacks: 'reason' | undefined
  /** What is wrong with something that was written by hand, and where: a door that has its file tells the lines. */
  readonly faults: readonly PlacedFault[]
  /** The message where each fault can have a line of its own, as at a terminal. */
  readonly lines: readonly string[]

  constructor(
    message: string,
    {
      lacks,
      faults = [],
      lines = [message],
    }: { lacks?: 'reason' | undefined; faults?: readonly PlacedFault[]; lines?: readonly string[] } = {},
  ) {
    super(message)
    this.lacks = lacks
    this.faults = faults
    this.lines = lines
  }
}

/** What is wrong with one member, or one field of a form, which shows it there. */
export function refusedMember(name: string, message: string): Refusal {
  return new Refusal(message, { faults: [{ path: [name], fault: message }] })
}

/** Of what has more faults, the first of them are named. */
const faultsShown = 50
const faultLengthMax = 300

/** What is wrong with something that was written by hand, all at once and within bounds. */
export function faultsIn(faults: readonly string[], placed: readonly PlacedFault[] = []): Refusal {
  const shown = faults.slice(0, faultsShown).map((fault) => {
    const characters = Array.from(fault)
    return characters.length > faultLengthMax ? `${characters.slice(0, faultLengthMax).join('')}…` : fault
  })
  const lines = faults.length > faultsShown ? [...shown, `and ${faults.length - faultsShown} more`] : shown
  return new Refusal(lines.join('; '), { faults: placed, lines })
}

/** The same, with the places. @param textOf a fault as it is told where there is no file */
export function placedRefusal(faults: readonly PlacedFault[], textOf: (fault: PlacedFault) => string): Refusal {
  return faultsIn(faults.map(textOf), faults)
}
