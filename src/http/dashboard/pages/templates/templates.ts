/** Sending › Templates: the texts of notifications. */
import type { CheckedConnection } from '../../../../domain/channels/connectionCheck.ts'
import { variablesOf } from '../../../../domain/sending/wordings/templateText.ts'
import { defaultText } from '../../../../domain/templates/template.ts'
import type { TemplateForm } from '../../../../domain/templates/templateForm.ts'
import { sizeOfTemplate } from '../../../../domain/templates/templateSize.ts'
import type { Template, TemplateLocale } from '../../../../store/template.ts'
import { type Html, html } from '../../../html.ts'
import { actButton, emptyOf, headOf } from '../../parts/act.ts'
import { counted } from '../../parts/amount.ts'
import { blockOf } from '../../parts/code.ts'
import { renderFindings } from '../../parts/finding.ts'
import { renderTable } from '../../parts/table.ts'
import { timeOf } from '../../parts/time.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'
import {
  enteredFrom,
  enteredIn,
  renderEditor,
  renderPreview,
  type TemplateEntry,
  toEnteredTemplate,
} from './templateEditor.ts'
import { changesLanguages } from './templateLocales.ts'
import { writeCommand } from './templateSample.ts'
import { renderVersions } from './templateVersions.ts'

const section = '/templates'
/** Milliseconds for each provider that is asked while somebody waits. */
const askMs = 10_000
/** Channels; the page of channels leads to the others. */
const importsShown = 2
/** From so many on, one looks for one. */
const searchedFrom = 20

export const templateRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/templates', role: 'viewer', show: list },
  { method: 'GET', path: '/new-template', role: 'developer', show: (asked) => adding(asked) },
  { method: 'POST', path: '/templates', role: 'developer', act: add, back: () => '/new-template', again: adding },
  { method: 'GET', path: '/templates/:slug', role: 'viewer', show: one },
  { method: 'POST', path: '/templates/:slug', role: 'developer', act: change, back: pathOf, again: changing },
  { method: 'POST', path: '/templates/:slug/delete', role: 'developer', act: remove, back: pathOf },
]

function slugOf({ params }: Asked): string {
  return params.slug ?? ''
}

function pathOf(asked: Asked): string {
  return `/templates/${encodeURIComponent(slugOf(asked))}`
}

/** Where templates of a provider's own can be imported from. */
async function linkProviders(desk: Asked['desk'], actor: Asked['actor']): Promise<Html> {
  const channels = await desk.connections.list(actor, actor.accountId)
  const able = channels.filter(({ kind }) => desk.templates.forms.some((form) => form.kind === kind))
  return html`${able.slice(0, importsShown).map(({ id }) => html`<a class="button plain" href="/channels/${id}/templates">Import from ${id}</a>`)}`
}

async function list({ desk, actor, query }: Asked): Promise<View> {
  const templates = await desk.templates.list(actor, actor.accountId)
  const sentLast = await desk.templates.sentLast(actor, actor.accountId)
  const wanted = (query.get('q') ?? '').trim()
  const found = templates.filter((one) =>
    `${one.slug} ${defaultText(one).text}`.toLowerCase().includes(wanted.toLowerCase()),
  )
  const make =
    actor.role !== 'viewer' &&
    html`${await linkProviders(desk, actor)}<a class="button" href="/new-template">Add a template</a>`
  const body = html`${headOf('Templates', templates.length > 0 && make)}
${(templates.length >= searchedFrom || wanted !== '') && searchOf(wanted)}
${
  templates.length === 0
    ? emptyOf('A template is the text of a notification, with variables. There is none yet.', make)
    : found.length === 0
      ? emptyOf(
          'No template has this in its slug or text.',
          html`<a class="button plain" href="/templates">Show all</a>`,
        )
      : renderTable({
          caption: 'Templates',
          rows: found,
          href: ({ slug }) => `/templates/${slug}`,
          columns: [
            {
              name: 'Template',
              cell: (one) =>
                html`<code class="name">${one.slug}</code><span class="begin quiet-text" dir="auto">${defaultText(one).text}</span>`,
            },
            { name: 'Size', cell: (one) => renderSize(defaultText(one).text), isExtra: true },
            { name: 'Variables', cell: (one) => renderNames(variablesOf(defaultText(one).text)), isExtra: true },
            ...desk.templates.forms.map((form) => ({
              name: form.title,
              cell: (one: Template) => nameFor(form, defaultText(one).channels[form.kind]),
              isExtra: true,
            })),
            { name: 'Sent last', cell: ({ slug }) => renderSent(sentLast.get(slug)), isExtra: true },
            { name: 'Changed', cell: ({ updatedAt }) => timeOf(updatedAt), isExtra: true },
          ],
        })
}`
  return { title: 'Templates', section, body }
}

