/** The kinds of connections, a line each. */
import type { Channel, Kind, Kinds } from '../channel.ts'
import { sandbox } from './sandbox/kind.ts'

const kinds: Kinds = { sandbox }

export const kindNames: readonly string[] = Object.keys(kinds)

/** @param opened channels that are there already, by kind: every connection of that kind is one of them */
export function kindsWith(opened: Readonly<Record<string, Channel>>): Kinds {
  return Object.fromEntries(
    Object.entries(kinds).map(([name, kind]): [string, Kind] => {
      const channel = opened[name]
      return [name, channel ? { ...kind, open: () => channel } : kind]
    }),
  )
}
