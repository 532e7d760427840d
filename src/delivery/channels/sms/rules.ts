/** The decision table of an answer: the first rule that matches says what became of the message. */
import { findBy, textOfValue } from '../../../mapping/pointer.ts'
import type { ProviderFile } from './schema.ts'

type Rule = ProviderFile['answer']['rules'][number]

/** An answer that is read. */
export interface ReadAnswer {
  status: number
  /** The whole body, where it is read as text. */
  text: string | undefined
  /** What it says; undefined where it cannot be read. */
  value: unknown
}

/** @returns whether all members of `when` hold */
export function compileWhen(when: Rule['when']): (answer: ReadAnswer) => boolean {
  const conditions = Object.entries(when).map(createCondition)
  return (answer) => conditions.every((holds) => holds(answer))
}

/** @returns finds the rule that decides; undefined for none */
export function compileRules(rules: readonly Rule[]): (answer: ReadAnswer) => Rule | undefined {
  const compiled = rules.map((rule) => ({ rule, holds: compileWhen(rule.when) }))
  return (answer) => compiled.find(({ holds }) => holds(answer))?.rule
}

interface Told {
  path: PropertyKey[]
  fault: string
}

/**
 * What can never match or lead to something. A connection that has it works, and its writer means something else.
 *
 * @returns what is wrong, with the members that lead to it
 */
export function idleFaults({ answer }: ProviderFile): Told[] {
  return [
    ...idlePointers(answer),
    ...answer.rules.flatMap(({ when }, index) =>
      Object.entries(when).flatMap(([member, wanted]) => {
        const fault = memberFault(member, answer.as) ?? valueFault(member, wanted)
        return fault === undefined ? [] : [{ path: ['answer', 'rules', index, 'when', member], fault }]
      }),
    ),
  ]
}

function createCondition([member, wanted]: [string, Rule['when'][string]]): (answer: ReadAnswer) => boolean {
  const tests = [wanted].flat().map((one) => createTest(String(one), member === 'status'))
  const isAny = (text: string | undefined) => text !== undefined && tests.some((test) => test(text))
  if (member === 'status') return ({ status }) => isAny(String(status))
  if (member === 'text') return ({ text }) => isAny(text)
  const find = findBy(member)
  // An object and a list are there, and are no text.
  return ({ value }) => {
    const found = find(value)
    return isAny(textOfValue(found) ?? (typeof found === 'object' && found !== null ? '' : undefined))
  }
}

function createTest(wanted: string, isStatus: boolean): (text: string) => boolean {
  if (wanted === '*') return () => true
  if (isStatus && /^[1-5]xx$/.test(wanted)) return (text) => text[0] === wanted[0]
  if (!wanted.endsWith('*')) return (text) => text === wanted
  const start = wanted.slice(0, -1)
  return (text) => text.startsWith(start)
}

function idlePointers({ as, id, error, price, retry_after }: ProviderFile['answer']): Told[] {
  if (as !== 'text') return []
  const found = { id, error, price, retry_after: retry_after === 'header' ? undefined : retry_after }
  return Object.entries(found).flatMap(([name, value]) =>
    value === undefined ? [] : [{ path: ['answer', name], fault: `${nothing}: leave it out` }],
  )
}

const nothing = 'a pointer leads to nothing with as: text'

function memberFault(member: string, as: ProviderFile['answer']['as']): string | undefined {
  if (as !== 'text') return member === 'text' ? 'is there with as: text only' : undefined
  return member.startsWith('/') ? `${nothing}: write text or status` : undefined
}

const statusForm = /^([1-5]xx|[1-5]\d\d|\*)$/

function valueFault(member: string, wanted: Rule['when'][string]): string | undefined {
  if (member === 'status' && ![wanted].flat().every((one) => statusForm.test(String(one))))
    return 'must be a status like 200, a class like 2xx, or a list of them'
  const isIdle = [wanted].flat().some((one) => String(one).slice(0, -1).includes('*'))
  return isIdle ? 'must have "*" at the end only: it stands for itself elsewhere' : undefined
}
