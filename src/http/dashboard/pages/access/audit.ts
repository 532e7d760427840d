/** Settings › Audit: who did what, when, and from where. */
import type { AuditRow } from '../../../../store/access/audit.ts'
import { type Html, html } from '../../../html.ts'
import { emptyOf, headOf } from '../../parts/act.ts'
import { renderPager } from '../../parts/pager.ts'
import { renderTable } from '../../parts/table.ts'
import { timeOf } from '../../parts/time.ts'
import type { Asked, GuardedRoute, View } from '../../route.ts'

const section = '/audit'
const rowsMax = 50

export const auditRoutes: readonly GuardedRoute[] = [{ method: 'GET', path: '/audit', role: 'owner', show: list }]

async function list({ desk, actor, query }: Asked): Promise<View> {
  const found = await desk.listAudit(actor, actor.accountId, {
    before: query.get('after') ?? undefined,
    count: rowsMax + 1,
  })
  const rows = found.slice(0, rowsMax)
  const next = found.length > rowsMax ? rows.at(-1)?.id : undefined
  const body = html`${headOf('Audit')}
${
  rows.length === 0
    ? emptyOf('Everything that people and the operator do in this account appears here. Nothing was done yet.')
    : renderTable({
        caption: 'Audit',
        rows,
        columns: [
          { name: 'When', cell: ({ at }) => timeOf(at) },
          { name: 'Who', cell: who },
          { name: 'What', cell: what, isTitle: true },
          {
            name: 'From',
            cell: ({ address }) => address !== null && html`<span class="unbroken">${address}</span>`,
            isExtra: true,
          },
        ],
      })
}
${renderPager({ path: section, query, next })}`
  return { title: 'Audit', section, body }
}

function who({ name, userId }: AuditRow): Html {
  return html`<span class="whole-words">${name}${userId === null && html`<br><small>operator</small>`}</span>`
}

/** `key.created` reads as "key created". */
function what({ act, subject, detail }: AuditRow): Html {
  const said = Object.entries(detail).map(([name, value]) => `${wordsOf(name)} ${textIn(value)}`)
  return html`${act.replaceAll(/[._]/g, ' ')}${said.length > 0 && html`: ${said.join(', ')}`}<br><code class="quiet-text ${isId(subject) ? 'unbroken' : 'theirs'}">${subject}</code>`
}

/** Other subjects, such as a keyword, are as long as a person makes them. */
function isId(subject: string): boolean {
  return /^[a-z]+_[\dA-Za-z]{1,26}$/.test(subject)
}

/** `invitedBy` reads as "invited by". */
function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function textIn(value: unknown): string {
  return Array.isArray(value) || typeof value === 'string' ? [value].flat().join(', ') : JSON.stringify(value)
}