function searchOf(wanted: string): Html {
  return html`<form class="filters" role="search"><p class="field"><label for="q">Slug or text</label><input id="q" name="q" type="search" value="${wanted}"></p><button class="plain">Search</button></form>`
}

/** Without what variables are filled with. */
function renderSize(text: string): Html {
  const { characters, segments, note } = sizeOfTemplate(text)
  const [length, sms] = [counted(characters, 'character'), counted(segments, 'SMS', 'SMS')]
  return html`<span class="unbroken">${length}</span><br><small class="unbroken">${sms}</small>${note !== undefined && html`<br><small class="bad">${note}</small>`}`
}

function renderSent(at: Date | undefined): Html {
  if (at) return timeOf(at)
  return html`<span class="quiet-text unbroken" title="Not in 30 days, or not among the latest thousand messages of the account">not lately</span>`
}

const namesShown = 3

function renderNames(names: readonly string[]): Html {
  if (names.length === 0) return html`<span class="quiet-text">none</span>`
  const more = names.length - namesShown
  return html`<ul class="chips">${names.slice(0, namesShown).map((name) => html`<li><code>${name}</code></li>`)}${
    more > 0 && html`<li title="${names.slice(namesShown).join(', ')}">+${more}</li>`
  }</ul>`
}

/** What it is called there: by the first field of the kind. */
function nameFor({ fields }: TemplateForm, settings: unknown): Html {
  const name = fields[0] && (settings as Record<string, unknown> | undefined)?.[fields[0].name]
  return name === undefined
    ? html`<span class="quiet-text">–</span>`
    : html`<code class="begin" title="${String(name)}">${String(name)}</code>`
}

function adding(asked: Asked, fault?: string): View {
  const { forms } = asked.desk.templates
  const entered = enteredIn(asked.form, forms)
  const body = html`<p class="way"><a href="/templates">Templates</a></p>
${headOf('Add a template')}
${renderEditor({ entered, forms, to: '/templates', isNew: true, fault })}`
  return { title: 'Add a template', section, body }
}

async function add(asked: Asked): Promise<View | Done> {
  const { desk, actor, form } = asked
  if (form.text('do') === 'preview' || changesLanguages(form)) return adding(asked)
  const { forms } = desk.templates
  const template = toEnteredTemplate(enteredIn(form, forms), forms)
  await desk.templates.add(actor, actor.accountId, template)
  return { to: `/templates/${template.slug}`, said: `Added ${template.slug}. It can be sent now.` }
}

async function one(asked: Asked): Promise<View> {
  const { desk, actor } = asked
  const row = await desk.templates.find(actor, actor.accountId, slugOf(asked))
  return renderPage(asked, row, { entered: enteredFrom(row, desk.templates.forms) })
}

/** With what was entered, in place of what is kept. */
async function changing(asked: Asked, fault?: string): Promise<View> {
  const { desk, actor, form } = asked
  const row = await desk.templates.find(actor, actor.accountId, slugOf(asked))
  return renderPage(asked, row, { entered: enteredIn(form, desk.templates.forms, row.slug), fault })
}

interface Shown {
  entered: TemplateEntry
  fault?: string | undefined
  /** What the providers said, when they were asked. */
  checked?: readonly CheckedConnection[]
}

async function renderPage(asked: Asked, row: Template, { entered, fault, checked }: Shown): Promise<View> {
  const { desk, actor, apiUrl } = asked
  const { slug } = row
  const { forms } = desk.templates
  const earlier = await desk.templates.versions(actor, actor.accountId, slug)
  const may = actor.role !== 'viewer'
  const named = forms.filter(({ kind }) =>
    Object.values(row.locales).some(({ channels }) => Object.hasOwn(channels, kind)),
  )
  const body = html`<p class="way"><a href="/templates">Templates</a></p>
${headOf(
  html`<code>${slug}</code>`,
  may &&
    actButton({
      to: `/templates/${slug}/delete`,
      label: 'Delete',
      confirm: `Delete ${slug}: programs that still send it get unknown_template.`,
      isDangerous: true,
    }),
)}
${
  may
    ? renderEditor({ entered, forms, to: `/templates/${slug}`, isNew: false, fault })
    : html`<div class="editor"><div class="writing">${renderFacts(row, forms)}</div>${renderPreview(entered, false)}</div>`
}
${may && named.length > 0 && renderAsked(slug, named, checked)}
${renderVersions(row, earlier, may)}
<section class="panel">
<h2>Send it</h2>
<p class="quiet-text">With a test key in <code>WATCHWORD_API_KEY</code>, it comes to the ${may ? html`<a href="/sandbox">sandbox phone</a>` : 'sandbox phone'}.</p>
${blockOf(writeCommand(apiUrl, slug, enteredFrom(row, forms).samples), 'The command')}
</section>`
  return { title: slug, section, body }
}

