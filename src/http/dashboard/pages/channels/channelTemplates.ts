/** Sending › Channels: the templates that a provider has for one of them, asked for each time, to compare and to import. */
import {
  importedFrom,
  type ListedProviderTemplate,
  noConnection,
} from '../../../../domain/templates/providerTemplate.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import { type Html, html, type Part } from '../../../html.ts'
import { headOf } from '../../parts/act.ts'
import { counted } from '../../parts/amount.ts'
import { fieldFaultOf } from '../../parts/field.ts'
import { renderFindings } from '../../parts/finding.ts'
import { type Tone, toned } from '../../parts/status.ts'
import { renderTable } from '../../parts/table.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'

const path = '/channels/:id/templates'
/** Milliseconds for a provider that is asked while a user waits. */
const askMs = 15_000
/** A form has a few hundred fields at most. */
const shownMax = 200
/** So many are named, with so many characters, and the others counted: what is said goes into a cookie. */
const saidMax = { names: 3, characters: 200 }

export const channelTemplateRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path, role: 'developer', show: list },
  { method: 'POST', path, role: 'developer', act: add, back: pathOf },
]

function pathOf({ params }: Asked): string {
  return `/channels/${encodeURIComponent(params.id ?? '')}/templates`
}

function find({ desk, actor, params }: Asked): Promise<ListedProviderTemplate[]> {
  return desk.listProviderTemplates(actor, actor.accountId, params.id ?? '', { withinMs: askMs })
}

async function list(asked: Asked): Promise<View> {
  const { desk, actor, params, query } = asked
  const id = params.id ?? ''
  const channels = await desk.connections.list(actor, actor.accountId)
  if (!channels.some((one) => one.id === id)) throw noConnection(id)
  const wanted = (query.get('q') ?? '').trim().toLowerCase()
  const known = new Set((await desk.templates.list(actor, actor.accountId)).map(({ slug }) => slug))
  const { found, unread } = await find(asked).then(
    (all) => ({ found: all, unread: undefined }),
    (error: unknown) => {
      if (error instanceof Refusal) return { found: [], unread: error.message }
      throw error
    },
  )
  const rows = groupByName(found, known).filter(({ name }) => name.toLowerCase().includes(wanted))
  const title = 'Templates at the provider'
  const body = html`<p class="way"><a href="/channels">Channels</a></p>
${headOf(title)}
<p class="lead">What the provider of <code>${id}</code> has approved, as it says now, and how your templates fit.</p>
${unread === undefined ? html`${searchOf(wanted)}${renderRows(asked, rows)}` : fieldFaultOf(unread)}`
  return { title, section: '/channels', body }
}

/** The languages of one name. */
interface Row {
  name: string
  languages: ListedProviderTemplate[]
  /** It can be added to those of the account. */
  isNew: boolean
  /** Why it cannot, or not in all of its languages: ends of sentences. */
  left: string[]
}

function groupByName(found: readonly ListedProviderTemplate[], known: ReadonlySet<string>): Row[] {
  return [...Map.groupBy(found, ({ name }) => name)].map(([name, languages]) => {
    const { templates, left } = importedFrom(languages, known)
    return { name, languages, isNew: templates.length > 0, left: distinct(left.map(({ reason }) => reason)) }
  })
}

function searchOf(wanted: string): Html {
  return html`<form class="filters" role="search"><p class="field"><label for="q">Name</label><input id="q" name="q" type="search" value="${wanted}" maxlength="512"></p><button class="plain">Search</button></form>`
}

function renderRows(asked: Asked, all: readonly Row[]): Html {
  if (all.length === 0) return html`<p class="quiet-text">There is no such template.</p>`
  const rows = all.slice(0, shownMax)
  const more =
    all.length > rows.length && html`The first ${rows.length} of ${all.length} names: search for the others. `
  const table = renderRowTable(rows)
  if (!rows.some(({ isNew }) => isNew))
    return html`<p class="quiet-text">${more}None of these can be added to your templates.</p>${table}`
  return html`<form method="post" action="${pathOf(asked)}" class="stack wide">
<p class="quiet-text">${more}Tick those that you want among your own templates. They get the same text, and variables that fill every place. Yours stay as they are.</p>
${table}
<div class="acts"><button>Import</button><a class="button plain" href="/channels">Cancel</a></div>
</form>`
}

