/** The fields of forms: a label, what is asked for, and a word of help. */
import type { Refusal } from '../../../kit/refusal.ts'
import { type Html, html, type Part } from '../../html.ts'
import { zoneOf } from './time.ts'

interface Field {
  name: string
  label: string
  /** What is in it at first. */
  value?: string
  help?: Part
  /** What is wrong with what was entered. */
  fault?: string | undefined
}

export interface TextField extends Field {
  /** What a moment is written in is said behind the label; the form sends it in UTC. */
  type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'tel' | 'number' | 'datetime-local'
  isRequired?: boolean
  placeholder?: string
  /** What the browser may fill in. */
  autocomplete?: string
  lengthMax?: number
  hasFocus?: boolean
}

export function textField(field: TextField): Html {
  const { name, label, value = '', type = 'text', isRequired, placeholder, autocomplete = 'off', lengthMax } = field
  return html`<p class="field"><label for="${idOf(name)}">${label}${type === 'datetime-local' && html` (${zoneOf('UTC', 'your time')})`}</label>
<input id="${idOf(name)}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${
    placeholder !== undefined && html` placeholder="${placeholder}"`
  }${lengthMax !== undefined && html` maxlength="${lengthMax}"`}${isRequired && html` required`}${field.hasFocus && html` autofocus`}${described(field)}>
${renderHelp(field)}</p>`
}

/** @param isSource its lines are not broken: it is read by a program */
export function textArea(field: Field & { rows: number; isRequired?: boolean; isSource?: boolean }): Html {
  const { name, label, value = '', rows, isRequired, isSource } = field
  return html`<p class="field"><label for="${idOf(name)}">${label}</label>
<textarea id="${idOf(name)}" name="${name}" rows="${rows}"${isSource ? html` class="source" spellcheck="false"` : html` dir="auto"`}${isRequired && html` required`}${described(field)}>
${value}</textarea>
${renderHelp(field)}</p>`
}

export interface Choice {
  value: string
  label: string
  help?: Part
}

/** @param isSearch with the script, a choice sends the form */
export function selectField(field: Field & { choices: readonly Choice[]; isSearch?: boolean }): Html {
  const { name, label, value, choices, isSearch } = field
  return html`<p class="field"><label for="${idOf(name)}">${label}</label>
<select id="${idOf(name)}" name="${name}"${isSearch && html` data-submit`}${described(field)}>${choices.map(
    (choice) =>
      html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.label}</option>`,
  )}</select>
${renderHelp(field)}</p>`
}

/** One of a few, all of them seen. */
export function radioFields({ name, label, value, choices }: Field & { choices: readonly Choice[] }): Html {
  return html`<fieldset class="field"><legend>${label}</legend>${choices.map((choice) =>
    tick('radio', name, choice, choice.value === value),
  )}</fieldset>`
}

/** Any of a few. */
export function checkFields(
  field: Omit<Field, 'value'> & { values: readonly string[]; choices: readonly Choice[] },
): Html {
  const { name, label, values, choices } = field
  return html`<fieldset class="field"><legend>${label}</legend>${choices.map((choice) =>
    tick('checkbox', name, choice, values.includes(choice.value)),
  )}</fieldset>`
}

function tick(type: 'radio' | 'checkbox', name: string, { value, label, help }: Choice, isChecked: boolean): Html {
  return html`<label class="tick"><input type="${type}" name="${name}" value="${value}"${isChecked && html` checked`}><span>${label}${
    help !== undefined && html`<small>${help}</small>`
  }</span></label>`
}

/** What was wrong with a form, above it. */
export function fieldFaultOf(fault: string | undefined): Html | undefined {
  return fault === undefined ? undefined : html`<p class="saying fault" role="alert">${fault}</p>`
}

/** What a refusal says of a field of these, to stand beside it, and what it says of none, to stand above the form. */
export function faultsAt<Name extends string>(
  names: readonly Name[],
  fault: string | undefined,
  refusal: Refusal | undefined,
): { above: Html | undefined; beside: Partial<Record<Name, string>> } {
  const found = names.flatMap((name) => {
    const own = refusal?.faults.find(({ path }) => path[0] === name)
    return own ? [[name, own.fault] as const] : []
  })
  const beside = Object.fromEntries(found) as Partial<Record<Name, string>>
  return { above: found.length > 0 ? undefined : fieldFaultOf(fault), beside }
}

function described({ name, help, fault }: Field): Html | undefined {
  const ids = [fault !== undefined && 'fault', help !== undefined && 'help'].filter((part) => part !== false)
  if (ids.length === 0) return undefined
  const by = ids.map((part) => `${idOf(name)}-${part}`).join(' ')
  return html` aria-describedby="${by}"${fault !== undefined && html` aria-invalid="true"`}`
}

function renderHelp({ name, help, fault }: Field): Html {
  return html`${fault !== undefined && html`<small class="bad" id="${idOf(name)}-fault">${fault}</small>`}${
    help !== undefined && html`<small id="${idOf(name)}-help">${help}</small>`
  }`
}

/** Of the field within its page: a name may have dots, which a selector would take for classes. */
function idOf(name: string): string {
  return name.replaceAll('.', '-')
}