function renderFacts({ category, defaultLocale, locales, updatedAt }: Template, forms: readonly TemplateForm[]): Html {
  const languages = Object.entries(locales).map(([tag, said]) =>
    factsIn(tag === defaultLocale ? '' : ` in ${tag}`, said, forms),
  )
  return html`<section class="panel"><dl class="facts">${languages}<div><dt>Category</dt><dd>${category}</dd></div><div><dt>Changed</dt><dd>${timeOf(updatedAt)}</dd></div></dl></section>`
}

/** @param end of the names of its facts */
function factsIn(end: string, { text, channels }: TemplateLocale, forms: readonly TemplateForm[]): Html {
  return html`<div class="whole"><dt>Text${end}</dt><dd class="written" dir="auto">${text}</dd></div>${forms.map(
    ({ kind, title, fields }) =>
      fields.map(({ name, title: field }) => {
        const value = [(channels[kind] as Record<string, unknown> | undefined)?.[name] ?? []].flat().join(', ')
        return value !== '' && html`<div><dt>${title}: ${field}${end}</dt><dd><code>${value}</code></dd></div>`
      }),
  )}`
}

function renderAsked(
  slug: string,
  named: readonly TemplateForm[],
  checked: readonly CheckedConnection[] | undefined,
): Html {
  const titles = named.map(({ title }) => title).join(' and ')
  return html`<section class="panel" id="asked">
<div class="head"><h2>What ${titles} ${named.length === 1 ? 'says' : 'say'} of it</h2>${actButton({ to: `/templates/${slug}`, fields: { do: 'ask' }, label: `Ask ${titles} now` })}</div>
${
  checked === undefined
    ? html`<p class="quiet-text">Checks that it exists in that language, is approved, and has the same number of variables.</p>`
    : checked.length === 0
      ? html`<p class="quiet-text">This cannot be checked: there is no channel for ${titles}. <a href="/channels">Channels</a></p>`
      : checked.map(
          ({ id, findings }) =>
            html`<div class="checked"><h3><code>${id}</code></h3>${renderFindings(findings.map((finding) => ({ ...finding, text: finding.text.replace(`template ${slug}: `, '') })))}</div>`,
        )
}
</section>`
}

async function change(asked: Asked): Promise<View | Done> {
  const { desk, actor, form } = asked
  if (form.text('do') === 'preview' || changesLanguages(form)) return changing(asked)
  if (form.text('do') === 'ask') return ask(asked)
  if (form.text('do') === 'back') return putBack(asked)
  const { forms } = desk.templates
  const template = toEnteredTemplate(enteredIn(form, forms, slugOf(asked)), forms)
  await desk.templates.change(actor, actor.accountId, template)
  return { to: `/templates/${template.slug}`, said: `Saved ${template.slug}. New messages have this text.` }
}

async function putBack(asked: Asked): Promise<Done> {
  const [slug, version] = [slugOf(asked), asked.form.text('version')]
  await asked.desk.templates.putBack(asked.actor, asked.actor.accountId, slug, Number(version))
  return { to: pathOf(asked), said: `Put version ${version} of ${slug} back. New messages have it.` }
}

async function ask(asked: Asked): Promise<View> {
  const { desk, actor } = asked
  const row = await desk.templates.find(actor, actor.accountId, slugOf(asked))
  const checked = await desk.check(actor, actor.accountId, { template: row.slug, withinMs: askMs })
  return renderPage(asked, row, { entered: enteredFrom(row, desk.templates.forms), checked })
}

async function remove(asked: Asked): Promise<Done> {
  const slug = slugOf(asked)
  await asked.desk.templates.remove(asked.actor, asked.actor.accountId, slug)
  return { to: '/templates', said: `Deleted ${slug}. Programs that still send it get unknown_template.` }
}
