/** The messages of a search as a file for spreadsheets. */
import { exportLimits, type MessageExport } from '../../../../domain/sending/messageExport.ts'
import type { ListedMessage } from '../../../../domain/sending/messageSearch.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import { type Html, html } from '../../../html.ts'
import { csvFile, csvLine, whileSignedIn } from '../../csv.ts'
import { actButton } from '../../parts/act.ts'
import { count } from '../../parts/amount.ts'
import { pathWith } from '../../parts/pager.ts'
import type { Asked, Download, GuardedRoute } from '../../route.ts'
import { readSearch, type Search } from './messageFilters.ts'

export const messageExportRoutes: readonly GuardedRoute[] = [
  {
    method: 'POST',
    path: '/messages/export',
    role: 'viewer',
    act: save,
    back: (asked) => pathWith({ path: '/messages', query: searchIn(asked).values }),
  },
]

/** @param search what is looked for on the page that it stands on */
export function exportButton({ values }: Search): Html {
  return html`<div title="${`The messages of this search, the newest first: at most ${count(exportLimits.messagesMax)}`}">${actButton(
    {
      to: '/messages/export',
      label: 'Save as CSV',
      fields: { search: values.toString() },
    },
  )}</div>`
}

function searchIn({ form }: Asked): Search {
  return readSearch(new URLSearchParams(form.text('search')))
}

async function save(asked: Asked): Promise<Download> {
  const { desk, actor } = asked
  const { filters, faults } = searchIn(asked)
  const [fault] = Object.values(faults)
  if (fault !== undefined) throw new Refusal(fault)
  const keyNames = new Map((await desk.apiKeys.list(actor)).map(({ id, name }) => [id, name]))
  const found = await desk.exportMessages(actor, actor.accountId, filters)
  return {
    ...csvFile('messages', desk.now()),
    parts: formatLines(whileSignedIn(asked, found.pages), (id) => keyNames.get(id) ?? id),
    end: found.end,
  }
}

/** Times are in UTC. */
const columns: Readonly<Record<string, (message: ListedMessage, nameOf: (keyId: string) => string) => string | null>> =
  {
    id: ({ id }) => id,
    made_at: ({ createdAt }) => createdAt.toISOString(),
    mode: ({ mode }) => mode,
    kind: ({ kind }) => kind,
    template: ({ template }) => template,
    phone: ({ phone }) => phone,
    country: ({ country }) => country,
    channel: ({ connection }) => connection,
    key: ({ keyId }, nameOf) => keyId && nameOf(keyId),
    status: ({ status }) => status,
    status_at: ({ at }) => at.toISOString(),
    error: ({ errorCode }) => errorCode,
    price: ({ price }) => (price ? `${price.amount}` : null),
    currency: ({ price }) => price?.currency ?? null,
    reference: ({ reference }) => reference,
    template_version: ({ templateVersion }) => (templateVersion === null ? null : `${templateVersion}`),
    template_locale: ({ templateLocale }) => templateLocale,
  }

/** @param nameOf of a key, by its id */
export async function* formatLines(
  pages: MessageExport['pages'],
  nameOf: (keyId: string) => string,
): AsyncGenerator<string> {
  yield csvLine(Object.keys(columns))
  for await (const { messages, isCut } of pages) {
    const cellsOf = Object.values(columns)
    yield messages.map((message) => csvLine(cellsOf.map((cellOf) => cellOf(message, nameOf)))).join('')
    if (isCut)
      yield csvLine(['This file is full, and there may be older messages: search for those before the last one.'])
  }
}
