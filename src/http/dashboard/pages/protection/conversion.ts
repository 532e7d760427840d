/** Conversion beside what is usual: the first sign of SMS pumping. */
import { type Conversion, isFallen } from '../../../../domain/insight/conversion.ts'
import { type Html, html } from '../../../html.ts'
import { meterOf } from '../../chart.ts'
import { count, counted, share } from '../../parts/amount.ts'
import { countryNameOf } from '../../parts/country.ts'
import { toned } from '../../parts/status.ts'
import { renderTable } from '../../parts/table.ts'

/** Rows that are shown at once. */
const rowsShown = 8

export function renderConversions(found: {
  countries: readonly Conversion[]
  connections: readonly Conversion[]
}): Html {
  const { countries, connections } = found
  if (countries.length === 0)
    return html`<p class="quiet-text">No code was sent with a live key in the last 24 hours.</p>`
  return html`<div class="columns">
<section><h3>By country</h3>${renderTables(countries, 'Country', ({ name }) => countryNameOf(name))}</section>
<section><h3>By channel</h3>${renderTables(connections, 'Channel', ({ name }) => name)}</section>
</div>`
}

/** Those that have fallen come first: they are why somebody looks. */
function renderTables(list: readonly Conversion[], name: string, nameOf: (one: Conversion) => string): Html {
  const rows = [...list.filter(isFallen), ...list.filter((one) => !isFallen(one))]
  const [first, rest] = [rows.slice(0, rowsShown), rows.slice(rowsShown)]
  const table = (part: readonly Conversion[], caption: string) =>
    renderTable({
      caption,
      rows: part,
      columns: [
        { name, cell: nameOf },
        { name: 'Codes sent', cell: ({ sent }) => count(sent), isNumber: true },
        { name: 'Conversion', cell: renderConversion, isNumber: true },
        { name: 'Usual', cell: ({ usual }) => (usual === undefined ? '–' : share(usual, 1)), isNumber: true },
      ],
    })
  const caption = `Conversion of the last 24 hours by ${name.toLowerCase()}, beside what is usual`
  return html`${table(first, caption)}${
    rest.length > 0 &&
    html`<details class="numbers"><summary>${counted(rest.length, 'more row')}</summary>${table(rest, `${caption}: the others`)}</details>`
  }`
}

function renderConversion(one: Conversion): Html {
  const { sent, verified } = one
  return html`<span class="rate">${meterOf(verified / sent)}${share(verified, sent)}</span>${isFallen(one) && html` ${toned('failed', 'fell')}`}`
}
