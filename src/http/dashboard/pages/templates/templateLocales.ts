/** The languages of a template as one writes them: each a section that opens without a script. */
import { variablesMax } from '../../../../contract/document.ts'
import { languageIn } from '../../../../domain/sending/wordings/language.ts'
import { encodingNames } from '../../../../domain/sending/wordings/wordingForm.ts'
import { findTemplateFault, localesMax } from '../../../../domain/templates/templateEntry.ts'
import { readEntered, readSettings, type TemplateForm } from '../../../../domain/templates/templateForm.ts'
import { sizeOfTemplate } from '../../../../domain/templates/templateSize.ts'
import type { TemplateLocale } from '../../../../store/template.ts'
import { type Html, html } from '../../../html.ts'
import type { Form } from '../../form.ts'
import { counted } from '../../parts/amount.ts'
import { textArea, textField } from '../../parts/field.ts'

/** What stands in the form for one language. */
export interface EnteredLocale {
  text: string
  /** By kind, and by field. */
  channels: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface EnteredOther extends EnteredLocale {
  /** As it was entered. */
  tag: string
}

/** What the field `do` says when a button adds or removes a section, beside saving the form. */
const [adds, removes] = ['add-language', 'without ']

/** Whether the form only gets another section, or loses one. */
export function changesLanguages(form: Form): boolean {
  const act = form.text('do')
  return act === adds || act.startsWith(removes)
}

/** @param end of the names of its fields */
export function localeIn(form: Form, forms: readonly TemplateForm[], end: string): EnteredLocale {
  const fieldsOf = ({ kind, fields }: TemplateForm) =>
    Object.fromEntries(fields.map(({ name }) => [name, form.text(`${kind}.${name}${end}`)]))
  return {
    text: form.text(`text${end}`).replaceAll('\r\n', '\n'),
    channels: Object.fromEntries(forms.map((one) => [one.kind, fieldsOf(one)])),
  }
}

export function othersIn(form: Form, forms: readonly TemplateForm[]): EnteredOther[] {
  const added = form.text('do') === adds ? form.text('new_locale') : ''
  const tags = [...new Set([...form.all('locale'), ...(added === '' ? [] : [languageIn(added) ?? added])])]
  const kept = tags.filter((tag) => form.text('do') !== `${removes}${tag}`).slice(0, localesMax)
  return kept.map((tag) => ({ tag, ...localeIn(form, forms, `@${tag}`) }))
}

/** What is kept, as it is entered. */
export function localeFrom({ text, channels }: TemplateLocale, forms: readonly TemplateForm[]): EnteredLocale {
  return {
    text,
    channels: Object.fromEntries(forms.map((form) => [form.kind, readEntered(form, channels[form.kind])])),
  }
}

/** As the domain takes it. */
export function writtenIn({ text, channels }: EnteredLocale, forms: readonly TemplateForm[]) {
  const said = forms.flatMap((form): [string, object][] => {
    const settings = readSettings(form, (field) => channels[form.kind]?.[field] ?? '')
    return settings ? [[form.kind, settings]] : []
  })
  return { text, channels: Object.fromEntries(said) }
}

/** Of the part that says how long the text of a language is. */
export function sizeId(tag: string): string {
  return `size-${tag.replace(/[^\w-]/g, '')}`
}

export function renderLocales(others: readonly EnteredOther[], forms: readonly TemplateForm[]): Html {
  return html`${others.map((other) => renderLocale(other, forms))}
<div class="panel">${textField({ name: 'new_locale', label: 'Another language', lengthMax: 35, placeholder: 'pt-BR', help: html`With the same variables. A request asks for it with <code>locale</code>.` })}
<div class="acts"><button name="do" value="${adds}" class="plain" formnovalidate>Add this language</button></div></div>`
}

function renderLocale({ tag, text, channels }: EnteredOther, forms: readonly TemplateForm[]): Html {
  const end = `@${tag}`
  return html`<details class="panel" open><summary>In <code>${tag}</code></summary>
<input type="hidden" name="locale" value="${tag}">
${textArea({ name: `text${end}`, label: `Text in ${tag}`, value: text, rows: 4, isRequired: true })}
${renderSize(tag, text)}
${forms.map((form) => channelFields(form, channels[form.kind] ?? {}, { end }))}
<div class="acts"><button name="do" value="${removes}${tag}" class="plain" formnovalidate>Remove ${tag}</button></div></details>`
}

/** How long it is, and what is wrong with it, while it is written. */
function renderSize(tag: string, text: string): Html {
  const { characters, encoding, segments, note } = sizeOfTemplate(text)
  const fault = text === '' ? undefined : findTemplateFault(text, variablesMax)
  return html`<div id="${sizeId(tag)}"><p class="small quiet-text">${counted(characters, 'character')} without variables; by SMS ${encodingNames[encoding]}, ${counted(segments, 'SMS', 'SMS')}</p>${note !== undefined && html`<p class="small bad">The text ${note}.</p>`}${fault !== undefined && html`<p class="small bad">${fault}</p>`}</div>`
}

interface Section {
  /** Of the names of its fields. */
  end?: string
  isOpen?: boolean
}

/** What the template says for a kind of channels. */
export function channelFields(
  { kind, title, help, fields }: TemplateForm,
  entered: Readonly<Record<string, string>>,
  { end = '', isOpen = false }: Section,
): Html {
  const isSaid = Object.values(entered).some((value) => value !== '')
  return html`<details class="panel"${(isSaid || isOpen) && html` open`}><summary>For ${title}${
    !isSaid && html` <small>not set: ${title} will not carry this template</small>`
  }</summary>
<p class="quiet-text">${help}</p>
${fields.map(({ name, title: label, help: word, placeholder, entry }) => {
  const field = { name: `${kind}.${name}${end}`, label, value: entered[name] ?? '', placeholder, help: word }
  return entry === 'members' || entry === 'lines' ? textArea({ ...field, rows: 2 }) : textField(field)
})}</details>`
}