function renderRowTable(rows: readonly Row[]): Html {
  return renderTable({
    caption: 'Templates at the provider',
    rows,
    columns: [
      { name: 'Template', cell: renderName, isHead: true },
      { name: 'Languages', cell: ({ languages }) => lines(languages.map(renderLanguage)) },
      { name: 'To fill', cell: ({ languages }) => lines(distinct(languages.map(placesOf))), isExtra: true },
      { name: 'Yours', cell: renderOwn },
    ],
  })
}

function renderName({ name, isNew }: Row): Html {
  if (!isNew) return html`<code class="theirs">${name}</code>`
  return html`<label class="tick"><input type="checkbox" name="template" value="${name}"><code class="theirs">${name}</code></label>`
}

/** Of the words that are looked out for; others stand as they are. */
const statusTones: Readonly<Record<string, Tone>> = {
  APPROVED: 'delivered',
  PENDING: 'expired',
  REJECTED: 'failed',
  PAUSED: 'failed',
  DISABLED: 'failed',
}

function renderLanguage({ language, status, category, quality }: ListedProviderTemplate): Html {
  const about = [category, ...(quality === undefined ? [] : [`quality ${quality}`])].join(', ')
  const tone = Object.hasOwn(statusTones, status) ? statusTones[status] : undefined
  return html`<bdi>${language}</bdi> ${tone ? toned(tone, status) : html`<bdi>${status}</bdi>`} <small>${about}</small>`
}

function placesOf({ places }: ListedProviderTemplate): string {
  return places.join(', ') || 'nothing'
}

/** What the account has of it: which of its templates fill it, and how that fits, place by place. */
function renderOwn({ languages, isNew, left }: Row): Html {
  const users = languages.flatMap(({ users: own, language }) => own.map((user) => ({ ...user, language })))
  if (users.length === 0) return html`${isNew && 'none yet'}${renderLeft(left)}`
  return html`${users.map(
    ({ slug, language, faults }) =>
      html`<div><a href="/templates/${encodeURIComponent(slug)}">${slug}</a> <small><bdi>${language}</bdi></small> ${
        faults.length === 0
          ? toned('delivered', 'fits')
          : renderFindings(faults.map((text) => ({ level: 'bad', text })))
      }</div>`,
  )}`
}

function renderLeft(left: readonly string[]): Html | undefined {
  if (left.length === 0) return undefined
  return html`<ul class="small quiet-text whole-words">${left.map((reason) => html`<li>${renderReason(reason)}</li>`)}</ul>`
}

/** What it names is the provider's, and can be a long word that is broken; our own are not. */
function renderReason(reason: string): Html {
  const [said, ...named] = reason.split(': ')
  return html`${said}${named.length > 0 && html`: <bdi class="theirs">${named.join(': ')}</bdi>`}`
}

function lines(list: readonly Part[]): Html {
  return html`${list.map((one, index) => html`${index > 0 && html`<br>`}${one}`)}`
}

function distinct(list: readonly string[]): string[] {
  return [...new Set(list)]
}

async function add(asked: Asked): Promise<Done> {
  const { desk, actor, form } = asked
  const chosen = new Set(form.all('template'))
  if (chosen.size === 0) throw new Refusal('Tick a template first.')
  const found = (await find(asked)).filter(({ name }) => chosen.has(name))
  const known = new Set((await desk.templates.list(actor, actor.accountId)).map(({ slug }) => slug))
  const { templates, left } = importedFrom(found, known)
  if (templates.length > 0) await desk.templates.apply(actor, actor.accountId, templates)
  const names = templates.map(({ slug }) => slug)
  const added = names.length === 0 ? 'None was added.' : `Added ${withRest(names)}.`
  const gone = [...chosen].filter((name) => !found.some((one) => one.name === name))
  const reasons = [
    ...left.map(({ name, reason }) => `${name} ${reason}`),
    ...gone.map((name) => `${name} is no longer there`),
  ]
  return { to: pathOf(asked), said: reasons.length === 0 ? added : `${added} Left out: ${withRest(reasons, '; ')}.` }
}

/** The first few, and how many more there are. */
function withRest(list: readonly string[], between = ', '): string {
  const cut = (one: string) => one.slice(0, saidMax.characters).toWellFormed()
  const shown = list.slice(0, saidMax.names).map(cut).join(between)
  const more = list.length - saidMax.names
  return more > 0 ? `${shown} and ${counted(more, 'more', 'more')}` : shown
}
