/** Sending › Opt-outs: the phones that get no notifications, by category. */
import { countMax, type OptOutExport } from '../../../../domain/sending/phones/managedOptOuts.ts'
import { phonesAtOnceMax, readPhoneList } from '../../../../domain/sending/phones/phoneList.ts'
import { textOfFault } from '../../../../kit/reading/formFaults.ts'
import { faultsIn } from '../../../../kit/refusal.ts'
import type { OptOutCategory } from '../../../../store/schema/requestSchema.ts'
import type { KnownOptOut, ListedOptOut, OptOutPlace } from '../../../../store/sending/optOut.ts'
import { type Html, html, type Part } from '../../../html.ts'
import { csvFile, csvLine, whileSignedIn } from '../../csv.ts'
import { actButton, emptyOf, headOf } from '../../parts/act.ts'
import { count } from '../../parts/amount.ts'
import { fieldFaultOf, selectField, textArea, textField } from '../../parts/field.ts'
import { renderPager } from '../../parts/pager.ts'
import { renderTable } from '../../parts/table.ts'
import { timeOf } from '../../parts/time.ts'
import type { Asked, Done, Download, GuardedRoute, View } from '../../route.ts'
import { addKeyword, keywordPanel, removeKeyword } from './replyKeywords.ts'

const section = '/opt-outs'
const rowsMax = 50
const back = () => section

export const optOutRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: section, role: 'viewer', show: (asked) => list(asked) },
  { method: 'POST', path: '/opt-outs/find', role: 'developer', act: find, back, again: withFault('find') },
  { method: 'POST', path: '/opt-outs/add', role: 'developer', act: add, back, again: withFault('find') },
  { method: 'POST', path: '/opt-outs/remove', role: 'owner', act: remove, back, again: withFault('find') },
  { method: 'POST', path: '/opt-outs/import', role: 'owner', act: importAll, back, again: withFault('import') },
  { method: 'POST', path: '/opt-outs/keywords/add', role: 'owner', act: addKeyword, back, again: withFault('keyword') },
  { method: 'POST', path: '/opt-outs/keywords/remove', role: 'owner', act: removeKeyword, back },
  { method: 'POST', path: '/opt-outs/export', role: 'viewer', act: save, back },
]

type FaultOf = 'find' | 'import' | 'keyword'

/** What was asked of the page, and what came of it. */
interface Answer {
  /** Above the form that it belongs to. */
  fault?: { of: FaultOf; text: string }
  /** Of one phone. */
  found?: Html
}

function withFault(of: FaultOf) {
  return (asked: Asked, text: string): Promise<View> => list(asked, { fault: { of, text } })
}

async function list(asked: Asked, { fault, found }: Answer = {}): Promise<View> {
  const { desk, actor, query } = asked
  const after = placeIn(query.get('after'))
  const [rows, counts, keywords] = await Promise.all([
    desk.optOuts.list(actor, actor.accountId, { after, count: rowsMax + 1 }),
    desk.optOuts.count(actor, actor.accountId),
    desk.optOuts.listKeywords(actor, actor.accountId),
  ])
  const faultOf = (form: FaultOf) => (fault?.of === form ? fault.text : undefined)
  const shown = rows.slice(0, rowsMax)
  const next = rows.length > rowsMax ? textOfPlace(shown.at(-1)!) : undefined
  const body = html`${headOf('Opt-outs', rows.length > 0 && actButton({ to: '/opt-outs/export', label: 'Save as CSV' }))}
<p class="lead">People who opted out of notifications, or of marketing only. Codes are still sent, because people request each of them. <a href="/guide/sms#who-has-opted-out">How people opt out</a></p>
${actor.role !== 'viewer' && phonePanel(asked, { fault: faultOf('find'), found })}
${rows.length === 0 && after === undefined ? emptyOf('No one has opted out of live messages.') : html`${renderCounts(counts)}${tableOfAll(shown)}`}
${renderPager({ path: section, query, next })}
${actor.role === 'owner' && importPanel(asked, faultOf('import'))}
${keywordPanel(asked, keywords, faultOf('keyword'))}`
  return { title: 'Opt-outs', section, body }
}

function tableOfAll(rows: readonly ListedOptOut[]): Html {
  return html`<p class="quiet-text">No phone is shown here, because none is kept: an opt-out holds a keyed hash of its phone, so that it outlives the erasure of a person without naming them. The recipient is the one of the messages to that phone.</p>
${renderTable({
  caption: 'Opt-outs, the latest first',
  rows,
  columns: [
    { name: 'Recipient', cell: ({ recipient }) => html`<code class="unbroken">${recipient ?? 'not kept'}</code>` },
    { name: 'Category', cell: ({ category }) => categoryWords(category) },
    { name: 'Source', cell: ({ source }) => sourceWords(source) },
    { name: 'Since', cell: ({ since }) => timeOf(since), isNumber: true },
  ],
})}`
}

type Counts = Awaited<ReturnType<Asked['desk']['optOuts']['count']>>

function renderCounts(counts: Counts): Html {
  const isMore = counts.reduce((sum, { count: n }) => sum + n, 0) >= countMax
  const words = counts.map(
    ({ source, category, count: n }) =>
      html`<div><dt>${sourceWords(source)}, ${categoryWords(category)}</dt><dd>${count(n)}</dd></div>`,
  )
  return html`<dl class="facts">${words}</dl>${isMore && html`<p class="quiet-text small">Of more, ${count(countMax)} are counted.</p>`}`
}

const words: Readonly<Record<string, string>> = {
  provider: 'a provider',
  reply: 'a reply',
  api: 'the API',
  operator: 'the operator',
  person: 'the dashboard',
  import: 'an import',
}

