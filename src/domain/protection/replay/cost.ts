/** Sums of prices, exact: providers write up to 20 decimal places. */
import type { Price } from '../../../store/schema/schema.ts'

/** What messages cost, in one currency. */
export interface Cost extends Price {
  /** How many messages have a price in it. */
  messages: number
}

const places = 20
const unit = 10n ** BigInt(places)

export interface CostSum {
  add: (prices: Readonly<Record<string, Price>> | null) => void
  /** The currency of most messages first. */
  costs: () => Cost[]
}

export function createCostSum(): CostSum {
  const sums = new Map<string, { messages: number; amount: bigint }>()
  return {
    add: (prices) => {
      for (const { amount, currency } of Object.values(prices ?? {})) {
        const sum = sums.get(currency) ?? { messages: 0, amount: 0n }
        sums.set(currency, { messages: sum.messages + 1, amount: sum.amount + parseUnits(amount) })
      }
    },
    costs: () =>
      [...sums]
        .map(([currency, { messages, amount }]) => ({ currency, messages, amount: formatText(amount) }))
        .toSorted((one, other) => other.messages - one.messages),
  }
}

function parseUnits(amount: string): bigint {
  const [whole = '0', part = ''] = amount.split('.')
  return BigInt(whole) * unit + BigInt(part.padEnd(places, '0').slice(0, places))
}

function formatText(units: bigint): string {
  const part = String(units % unit)
    .padStart(places, '0')
    .replace(/0+$/, '')
  return `${units / unit}${part === '' ? '' : `.${part}`}`
}
