/** Tables: a head that stays, numbers to the right, the whole row a link. */
import { type Html, html, type Part } from '../../html.ts'

export interface Column<Row> {
  /** Empty over buttons. */
  name: string
  cell: (row: Row) => Part
  /** Numbers stand to the right. */
  isNumber?: boolean
  /** Left out where there is little room. */
  isExtra?: boolean
}

export interface Table<Row> {
  /** For who cannot see it. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Where a row leads; the first cell holds the link. */
  href?: (row: Row) => string
}

export function tableOf<Row>({ caption, columns, rows, href }: Table<Row>): Html {
  const classOf = ({ isNumber, isExtra }: Column<Row>) => {
    const names = [isNumber && 'number', isExtra && 'extra'].filter(Boolean).join(' ')
    return names !== '' && html` class="${names}"`
  }
  return html`<section class="scroll" tabindex="0" aria-label="${caption}"><table>
<caption class="sr">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${classOf(column)}>${column.name || html`<span class="sr">Actions</span>`}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr${href && html` class="linked"`}>${columns.map((column, index) => {
        const cell = column.cell(row)
        return html`<td${classOf(column)}>${href && index === 0 ? html`<a href="${href(row)}">${cell}</a>` : cell}</td>`
      })}</tr>`,
  )}</tbody>
</table></section>`
}
