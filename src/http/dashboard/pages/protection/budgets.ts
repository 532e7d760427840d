/** The budgets of an account, and how much of each is used today. */
import type { UsedBudget } from '../../../../domain/protection/budget/budgetUse.ts'
import { type Html, html, type Part } from '../../../html.ts'
import { count, moneySum } from '../../parts/amount.ts'
import { countryNamesOf } from '../../parts/country.ts'
import { toned } from '../../parts/status.ts'
import { renderTable } from '../../parts/table.ts'

/** @param canChange each has a link to where one changes it */
export function renderBudgets(used: readonly UsedBudget[], canChange: boolean): Html {
  if (used.length === 0) {
    return html`<p class="quiet-text">There is none: what this account sends in a day has no end. <a href="/guide/protection#budgets">About budgets</a></p>`
  }
  return html`<p class="quiet-text">Live keys, today (UTC). When one is spent, sends get 403 until the day is over. Money counts once providers report it.</p>
${renderTable({
  caption: 'The budgets, in their order',
  rows: used,
  columns: [
    { name: 'Budget', cell: ({ budget }) => html`<code>${budget.id}</code>`, isHead: true },
    { name: 'Countries', cell: ({ budget }) => countryNamesOf(budget.countries) ?? 'all' },
    { name: 'Messages', cell: messagesOf, isNumber: true },
    { name: 'Money', cell: moneyOf, isNumber: true },
    { name: 'Used', cell: renderPart },
    ...(canChange ? [{ name: '', cell: changeLink }] : []),
  ],
})}`
}

function changeLink({ budget: { id } }: UsedBudget): Html {
  return html`<a class="button plain" href="/protection/budgets/${id}">Change</a>`
}

function messagesOf({ budget, messages }: UsedBudget): Part {
  return budget.messages === undefined ? count(messages) : ofAll(count(messages), count(budget.messages))
}

function moneyOf({ budget: { money }, spent }: UsedBudget): Part {
  return money ? ofAll(moneySum({ ...money, amount: spent }), moneySum(money)) : '–'
}

/** Where there is little room, numbers stay whole. */
function ofAll(used: string, all: string): Html {
  return html`<span class="whole-words">${used} of ${all}</span>`
}

function renderPart({ percent }: UsedBudget): Html {
  const words = percent >= 100 ? 'spent' : `${percent} %`
  return toned(percent >= 100 ? 'failed' : percent >= 80 ? 'expired' : 'delivered', words)
}
