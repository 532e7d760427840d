/** Sending › Wording: what codes are sent with, by language. */

import { cooldownRange } from '../../../../domain/access/account.ts'
import { cooldownOf, liveLimits } from '../../../../domain/sending/limit.ts'
import { fill, writeCodeText } from '../../../../domain/sending/wordings/codeText.ts'
import { costlyCharacters } from '../../../../domain/sending/wordings/costlyCharacters.ts'
import { languageIn } from '../../../../domain/sending/wordings/language.ts'
import { shippedWordings } from '../../../../domain/sending/wordings/shipped.ts'
import { example, sizesOf } from '../../../../domain/sending/wordings/wordingForm.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import { plainText } from '../../../../kit/typed.ts'
import type { AccountRow } from '../../../../store/access/account.ts'
import type { WordingRow } from '../../../../store/wording.ts'
import { type Html, html } from '../../../html.ts'
import { actButton, emptyOf, headOf } from '../../parts/act.ts'
import { fieldFaultOf, textField } from '../../parts/field.ts'
import { renderTable } from '../../parts/table.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'
import { describeSize, wordingEditor, wordingPreview } from './wordingEditor.ts'

const section = '/wording'

export const wordingRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/wording', role: 'viewer', show: (asked) => list(asked) },
  { method: 'GET', path: '/new-wording', role: 'developer', show: (asked) => adding(asked) },
  { method: 'POST', path: '/wording', role: 'developer', act: add, back: () => '/new-wording', again: adding },
  { method: 'POST', path: '/wording-defaults', role: 'developer', act: setDefaults, back: () => section, again: list },
  { method: 'POST', path: '/wording-brand', role: 'developer', act: setBrand, back: () => section, again: list },
  { method: 'POST', path: '/wording-cooldown', role: 'owner', act: setCooldown, back: () => section, again: list },
  { method: 'GET', path: '/wording/:language', role: 'viewer', show: one },
  { method: 'POST', path: '/wording/:language', role: 'developer', act: change, back: pathOf, again: changing },
  { method: 'POST', path: '/wording/:language/delete', role: 'developer', act: remove, back: pathOf },
]

function languageOf({ params }: Asked): string {
  return params.language ?? ''
}

function pathOf(asked: Asked): string {
  return `/wording/${languageOf(asked)}`
}

async function list(asked: Asked, fault?: string): Promise<View> {
  const { desk, actor, form } = asked
  const [wording, account] = await Promise.all([
    desk.wordings.find(actor, actor.accountId),
    desk.accounts.own(actor, actor.accountId),
  ])
  const may = actor.role !== 'viewer'
  const make = may && html`<a class="button" href="/new-wording">Add a language</a>`
  const own = Object.entries(wording.texts).map(([language, text]) => ({ language, text }))
  const entered = fault === undefined ? wording : { locale: form.text('default'), domain: form.text('domain') }
  const body = html`${headOf('Wording', own.length > 0 && make)}
${fieldFaultOf(fault)}
<section class="panel"><h2>A code without a language</h2>
<p class="reading" dir="auto">${writeCodeText(example, wording)}</p>
${may ? defaultsForm(entered) : defaultsOf(wording)}</section>
${accountPanel(account, actor)}
<h2>Your own texts</h2>
${own.length === 0 ? emptyOf('Codes are sent in the words that ship. Say them in your own.', make) : ownTable(own)}
<details class="panel"><summary>The texts that ship <small>${String(Object.keys(shippedWordings).length)} languages</small></summary>${shippedTable()}</details>`
  return { title: 'Wording', section, body }
}

function defaultsForm({ locale, domain }: Pick<WordingRow, 'locale' | 'domain'>): Html {
  return html`<form method="post" action="/wording-defaults" class="stack">
${textField({ name: 'default', label: 'Standard language', value: locale ?? '', lengthMax: 35, placeholder: 'de', help: 'For requests that name none, and for languages in which there is no text.' })}
${textField({ name: 'domain', label: 'Host', value: domain ?? '', lengthMax: 253, placeholder: 'acme.com', help: 'Codes end with a line that lets phones fill them in on pages of this host, unless the request names another.' })}
<div class="acts"><button class="plain">Save</button></div>
</form>`
}

function defaultsOf({ locale, domain }: WordingRow): Html {
  return html`<dl class="facts"><div><dt>Standard language</dt><dd>${locale ?? 'none'}</dd></div><div><dt>Host</dt><dd>${domain ?? 'none'}</dd></div></dl>`
}

/** What codes go by whose request says nothing, at every door. */
function accountPanel({ brand, cooldownSeconds }: AccountRow, { role }: Asked['actor']): Html {
  const usual = cooldownOf(liveLimits.sends)!.seconds
  const shown = html`<dl class="facts"><div><dt>Brand</dt><dd>${brand ?? 'none'}</dd></div><div><dt>Between two codes to one phone</dt><dd>${String(cooldownSeconds ?? usual)} s</dd></div></dl>`
  const brandForm = html`<form method="post" action="/wording-brand" class="stack">
${textField({ name: 'brand', label: 'Brand', value: brand ?? '', lengthMax: 30, placeholder: 'Acme', help: 'The name of your application, for requests that name none, from inlets and programs for Twilio too.' })}
<div class="acts"><button class="plain">Save</button></div>
</form>`
  const cooldownForm = html`<form method="post" action="/wording-cooldown" class="stack">
${textField({ name: 'cooldown', label: 'Seconds between two codes to one phone', value: String(cooldownSeconds ?? usual), lengthMax: 3, help: `From ${cooldownRange.min} to ${cooldownRange.max}.` })}
<div class="acts"><button class="plain">Save</button></div>
</form>`
  return html`<section class="panel"><h2>Brand and time between codes</h2>
${role === 'viewer' ? shown : brandForm}${role === 'owner' && cooldownForm}</section>`
}

