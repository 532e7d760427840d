/** A template as one writes it: its text with a preview of what people will read, and what it says for kinds of channels. */
import { filledCharactersMax, slugForm, variablesMax } from '../../../../contract/document.ts'
import { partsOf, variablesOf } from '../../../../domain/sending/wordings/templateText.ts'
import { encodingNames } from '../../../../domain/sending/wordings/wordingForm.ts'
import { defaultText } from '../../../../domain/templates/template.ts'
import { templateFaultOf as faultOfText } from '../../../../domain/templates/templateEntry.ts'
import { enteredOf, settingsOf, type TemplateForm } from '../../../../domain/templates/templateForm.ts'
import { sizeOfTemplate } from '../../../../domain/templates/templateSize.ts'
import type { Template } from '../../../../store/template.ts'
import { type Html, html } from '../../../html.ts'
import type { Form } from '../../form.ts'
import { count, counted } from '../../parts/amount.ts'
import { textArea, textField } from '../../parts/field.ts'
import { templateSampleOf } from './templateSample.ts'

/** What stands in the form. */
export interface TemplateEntry {
  slug: string
  text: string
  /** By kind, and by field. */
  channels: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** What the preview is filled with, by variable. */
  samples: Readonly<Record<string, string>>
}

export function enteredIn(form: Form, forms: readonly TemplateForm[], slug = form.text('slug')): TemplateEntry {
  const text = form.text('text').replaceAll('\r\n', '\n')
  const fieldsOf = ({ kind, fields }: TemplateForm) =>
    Object.fromEntries(fields.map(({ name }) => [name, form.text(`${kind}.${name}`)]))
  const sampleIn = (variable: string): [string, string] => {
    const field = `sample.${variable}`
    return [variable, form.has(field) ? form.text(field) : templateSampleOf(variable)]
  }
  return {
    ...{ slug, text },
    channels: Object.fromEntries(forms.map((one) => [one.kind, fieldsOf(one)])),
    samples: Object.fromEntries(variablesOf(text).map(sampleIn)),
  }
}

/** What is kept, as it is entered. */
export function enteredFrom(template: Template, forms: readonly TemplateForm[]): TemplateEntry {
  const { slug } = template
  const { text, channels } = defaultText(template)
  return {
    ...{ slug, text },
    channels: Object.fromEntries(forms.map((form) => [form.kind, enteredOf(form, channels[form.kind])])),
    samples: Object.fromEntries(variablesOf(text).map((variable) => [variable, templateSampleOf(variable)])),
  }
}

/** As the domain takes it. */
export function templateOf({ slug, text, channels }: TemplateEntry, forms: readonly TemplateForm[]) {
  const said = forms.flatMap((form): [string, object][] => {
    const settings = settingsOf(form, (field) => channels[form.kind]?.[field] ?? '')
    return settings ? [[form.kind, settings]] : []
  })
  return { slug, text, channels: Object.fromEntries(said) }
}

export interface Editor {
  entered: TemplateEntry
  forms: readonly TemplateForm[]
  /** Where the form goes. */
  to: string
  /** It has no slug yet. */
  isNew: boolean
  fault: string | undefined
}

export function editorOf({ entered, forms, to, isNew, fault }: Editor): Html {
  const { slug, text, channels } = entered
  return html`${faultsOf(fault, entered, forms)}
<form method="post" action="${to}" class="editor" data-preview="preview samples">
<div class="writing">
${
  isNew &&
  textField({
    name: 'slug',
    label: 'Slug',
    value: slug,
    isRequired: true,
    lengthMax: slugForm.maxLength,
    placeholder: 'order-shipped',
    help: 'The name that your programs use: lower-case letters, digits, - and _. You cannot change it later.',
    hasFocus: true,
  })
}
${textArea({
  name: 'text',
  label: 'Text',
  value: text,
  rows: 7,
  isRequired: true,
  help: html`Write a variable as <code>{{name}}</code>.`,
})}
</div>
${previewOf(entered, true)}
<div class="writing">
${forms.map((form) => channelFields(form, channels[form.kind] ?? {}, slug))}
<div class="acts"><button>${isNew ? 'Add the template' : 'Save'}</button><button name="do" value="preview" class="plain" formnovalidate data-scriptless>Preview</button><a class="button plain" href="/templates">Cancel</a></div>
</div>
</form>`
}

