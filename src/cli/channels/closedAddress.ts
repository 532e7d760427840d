/** What an operator can do about an address that is refused. The refusal itself is the same for every reason. */
import { Refusal } from '../../kit/refusal.ts'

/** As the guard of addresses says it. */
const refusals = ['this address is not allowed', 'the URL must begin with https://']

/** Always the same words: they say no more of the address than the refusal does. */
const hint =
  'To open an address, or to use http:// for an IP address: set CHANNELS_ALLOW_NETWORKS, for the service and for this command. ' +
  '"Where a connection may lead" in docs/channels.md says which are open: with NODE_ENV=production, those of this machine are not.'

/** @returns undefined where a text refuses no address */
export function findHint(text: string): string | undefined {
  return refusals.some((refusal) => text.includes(refusal)) ? hint : undefined
}

/** For what was thrown. @throws the same, with the hint on a line of its own */
export function withHint(error: unknown): never {
  const said = error instanceof Refusal ? findHint(error.message) : undefined
  if (!(error instanceof Refusal) || said === undefined) throw error
  throw new Refusal(`${error.message}; ${said}`, { faults: error.faults, lines: [...error.lines, said] })
}
