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
