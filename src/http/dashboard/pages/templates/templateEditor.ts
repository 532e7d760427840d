/** A template as one writes it: its text with a preview of what people will read, and what it says for kinds of channels. */
import { filledCharactersMax, slugForm, variablesMax } from '../../../../contract/document.ts'
import { partsOf, variablesOf } from '../../../../domain/sending/wordings/templateText.ts'
import { encodingNames } from '../../../../domain/sending/wordings/wordingForm.ts'
import { defaultText } from '../../../../domain/templates/template.ts'
import { findTemplateFault as faultOfText, noLocale } from '../../../../domain/templates/templateEntry.ts'
import type { TemplateForm } from '../../../../domain/templates/templateForm.ts'
import { sizeOfTemplate } from '../../../../domain/templates/templateSize.ts'
import type { Template, TemplateCategory } from '../../../../store/template.ts'
import { type Html, html } from '../../../html.ts'
import type { Form } from '../../form.ts'
import { count, counted } from '../../parts/amount.ts'
import { selectField, textArea, textField } from '../../parts/field.ts'
import {
  channelFields,
  type EnteredLocale,
  type EnteredOther,
  localeFrom,
  localeIn,
  othersIn,
  renderLocales,
  sizeId,
  writtenIn,
} from './templateLocales.ts'
import { makeSample } from './templateSample.ts'

/** What stands in the form. */
export interface TemplateEntry extends EnteredLocale {
  slug: string
  category: string
  /** Empty where it names none. */
  defaultLocale: string
  /** The other languages. */
  others: readonly EnteredOther[]
  /** What the preview is filled with, by variable. */
  samples: Readonly<Record<string, string>>
}

export function enteredIn(form: Form, forms: readonly TemplateForm[], slug = form.text('slug')): TemplateEntry {
  const text = form.text('text').replaceAll('\r\n', '\n')
  const sampleIn = (variable: string): [string, string] => {
    const field = `sample.${variable}`
    return [variable, form.has(field) ? form.text(field) : makeSample(variable)]
  }
  return {
    ...{ slug, ...localeIn(form, forms, '') },
    category: form.text('category') || 'utility',
    defaultLocale: form.text('default_locale'),
    others: othersIn(form, forms),
    samples: Object.fromEntries(variablesOf(text).map(sampleIn)),
  }
}

/** What is kept, as it is entered. */
export function enteredFrom(template: Template, forms: readonly TemplateForm[]): TemplateEntry {
  const { slug, category, defaultLocale, locales } = template
  const own = defaultText(template)
  const { text } = own
  return {
    ...{ slug, category, ...localeFrom(own, forms) },
    defaultLocale: defaultLocale === noLocale ? '' : defaultLocale,
    others: Object.entries(locales)
      .filter(([tag]) => tag !== defaultLocale)
      .map(([tag, said]) => ({ tag, ...localeFrom(said, forms) })),
    samples: Object.fromEntries(variablesOf(text).map((variable) => [variable, makeSample(variable)])),
  }
}

/** As the domain takes it. */
export function toEnteredTemplate(
  { slug, category, defaultLocale, others, ...own }: TemplateEntry,
  forms: readonly TemplateForm[],
) {
  return {
    slug,
    // What is none is refused in words.
    category: category as TemplateCategory,
    ...(defaultLocale !== '' && { defaultLocale }),
    ...writtenIn(own, forms),
    locales: Object.fromEntries(others.map(({ tag, ...said }) => [tag, writtenIn(said, forms)])),
  }
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

/** The button that cannot be seen is the first one, which the key Enter presses: not one that removes a language. */
export function renderEditor({ entered, forms, to, isNew, fault }: Editor): Html {
  const { slug, category, defaultLocale, text, channels, others } = entered
  return html`${renderFaults(fault, entered, forms)}
<form method="post" action="${to}" class="editor" data-preview="${['preview', 'samples', ...others.map(({ tag }) => sizeId(tag))].join(' ')}">
<button hidden>Save</button>
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
${textField({ name: 'default_locale', label: 'Language', value: defaultLocale, lengthMax: 35, placeholder: 'en', help: 'Of this text, as browsers name it: de, pt-BR. It may be empty where there is no other.' })}
${selectField({
  name: 'category',
  label: 'Category',
  value: category,
  choices: [
    { value: 'utility', label: 'Utility: about something that the person did or waits for' },
    { value: 'marketing', label: 'Marketing' },
  ],
})}
</div>
${renderPreview(entered, true)}
<div class="writing">
${forms.map((form) => channelFields(form, channels[form.kind] ?? {}, { isOpen: slug === '' }))}
${renderLocales(others, forms)}
<div class="acts"><button>${isNew ? 'Add the template' : 'Save'}</button><button name="do" value="preview" class="plain" formnovalidate data-scriptless>Preview</button><a class="button plain" href="/templates">Cancel</a></div>
</div>
</form>`
}

/** Each by itself, in the words of the form. */
function renderFaults(
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
    const [, language, own = one] = /^locales\.([\w-]+)(?:\.text)?[.:] ?(.*)$/s.exec(one) ?? []
    const [, place = '', said = own] = /^([\w.-]+)(?:, [\w ,.-]+)?(: .*)$/s.exec(own) ?? []
    const words = named.find(([name]) => place === name || place.startsWith(`${name}.`))?.[1]
    return (language === undefined ? '' : `${language}: `) + (words === undefined ? own : words + said)
  })
  return html`<div class="saying fault" role="alert"><ul class="faults">${faults.map((one) => html`<li>${one}</li>`)}</ul></div>`
}

/** What people will read, with samples for its variables. */
export function renderPreview({ text, samples }: TemplateEntry, isEdited: boolean): Html {
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