/** One that a later version writes is shown as it is. */
function sourceWords(source: string): string {
  return words[source] ?? source
}

const categories = [
  { value: 'all', label: 'all notifications' },
  { value: 'marketing', label: 'marketing' },
]

function categoryWords(category: string): string {
  return categories.find(({ value }) => value === category)?.label ?? category
}

/** @param name of its own in each form of the page: it is the id of the field too */
function categoryField({ form }: Asked, name: string): Html {
  return selectField({ name, label: 'Opt-out of', value: form.text(name), choices: categories })
}

function categoryIn({ form }: Asked, name: string): OptOutCategory {
  return form.text(name) === 'marketing' ? 'marketing' : 'all'
}

function phonePanel(asked: Asked, { fault, found }: { fault: string | undefined; found: Html | undefined }): Html {
  const { form } = asked
  const field = textField({
    ...{ name: 'phone', label: 'Phone', type: 'tel', value: form.text('phone'), isRequired: true, lengthMax: 200 },
    ...{ placeholder: '+1 (415) 555-0100', help: 'As people write it, with the country code.' },
  })
  return html`<section class="panel"><h2>One phone</h2>
${fieldFaultOf(fault)}${found}
<form method="post" action="/opt-outs/find" class="stack">
${field}
${categoryField(asked, 'category')}
<div class="acts"><button class="plain">Look up</button><button class="plain" formaction="/opt-outs/add">Add an opt-out</button></div>
</form></section>`
}

function importPanel(asked: Asked, fault: string | undefined): Html {
  return html`<details class="panel"${fault !== undefined && html` open`}><summary>Import a list</summary>
${fieldFaultOf(fault)}
<form method="post" action="/opt-outs/import" class="stack">
${textArea({
  ...{ name: 'list', label: 'Phones', value: asked.form.text('list'), rows: 8, isRequired: true, isSource: true },
  help: `One on each line, or a table (CSV) with a column "phone": at most ${count(phonesAtOnceMax)} lines and 256 KB. If a line is wrong, nothing is imported. The command opt-outs import takes larger ones, and shows how far it is.`,
})}
${categoryField(asked, 'list_category')}
<div class="acts"><button class="plain">Import</button></div>
</form></details>`
}

async function find(asked: Asked): Promise<View> {
  const { desk, actor, form } = asked
  const known = await desk.optOuts.find(actor, actor.accountId, form.text('phone'))
  return list(asked, {
    found: known ? foundIn(asked, known) : html`<p role="status">This phone has not opted out.</p>`,
  })
}

function foundIn({ actor, form }: Asked, { category, source, since }: KnownOptOut): Html {
  const removal: Part =
    actor.role === 'owner' &&
    html`<form method="post" action="/opt-outs/remove" class="stack">
<input type="hidden" name="phone" value="${form.text('phone')}">
${textField({ name: 'reason', label: 'Why it is removed', isRequired: true, lengthMax: 200, help: 'For the audit, without a phone number. Remove an opt-out only when the owner of the phone wants notifications again.' })}
<div class="acts"><button class="danger">Remove the opt-out</button></div>
</form>`
  return html`<p role="status">This phone has opted out of ${categoryWords(category)}. Source: ${sourceWords(source)}, ${timeOf(since)}.</p>${removal}`
}

async function add(asked: Asked): Promise<Done> {
  const { desk, actor, form } = asked
  const category = categoryIn(asked, 'category')
  const isNew = await desk.optOuts.add(actor, actor.accountId, { phone: form.text('phone'), category })
  const said = category === 'all' ? 'This phone gets no more notifications.' : 'This phone gets no more marketing.'
  return { to: section, said: isNew ? said : 'This phone had opted out before.' }
}

async function remove({ desk, actor, form }: Asked): Promise<Done> {
  const one = { phone: form.text('phone'), reason: form.text('reason') }
  const wasOptedOut = await desk.optOuts.remove(actor, actor.accountId, one)
  return {
    to: section,
    said: wasOptedOut ? 'Removed. This phone gets notifications again.' : 'This phone had not opted out.',
  }
}

async function importAll(asked: Asked): Promise<Done> {
  const { desk, actor, form } = asked
  const { phones, faults } = await readPhoneList(form.raw('list'), 'The list')
  if (faults.length > 0) throw faultsIn(faults.map((fault) => textOfFault(fault, 'line').replace(':', ' ')))
  const added = await desk.optOuts.import(actor, actor.accountId, {
    phones,
    category: categoryIn(asked, 'list_category'),
  })
  return {
    to: section,
    said: `Imported ${count(phones.length)} phones; ${count(phones.length - added)} had opted out before.`,
  }
}

async function save(asked: Asked): Promise<Download> {
  const { desk, actor } = asked
  const { pages, end } = await desk.optOuts.export(actor, actor.accountId)
  return { ...csvFile('opt-outs', desk.now()), parts: formatLines(whileSignedIn(asked, pages)), end }
}

async function* formatLines(pages: OptOutExport['pages']): AsyncGenerator<string> {
  yield csvLine(['recipient', 'category', 'source', 'since'])
  for await (const { optOuts, isCut } of pages) {
    yield optOuts.map((row) => csvLine([row.recipient, row.category, row.source, row.since.toISOString()])).join('')
    if (isCut) yield csvLine(['This file is full, and there may be older opt-outs.'])
  }
}

function textOfPlace({ since, phoneHash }: OptOutPlace): string {
  return `${since.getTime()}.${phoneHash}`
}

/** @returns undefined for what is no place: the list begins at its top */
function placeIn(text: string | null): OptOutPlace | undefined {
  const [, time, phoneHash] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(text ?? '') ?? []
  return phoneHash === undefined ? undefined : { since: new Date(Number(time)), phoneHash }
}
