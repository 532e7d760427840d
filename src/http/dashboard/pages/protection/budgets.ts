/** The budgets of an account, and how much of each is used today. */
import type { UsedBudget } from '../../../../domain/protection/budget/budgetUse.ts'
import { type Html, html } from '../../../html.ts'
import { count, moneySum } from '../../parts/amount.ts'
import { toned } from '../../parts/status.ts'
import { tableOf } from '../../parts/table.ts'

export function budgetsOf(used: readonly UsedBudget[]): Html {
  if (used.length === 0) {
    return html`<p class="quiet-text">There is none: what this account sends in a day has no end. <a href="/guide/protection#budgets">About budgets</a></p>`
  }
  return html`<p class="quiet-text">Live keys, today (UTC). When one is spent, sends are answered 403 until the day is over. Money is known when providers tell it.</p>
${tableOf({
  caption: 'The budgets, in their order',
  rows: used,
  columns: [
    { name: 'Budget', cell: ({ budget }) => html`<code>${budget.id}</code>`, isHead: true },
    { name: 'Countries', cell: ({ budget }) => budget.countries?.join(' ') ?? 'all' },
    { name: 'Messages', cell: messagesOf, isNumber: true },
    { name: 'Money', cell: moneyOf, isNumber: true },
    { name: 'Used', cell: partOf },
  ],
})}`
}

function messagesOf({ budget, messages }: UsedBudget): string {
  return budget.messages === undefined ? count(messages) : `${count(messages)} of ${count(budget.messages)}`
}

function moneyOf({ budget: { money }, spent }: UsedBudget): string {
  return money ? `${moneySum({ ...money, amount: spent })} of ${moneySum(money)}` : '–'
}

function partOf({ percent }: UsedBudget): Html {
  const words = percent >= 100 ? 'spent' : `${percent} %`
  return toned(percent >= 100 ? 'failed' : percent >= 80 ? 'expired' : 'delivered', words)
}
