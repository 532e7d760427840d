/** Buttons that do something: each a form of its own, so that they work without a script. */
import { type Html, html, type Part } from '../../html.ts'

export interface ActButton {
  /** Where the form goes. */
  to: string
  label: string
  /** What it will do, in one sentence: asked before it is done. Nothing is asked when left out. */
  confirm?: string
  /** Much is lost: it turns red when one is about to press it. */
  isDangerous?: boolean
  /** What the form holds. */
  fields?: Readonly<Record<string, string>>
}

export function actButton({ to, label, confirm, isDangerous, fields = {} }: ActButton): Html {
  return html`<form method="post" action="${to}" class="act"${confirm !== undefined && html` data-confirm="${confirm}"`}>${Object.entries(
    fields,
  ).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="${
    isDangerous ? 'danger' : 'plain'
  }"${confirm !== undefined && html` title="${confirm}"`}>${label}</button></form>`
}

/** The head of a page: what it is, and what can be done there. */
export function headOf(title: Part, acts?: Part): Html {
  return html`<div class="head"><h1>${title}</h1>${acts !== undefined && html`<div class="acts">${acts}</div>`}</div>`
}

/** One sentence and one button, where there is nothing yet. */
export function emptyOf(sentence: Part, button?: Part): Html {
  return html`<div class="empty"><p>${sentence}</p>${button}</div>`
}