/** Each by itself, in the words of the form. */
function faultsOf(
  fault: string | undefined,
  { slug }: TemplateEntry,
  forms: readonly TemplateForm[],
): Html | undefined {
  if (fault === undefined) return undefined
  const named = forms.flatMap(({ kind, title, fields }) =>
    fields.map((field): [string, string] => [`${kind}.${field.name}`, `${title}, ${field.title}`]),
  )
  const plain = fault
    .replaceAll(`"${slug}": `, '')
    .replaceAll(`"${slug}", `, '')
    .replaceAll(`"${slug}" is no slug:`, 'the slug must be')
  const faults = plain.split('; ').map((one) => {
    // A place in a field, like the second line, is found by what is said of it.
    const [, place = '', said = one] = /^([\w.-]+)(?:, [\w ,.-]+)?(: .*)$/s.exec(one) ?? []
    const words = named.find(([name]) => place === name || place.startsWith(`${name}.`))?.[1]
    return words === undefined ? one : words + said
  })
  return html`<div class="saying fault" role="alert"><ul class="faults">${faults.map((one) => html`<li>${one}</li>`)}</ul></div>`
}

function channelFields(
  { kind, title, help, fields }: TemplateForm,
  entered: Readonly<Record<string, string>>,
  slug: string,
) {
  const isSaid = Object.values(entered).some((value) => value !== '')
  return html`<details class="panel"${(isSaid || slug === '') && html` open`}><summary>For ${title}${
    !isSaid && html` <small>not set: ${title} will not carry this template</small>`
  }</summary>
<p class="quiet-text">${help}</p>
${fields.map(({ name, title: label, help: word, placeholder, entry }) => {
  const field = { name: `${kind}.${name}`, label, value: entered[name] ?? '', placeholder, help: word }
  return entry === 'members' || entry === 'lines' ? textArea({ ...field, rows: 2 }) : textField(field)
})}</details>`
}

/** What people will read, with samples for its variables. */
export function previewOf({ text, samples }: TemplateEntry, isEdited: boolean): Html {
  const variables = variablesOf(text)
  const fault = text === '' ? undefined : faultOfText(text, variablesMax)
  const filled = partsOf(text)
  const { characters: length, encoding, segments, note } = sizeOfTemplate(text, (variable) => samples[variable] ?? '')
  return html`<aside class="preview" aria-label="Preview">
<section id="preview" class="trial">
<h2>Preview</h2>
<p class="reading" dir="auto" tabindex="0">${
    text === ''
      ? html`<span class="quiet-text">What people will read.</span>`
      : filled.map((part) =>
          'text' in part ? part.text : html`<mark>${samples[part.variable] || `{{${part.variable}}}`}</mark>`,
        )
  }</p>
<p class="small quiet-text">${count(length)} of ${count(filledCharactersMax)} characters${length > filledCharactersMax && html`: <strong class="bad">too long</strong>`}${text !== '' && html`; by SMS ${encodingNames[encoding]}, ${counted(segments, 'SMS', 'SMS')}`}</p>
${note !== undefined && html`<p class="small bad">The text ${note}.</p>`}
${fault !== undefined && html`<p class="small bad">${fault}</p>`}
</section>
<section id="samples"${variables.length === 0 && html` hidden`}>
<h2>${variables.length === 1 ? 'Variable' : 'Variables'}</h2>
${
  isEdited
    ? variables.map((name) => textField({ name: `sample.${name}`, label: name, value: samples[name] ?? '' }))
    : html`<ul class="chips">${variables.map((name) => html`<li><code>${name}</code></li>`)}</ul>`
}
${isEdited && html`<small>Samples, only for the preview.</small>`}
</section>
</aside>`
}
