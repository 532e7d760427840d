import type { PlacedFault } from './reading/formFaults.ts'

/** A request of the operator that cannot be done as it stands: one sentence that says why, for the one who asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** What alone is missing: each door says how it is given there. */
  readonly lacks: 'reason' | undefined
  /** What is wrong with something that was written by hand, and where: a door that has its file tells the lines. */
  readonly faults: readonly PlacedFault[]

  constructor(
    message: string,
    { lacks, faults = [] }: { lacks?: 'reason' | undefined; faults?: readonly PlacedFault[] } = {},
  ) {
    super(message)
    this.lacks = lacks
    this.faults = faults
  }
}

/** Of what has more faults, the first of them are named. */
const faultsShown = 50
const faultLengthMax = 300

/** What is wrong with something that was written by hand, all at once and within bounds. */
export function faultsIn(what: string, faults: readonly string[]): Refusal {
  const shown = faults.slice(0, faultsShown).map((fault) => {
    const characters = Array.from(fault)
    return characters.length > faultLengthMax ? `${characters.slice(0, faultLengthMax).join('')}…` : fault
  })
  const more = faults.length > faultsShown ? `; and ${faults.length - faultsShown} more` : ''
  return new Refusal(`${what}${shown.join('; ')}${more}`)
}

/** The same, with the places. @param textOf a fault as it is told where there is no file */
export function placedRefusal(faults: readonly PlacedFault[], textOf: (fault: PlacedFault) => string): Refusal {
  return new Refusal(faultsIn('', faults.map(textOf)).message, { faults })
}
