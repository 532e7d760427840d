/** What is administered, for one actor: most tests of it are about what one does. */
import type { Actor, Operator } from '../../src/domain/access/actor.ts'

export const testOperator: Operator = { kind: 'operator', name: 'a test' }

/** The same functions without their first parameter, where that is the actor. */
export type Acting<Part> = Part extends (actor: Actor, ...given: infer Given) => infer Result
  ? (...given: Given) => Result
  : Part extends (...given: never) => unknown
    ? Part
    : Part extends readonly unknown[]
      ? Part
      : { [Name in keyof Part]: Acting<Part[Name]> }

/** The functions of nouns that nobody in particular calls, or that know by what they are given who does. */
const ofNobody = new Set(
  `knows open inLiveUse findTelling haveAny mayBeAt samples openSecrets recordOutcomes reseal ensure look claim rename changePassword`.split(
    ' ',
  ),
)

export function acting<Part extends object>(part: Part, actor: Actor): Acting<Part> {
  const bound = Object.entries(part).map(([name, value]) => {
    if (typeof value === 'function') return [name, ofNobody.has(name) ? value : value.bind(undefined, actor)]
    return [name, typeof value === 'object' && !Array.isArray(value) ? acting(value, actor) : value]
  })
  return Object.fromEntries(bound)
}
