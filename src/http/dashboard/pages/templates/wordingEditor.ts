/** The words of a code as one writes them, with a preview of what people will read and of what it takes to send. */
import { fill } from '../../../../domain/sending/wordings/codeText.ts'
import { costlyCharacters } from '../../../../domain/sending/wordings/costlyCharacters.ts'
import { encodingNames, example, findFaults, sizesOf } from '../../../../domain/sending/wordings/wordingForm.ts'
import { type Html, html } from '../../../html.ts'
import { counted } from '../../parts/amount.ts'
import { textArea, textField } from '../../parts/field.ts'

/** What stands in the form. */
export interface EnteredWording {
  language: string
  text: string
}

export interface WordingEditor {
  entered: EnteredWording
  /** Where the form goes. */
  to: string
  /** It has no language yet. */
  isNew: boolean
  fault: string | undefined
}

export function wordingEditor({ entered, to, isNew, fault }: WordingEditor): Html {
  const { language, text } = entered
  return html`${fault !== undefined && html`<div class="saying fault" role="alert"><ul class="faults">${faultsIn(fault, language).map((one) => html`<li>${one}</li>`)}</ul></div>`}
<form method="post" action="${to}" class="editor" data-preview="preview">
<div class="writing">
${
  isNew &&
  textField({
    name: 'language',
    label: 'Language',
    value: language,
    isRequired: true,
    lengthMax: 35,
    placeholder: 'pt-BR',
    help: 'As browsers name it: de, pt-BR, zh-Hant.',
    hasFocus: true,
  })
}
${textArea({
  name: 'text',
  label: 'Text',
  value: text,
  rows: 4,
  isRequired: true,
  help: html`<code>{{code}}</code> once; <code>{{brand}}</code> and <code>{{minutes}}</code> if you like. No link.`,
})}
</div>
${wordingPreview(text)}
<div class="writing">
<div class="acts"><button>${isNew ? 'Add the language' : 'Save'}</button><button name="do" value="preview" class="plain" formnovalidate data-scriptless>Preview</button><a class="button plain" href="/wording">Cancel</a></div>
</div>
</form>`
}

/** Each by itself, without the language that the form is about. */
function faultsIn(fault: string, language: string): string[] {
  return fault.split('; ').map((one) => (one.startsWith(`${language}: `) ? one.slice(language.length + 2) : one))
}

/** What people will read, and how many SMS it takes. */
export function wordingPreview(text: string): Html {
  const faults = text === '' ? [] : findFaults(text)
  const note = costlyCharacters(text, sizesOf)
  return html`<aside class="preview" aria-label="Preview">
<section id="preview" class="trial">
<h2>Preview</h2>
<p class="reading" dir="auto" tabindex="0">${text === '' ? html`<span class="quiet-text">What people will read.</span>` : fill(text, example)}</p>
<p class="small quiet-text">${text !== '' && describeSize(text)}</p>
${faults.map((fault) => html`<p class="small bad">${fault}</p>`)}
${note !== undefined && html`<p class="small bad">The text ${note}.</p>`}
</section>
</aside>`
}

/** `GSM-7, at most 1 SMS`: with the longest brand and code. */
export function describeSize(text: string): string {
  const { encoding, segments } = sizesOf(text)
  return `${encodingNames[encoding]}, at most ${counted(segments, 'SMS', 'SMS')}`
}
