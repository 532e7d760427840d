/** How a check ends when it does not pass. */
import { visible } from '../../src/kit/terminal.ts'

/** Characters of a line: a deployment may answer any number of them. */
const lineMax = 300

export function cut(line: string): string {
  return line.length > lineMax ? `${line.slice(0, lineMax)}…` : line
}

/** Lines as a report has them: short, and nothing in one makes another. */
export function linesOf(lines: readonly string[]): string {
  return lines.map((line) => visible(cut(line))).join('\n')
}

/** What was promised and not held. Its message is for the report: no key, code or phone in it. */
export class Broken extends Error {
  override readonly name = 'Broken'

  /** @param words a line, or several */
  constructor(words: string | readonly string[]) {
    super(linesOf([words].flat()))
  }
}

/** What could not be looked at, and why. */
export class NotTried extends Error {
  override readonly name = 'NotTried'
}

/** The run makes no sense: the address, the key or the settings of the deployment are not what it needs. */
export class Unusable extends Error {
  override readonly name = 'Unusable'
}

/** @throws Broken with these words */
export function demand(holds: boolean, words: string): asserts holds {
  if (!holds) throw new Broken(words)
}

/** @throws Broken, which tells both */
export function demandSame(found: unknown, promised: unknown, what: string): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(promised)]
  demand(one === other, `${what}: ${other} is promised, ${one} was found`)
}
