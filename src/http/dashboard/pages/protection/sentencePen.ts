/** How the blanks of a rule's sentence are written: as words, or as fields. */
import { type Html, html, type Part } from '../../../html.ts'
import { counted } from '../../parts/amount.ts'
import type { Choice } from '../../parts/field.ts'
import type { RuleField } from './ruleFields.ts'

export interface Pen {
  isForm: boolean
  /** What may be left out: a form always has it. */
  part: (name: string, words: Part) => Part
  number: (name: string, label: string) => Part
  /** A length of time. */
  length: (name: string, label: string, units?: readonly string[]) => Part
  choice: (name: string, label: string, choices: readonly Choice[]) => Part
  /** @param one what each of them is, where readers are only told how many there are */
  list: (name: string, label: string, one?: string) => Part
  check: (name: string, words: string) => Part
}

/** Names that a sentence has. */
const namesMax = 8

export function readingPen(field: RuleField): Pen {
  const strong = (words: string) => html`<strong>${words}</strong>`
  return {
    isForm: false,
    part: (name, words) => (field(name) === '' ? undefined : words),
    number: (name) => strong(field(name)),
    length: (name) => {
      const [value, unit] = [field(name), field(`${name}_unit`)]
      return strong(`${value} ${value === '1' ? unit.slice(0, -1) : unit}`)
    },
    choice: (name, _label, choices) => choices.find(({ value }) => value === field(name))?.label ?? field(name),
    list: (name, _label, one) => {
      const names = field(name).split(', ')
      if (one !== undefined) return counted(names.length, one)
      const more = names.length - namesMax
      return strong(more > 1 ? `${names.slice(0, namesMax).join(', ')} and ${more} more` : names.join(', '))
    },
    check: (_name, words) => words,
  }
}

export function formPen(field: RuleField): Pen {
  const select = (name: string, label: string, choices: readonly Choice[]): Html =>
    html`<select name="${name}" aria-label="${label}">${choices.map(
      ({ value, label: words }) =>
        html`<option value="${value}"${value === field(name) && html` selected`}>${words}</option>`,
    )}</select>`
  const number = (name: string, label: string): Html =>
    html`<input type="text" name="${name}" value="${field(name)}" aria-label="${label}" inputmode="decimal" size="5" maxlength="12" autocomplete="off">`
  return {
    isForm: true,
    part: (_name, words) => words,
    number,
    length: (name, label, units = ['minutes', 'hours']) =>
      html`<span class="whole-words">${number(name, label)} ${select(
        `${name}_unit`,
        `${label}: unit`,
        units.map((value) => ({ value, label: value })),
      )}</span>`,
    choice: select,
    list: (name, label, one) =>
      html`${one !== undefined && `${one}s `}<input type="text" class="long" name="${name}" value="${field(name)}" aria-label="${label}"${
        one === undefined && html` placeholder="Germany, France"`
      } autocomplete="off">`,
    check: (name, words) =>
      html`<label class="tick"><input type="checkbox" name="${name}" value="yes"${field(name) !== '' && html` checked`}><span>${words}</span></label>`,
  }
}
