/** What providers charge, as the overview shows it: each currency for itself, as nobody here knows a rate. */
import type { CountrySpend, Spend, SpendSums } from '../../../../store/insight/spend.ts'
import { type Html, html } from '../../../html.ts'
import { count, counted, moneySum } from '../../parts/amount.ts'
import { countryNameOf } from '../../parts/country.ts'
import { type Column, renderTable } from '../../parts/table.ts'

/** Rows that are shown at once. */
const rowsShown = 8

/** @returns nothing while no provider has named a price */
export function renderSpend({ channels, countries }: SpendSums): Html | undefined {
  if (channels.length === 0) return undefined
  return html`<section><h2>Cost by channel</h2>${renderTables(channels, 'Cost by channel, as the providers say', [])}</section>
<section><h2>Cost by country</h2>${renderTables(countries, 'Cost by country and channel', [
    { name: 'Country', cell: ({ country }: CountrySpend) => countryNameOf(country) },
  ])}</section>`
}

function renderTables<Row extends Spend>(list: readonly Row[], caption: string, before: Column<Row>[]): Html {
  const columns: Column<Row>[] = [
    ...before,
    { name: 'Channel', cell: ({ connection }) => connection },
    { name: 'With a price', cell: ({ messages }) => count(messages), isNumber: true },
    { name: 'Cost', cell: moneySum, isNumber: true },
  ]
  const [first, rest] = [list.slice(0, rowsShown), list.slice(rowsShown)]
  return html`${renderTable({ caption, rows: first, columns })}${
    rest.length > 0 &&
    html`<details class="numbers"><summary>${counted(rest.length, 'more row')}</summary>${renderTable({ caption: `${caption}: the others`, rows: rest, columns })}</details>`
  }`
}