async function setBrand({ desk, actor, form }: Asked): Promise<Done> {
  await desk.accounts.set(actor, actor.accountId, { brand: form.text('brand') || null })
  return { to: section, said: 'Saved. New codes name it.' }
}

async function setCooldown({ desk, actor, form }: Asked): Promise<Done> {
  const text = plainText(form.text('cooldown'))
  const cooldownSeconds = text === '' ? null : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  await desk.accounts.set(actor, actor.accountId, { cooldownSeconds })
  return { to: section, said: 'Saved. It holds for new codes.' }
}

function ownTable(rows: readonly { language: string; text: string }[]): Html {
  return renderTable({
    caption: 'Your own texts',
    rows,
    href: ({ language }) => `/wording/${language}`,
    columns: [
      { name: 'Language', cell: ({ language }) => html`<code class="name">${language}</code>` },
      { name: 'Text', cell: ({ text }) => html`<span dir="auto">${fill(text, example)}</span>` },
      { name: 'Size', cell: ({ text }) => sizeAndNote(text), isExtra: true },
    ],
  })
}

function sizeAndNote(text: string): Html {
  const note = costlyCharacters(text, sizesOf)
  return html`${describeSize(text)}${note !== undefined && html`<small class="bad">${note}</small>`}`
}

function shippedTable(): Html {
  return renderTable({
    caption: 'The texts that ship',
    rows: Object.keys(shippedWordings),
    columns: [
      { name: 'Language', cell: (tag) => html`<code>${tag}</code>` },
      { name: 'Text', cell: (tag) => html`<span lang="${tag}" dir="auto">${shippedText(tag)}</span>` },
    ],
  })
}

function shippedText(locale: string): string {
  return writeCodeText({ ...example, locale }, { locale: null, domain: null, texts: {} })
}

function adding({ form }: Asked, fault?: string): View {
  const entered = { language: form.text('language'), text: form.text('text') }
  const body = html`<p class="way"><a href="/wording">Wording</a></p>
${headOf('Add a language')}
${wordingEditor({ entered, to: '/wording', isNew: true, fault })}`
  return { title: 'Add a language', section, body }
}

async function add(asked: Asked): Promise<View | Done> {
  const { desk, actor, form } = asked
  if (form.text('do') === 'preview') return adding(asked)
  const language = form.text('language')
  const { texts } = await desk.wordings.find(actor, actor.accountId)
  if (Object.hasOwn(texts, languageIn(language) ?? language))
    throw new Refusal(`There is a text in ${language} already.`)
  await desk.wordings.change(actor, actor.accountId, language, form.text('text'))
  return { to: section, said: `Added ${language}. New codes are sent with it.` }
}

/** @throws Refusal when the account has no text of its own in that language */
async function findText(asked: Asked): Promise<string> {
  const { desk, actor } = asked
  const { texts } = await desk.wordings.find(actor, actor.accountId)
  const language = languageOf(asked)
  if (!Object.hasOwn(texts, language)) throw new Refusal(`There is no text of your own in ${language}.`)
  return texts[language]!
}

async function one(asked: Asked): Promise<View> {
  return renderPage(asked, await findText(asked))
}

/** With what was entered, in place of what is kept. */
async function changing(asked: Asked, fault?: string): Promise<View> {
  await findText(asked)
  return renderPage(asked, asked.form.text('text'), fault)
}

function renderPage(asked: Asked, text: string, fault?: string): View {
  const [language, may] = [languageOf(asked), asked.actor.role !== 'viewer']
  const drop = actButton({
    to: `${pathOf(asked)}/delete`,
    label: 'Delete',
    confirm: `Delete the text in ${language}: codes are sent in the words that ship.`,
    isDangerous: true,
  })
  const body = html`<p class="way"><a href="/wording">Wording</a></p>
${headOf(html`<code>${language}</code>`, may && drop)}
${may ? wordingEditor({ entered: { language, text }, to: pathOf(asked), isNew: false, fault }) : wordingPreview(text)}`
  return { title: `Wording in ${language}`, section, body }
}

async function change(asked: Asked): Promise<View | Done> {
  const { desk, actor, form } = asked
  if (form.text('do') === 'preview') return changing(asked)
  await findText(asked)
  await desk.wordings.change(actor, actor.accountId, languageOf(asked), form.text('text'))
  return { to: pathOf(asked), said: `Saved ${languageOf(asked)}. New codes are sent with it.` }
}

async function remove(asked: Asked): Promise<Done> {
  const { desk, actor } = asked
  await findText(asked)
  await desk.wordings.change(actor, actor.accountId, languageOf(asked), undefined)
  return { to: section, said: `Deleted the text in ${languageOf(asked)}.` }
}

async function setDefaults({ desk, actor, form }: Asked): Promise<Done> {
  const entered = (name: string) => (form.text(name) === '' ? undefined : form.text(name))
  const defaults = { default: entered('default'), domain: entered('domain') }
  await desk.wordings.setDefaults(actor, actor.accountId, defaults)
  return { to: section, said: 'Saved. New codes are sent so.' }
}
