/** HTML from templates: what is put in is text, unless it is HTML itself. */

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Undefined and false are nothing, so that a part may be left out: `${isNew && html`…`}`. */
export type Part = string | number | Html | undefined | false | readonly Part[]

/** @throws Error for what is none of the above: an object in a page is a mistake */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + (index < parts.length ? formatText(parts[index]) : '')).join(''))
}

function formatText(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === undefined || part === false) return ''
  if (Array.isArray(part)) return part.map(formatText).join('')
  if (typeof part !== 'string' && typeof part !== 'number') throw new Error(`a page holds no ${typeof part}`)
  return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
