/** How a check ends when it does not pass. */

/** What was promised and not held. Its message is for the report: no key, code or phone in it. */
export class Broken extends Error {
  override readonly name = 'Broken'
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
