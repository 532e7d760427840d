/** Changes of a list of rules that people make without writing it again. */
import { Refusal } from '../../kit/refusal.ts'
import { requirePhone } from '../sending/phones/typedPhone.ts'
import type { RuleAct, WrittenRule } from './rule.ts'

/** @throws Refusal for a rule that is not there */
export function withAct(rules: readonly WrittenRule[], id: string, act: RuleAct): WrittenRule[] {
  if (!rules.some((rule) => rule.id === id)) throw new Refusal(`There is no rule ${id}.`)
  return rules.map((rule) => (rule.id === id ? { ...rule, do: act } : rule))
}

/** Puts a rule in the place of the one with its id, or behind all others. */
export function withRule(rules: readonly WrittenRule[], rule: WrittenRule): WrittenRule[] {
  return rules.some(({ id }) => id === rule.id)
    ? rules.map((one) => (one.id === rule.id ? rule : one))
    : [...rules, rule]
}

/**
 * Lets a number pass the rules that refuse sends now.
 *
 * @param typed as somebody typed or pasted it
 * @throws Refusal for what is no number, and where there is nothing to pass
 */
export function withPassing(rules: readonly WrittenRule[], typed: string): WrittenRule[] {
  const phone = requirePhone(typed)
  if (rules.every((rule) => rule.do === 'record')) throw new Refusal('No rule refuses anything: every number passes.')
  return rules.map((rule) => {
    const phones = rule.except?.phones ?? []
    if (rule.do === 'record' || phones.includes(phone)) return rule
    return { ...rule, except: { ...rule.except, phones: [...phones, phone] } }
  })
}

/** The countries that codes may go to, by the first rule that has a list of them; all where no rule has one. */
export function allowedCountries(rules: readonly WrittenRule[]): AllowedCountries {
  const rule = rules.find(isOfAllowed)
  return { allow: rule?.allow ?? 'all', do: rule?.do ?? 'record' }
}

/** Puts these countries into that rule. Where there is none, a new one comes first. */
export function withAllowed(rules: readonly WrittenRule[], allowed: AllowedCountries): WrittenRule[] {
  const rule = rules.find(isOfAllowed)
  if (rule) return rules.map((one) => (one === rule ? { ...rule, ...allowed } : one))
  return [{ id: freeId(rules, 'countries'), by: 'country', ...allowed }, ...rules]
}

/** An id that no rule has: the wanted one, or with a number behind it. */
export function freeId(rules: readonly Pick<WrittenRule, 'id'>[], wanted: string): string {
  const isTaken = (id: string) => rules.some((rule) => rule.id === id)
  const numbered = Array.from({ length: rules.length + 1 }, (_, index) => `${wanted}-${index + 2}`)
  return [wanted, ...numbered].find((id) => !isTaken(id)) ?? ''
}

export interface AllowedCountries {
  /** ISO 3166-1 alpha-2 */
  allow: 'all' | string[]
  /** What becomes of codes to other countries. */
  do: RuleAct
}

function isOfAllowed({ by, allow }: WrittenRule): boolean {
  return by === 'country' && allow !== undefined
}
