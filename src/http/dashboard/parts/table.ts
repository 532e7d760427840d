/** Tables: a head that stays, numbers to the right, the whole row a link. On a phone each row is a card. */
import { type Html, html, type Part } from '../../html.ts'

export interface Column<Row> {
  /** Empty over buttons. */
  name: string
  cell: (row: Row) => Part
  /** Numbers stand to the right. */
  isNumber?: boolean
  /** Left out where columns have little room. A card has room for it. */
  isExtra?: boolean
  /** The row is called by it. */
  isHead?: boolean
  /** It stands on top of a card; the first column does where none is named. */
  isTitle?: boolean
}

export interface Table<Row> {
  /** For who cannot see it. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Where a row leads; the first cell holds the link. */
  href?: (row: Row) => string
}

export function renderTable<Row>({ caption, columns, rows, href }: Table<Row>): Html {
  const title = columns.find(({ isTitle }) => isTitle) ?? columns[0]
  const describeClass = (column: Column<Row>) => {
    const { isNumber, isExtra } = column
    const names = [isNumber && 'number', isExtra && 'extra', column === title && 'title'].filter(Boolean).join(' ')
    return names !== '' && html` class="${names}"`
  }
  // Cells of a card say what they are by their label: its head is not shown there.
  const labelOf = (column: Column<Row>) => column !== title && column.name !== '' && html` data-label="${column.name}"`
  const renderCell = (row: Row, column: Column<Row>, index: number) => {
    const cell = column.cell(row)
    const inner = href && index === 0 ? html`<a href="${href(row)}">${cell}</a>` : cell
    return column.isHead
      ? html`<th scope="row"${describeClass(column)}${labelOf(column)}>${inner}</th>`
      : html`<td${describeClass(column)}${labelOf(column)}>${inner}</td>`
  }
  return html`<section class="scroll" tabindex="0" aria-label="${caption}"><table>
<caption class="sr">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${describeClass(column)}>${column.name || html`<span class="sr">Actions</span>`}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr${href && html` class="linked"`}>${columns.map((column, index) => renderCell(row, column, index))}</tr>`)}</tbody>
</table></section>`
}
