/** Messages: what became of this one? Searched by whatever one knows of it. */
import type { ListedMessage, MessagePage } from '../../../../domain/sending/messageSearch.ts'
import { type Html, html } from '../../../html.ts'
import { emptyOf, headOf } from '../../parts/act.ts'
import { selectField, textField } from '../../parts/field.ts'
import { momentField } from '../../parts/moment.ts'
import { pathWith, renderPager } from '../../parts/pager.ts'
import { statusOf } from '../../parts/status.ts'
import { renderTable } from '../../parts/table.ts'
import { timeOf } from '../../parts/time.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'
import { exportButton } from './messageExport.ts'
import { kinds, modes, readSearch, type Search, statuses } from './messageFilters.ts'

export const messageListRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/messages', role: 'viewer', show: list },
]

const path = '/messages'
const rowsMax = 50

async function list(asked: Asked): Promise<View | Done> {
  const { desk, actor, query } = asked
  const search = readSearch(query)
  const [after, before] = [query.get('after') ?? undefined, query.get('before') ?? undefined]
  const page =
    Object.keys(search.faults).length === 0
      ? await desk.searchMessages(actor, actor.accountId, { ...search.filters, limit: rowsMax, after, before })
      : undefined
  // Who brings an id wants that message.
  if (search.filters.id !== undefined && page?.messages[0]) return { to: `${path}/${page.messages[0].id}` }
  const isSearched = search.told.length > 0 || after !== undefined || before !== undefined
  const isEmpty = page?.messages.length === 0 && page.lookedUntil === undefined && !isSearched
  const hasSome = page !== undefined && page.messages.length > 0
  const body = html`${headOf('Messages', hasSome && exportButton(search))}
${isEmpty ? noneYet(asked) : html`${await toForm(asked, search)}${page && found(page, search, query)}`}`
  return { title: 'Messages', section: path, body }
}

function noneYet({ actor }: Asked): Html {
  const make = actor.role !== 'viewer' && html`<a class="button" href="/keys/new">Create a key</a>`
  return emptyOf('Nothing was sent yet. Messages appear here as soon as your program sends them.', make)
}

async function toForm({ desk, actor }: Asked, { values, faults, isNarrow }: Search): Promise<Html> {
  const [connections, templates] = await Promise.all([
    desk.connections.list(actor, actor.accountId),
    desk.templates.list(actor, actor.accountId),
  ])
  const select = (name: string, label: string, choices: readonly string[]) => {
    const value = values.get(name) ?? ''
    // What was sent through is not always there any more.
    const all = value === '' || choices.includes(value) ? choices : [...choices, value]
    const any = { value: '', label: 'Any' }
    return selectField({
      ...{ name, label, value, isSearch: true },
      choices: [any, ...all.map((choice) => ({ value: choice, label: choice }))],
    })
  }
  const moment = (name: string, label: string) =>
    html`<div class="moment">${momentField({ name, label, value: values.get(name) ?? '' })}</div>`
  return html`<form class="search" action="${path}" role="search">
<div class="filters">
<div class="wanted">${textField({
    ...{ name: 'q', label: 'Phone or message id', type: 'search', value: values.get('q') ?? '', lengthMax: 64 },
    fault: faults.q,
    placeholder: '+14155550100',
  })}</div>
${select('status', 'Status', statuses)}
${select('kind', 'Kind', kinds)}
<button>Search</button>
</div>
<details${isNarrow && html` open`}><summary>More filters</summary>
<div class="filters">
${select('mode', 'Mode', modes)}
${select(
  'channel',
  'Channel',
  connections.map(({ id }) => id),
)}
${select(
  'template',
  'Template',
  templates.map(({ slug }) => slug),
)}
<div>${textField({ name: 'reference', label: 'Reference', value: values.get('reference') ?? '', type: 'search', lengthMax: 128 })}</div>
${moment('from', 'From')}
${moment('to', 'Before')}
</div>
</details>
</form>`
}

