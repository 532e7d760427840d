/** A budget, as `protection.yaml` has it: what an account may send in a day (UTC), as messages, as money, or as both. */
import { z } from 'zod'
import { numeric } from '../../../kit/reading/numeric.ts'
import type { Price } from '../../../store/schema/schema.ts'
import { countryList, requireOwnIds, ruleId } from '../rule.ts'

const bounds = { budgets: 20, messages: 1_000_000_000 }

const moneyWords = 'must be an amount and its currency, like 12.50 EUR'
const moneyForm = /^0*(\d{1,12})(\.\d{1,6})? ([A-Z]{3})$/
const currencies = new Set(Intl.supportedValuesOf('currency'))

/** Read as text, and never as a number of the machine: those have no exact tenths. */
const money = z
  .string({ error: moneyWords })
  .refine((text) => priceIn(text) !== undefined, moneyWords)
  .transform((text) => priceIn(text) as Price)

const budget = z
  .strictObject({
    id: ruleId,
    /** What is sent to these countries; left out, all that the account sends. */
    countries: countryList.optional(),
    messages: numeric(
      z
        .int({ error: 'must be a whole number' })
        .min(1, 'must be at least 1')
        .max(bounds.messages, `must be at most ${bounds.messages}`),
    ).optional(),
    money: money.optional(),
  })
  .superRefine(({ messages, money: spent }, context) => {
    if (messages === undefined && spent === undefined)
      context.addIssue({ code: 'custom', path: ['messages'], message: 'is missing, or money' })
  })

export type Budget = z.output<typeof budget>
/** As it is written, and kept. */
export type WrittenBudget = z.input<typeof budget>

/** The budgets of an account; an id is in it once. */
export const budgetList = z
  .array(budget, { error: 'must be a list of budgets' })
  .max(bounds.budgets, `must have at most ${bounds.budgets} budgets`)
  .superRefine(requireOwnIds)

/** The form that `budgetList` reads. */
export function writtenBudget({ id, countries, messages, money: spent }: Budget): WrittenBudget {
  return {
    id,
    ...(countries && { countries }),
    ...(messages !== undefined && { messages }),
    ...(spent && { money: `${spent.amount} ${spent.currency}` }),
  }
}

/** Whether it is for what is sent there. @param country undefined for a number of no country */
export function isWithin({ countries }: Budget, country: string | undefined): boolean {
  return countries === undefined || countries.includes(country ?? '')
}

function priceIn(text: string): Price | undefined {
  const [, whole = '', part = '', currency = ''] = moneyForm.exec(text) ?? []
  if (!currencies.has(currency) || !/[1-9]/.test(whole + part)) return undefined
  return { amount: whole + part, currency }
}