function found(page: MessagePage, search: Search, query: URLSearchParams): Html {
  const { messages, after, before, lookedUntil, direction } = page
  const isElsewhere = query.has('after') || query.has('before')
  if (messages.length === 0 && lookedUntil === undefined) return nothing(search, isElsewhere)
  const here = new URLSearchParams(search.values)
  for (const name of ['after', 'before']) if (query.has(name)) here.set(name, query.get(name) ?? '')
  return html`${messages.length > 0 && renderTable({ caption: 'Messages', rows: messages, columns, href: ({ id }) => `${path}/${id}` })}
${lookedUntil && soFar(page, search, lookedUntil)}
${renderPager({
  ...{ path, query: here },
  next: lookedUntil && direction === 'older' ? undefined : after,
  previous: lookedUntil && direction === 'newer' ? undefined : before,
})}`
}

/** A search that was cut goes on in its own direction. */
function soFar({ messages, after, before, direction }: MessagePage, search: Search, until: Date): Html {
  const asked = { path, query: search.values }
  const none = messages.length === 0 ? 'None found' : 'No more found'
  const [made, to, label] =
    direction === 'older'
      ? ([html`since ${timeOf(until)}`, { name: 'after', place: after }, 'Look further back'] as const)
      : ([html`up to ${timeOf(until)}`, { name: 'before', place: before }, 'Look at newer ones'] as const)
  return html`<p class="saying"><span>${none} so far: ${describe(search)}. Messages made ${made} were looked at.</span>${
    to.place !== undefined && html` <a class="button plain" href="${pathWith(asked, to.name, to.place)}">${label}</a>`
  }</p>`
}

const columns = [
  {
    name: 'Phone',
    cell: ({ phone, country }: ListedMessage) =>
      html`<span class="phone-number">${phone}</span>${country !== null && html` <small>${country}</small>`}`,
  },
  { name: 'Mode', cell: ({ mode }: ListedMessage) => mode },
  {
    name: 'Status',
    cell: ({ status, errorCode }: ListedMessage) =>
      html`${statusOf(status)}${errorCode !== null && html`<br><small class="whole-words">${errorCode}</small>`}`,
  },
  {
    name: 'Kind',
    cell: ({ kind, template }: ListedMessage) =>
      html`${kind}${template !== null && html`<br><small>${template}</small>`}`,
    isExtra: true,
  },
  {
    name: 'Channel',
    cell: ({ connection }: ListedMessage) => html`<span class="whole-words">${connection}</span>`,
    isExtra: true,
  },
  {
    name: 'Made',
    // A link of its own, so that the pointer comes to the time: that of the row lies above what else is in it.
    cell: ({ id, createdAt }: ListedMessage) =>
      html`<a class="through" href="${path}/${id}" tabindex="-1">${timeOf(createdAt)}</a>`,
    isNumber: true,
  },
]

/** What was searched, and each thing that can be left out to find more. */
function nothing(search: Search, isElsewhere: boolean): Html {
  const { told, values } = search
  if (told.length === 0 || isElsewhere) {
    return emptyOf(
      'No message stands this far back.',
      html`<a class="button" href="${pathWith({ path, query: values })}">Show the newest</a>`,
    )
  }
  const without = (name: string) => {
    const rest = new URLSearchParams(values)
    rest.delete(name)
    return pathWith({ path, query: rest })
  }
  return html`<div class="empty">
<p>No message was found: ${describe(search)}.</p>
${told.length > 1 && html`<p class="row">${told.map(({ name, short }) => html`<a href="${without(name)}">Search without ${short}</a>`)}</p>`}
${values.has('q') && html`<p>To find a phone, enter the whole number with the country code. Old messages are erased.</p>`}
<a class="button" href="${path}">Show all messages</a>
</div>`
}

function describe({ told }: Search): Html {
  return html`${told.map(({ text }, index) => html`${index > 0 && ', '}${text}`)}`
}
