/** Buttons that do something: each a form of its own, so that they work without a script. */
import { type Html, html, type Part } from '../../html.ts'
import type { Form } from '../form.ts'
import type { View } from '../route.ts'

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
  const hidden = { ...fields, ...(confirm !== undefined && { confirm }) }
  return html`<form method="post" action="${to}" class="act"${confirm !== undefined && html` data-confirm="${confirm}"`}>${Object.entries(
    hidden,
  ).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="${
    isDangerous ? 'danger' : 'plain'
  }"${confirm !== undefined && html` title="${confirm}"`}>${label}</button></form>`
}

/** What an `actButton` asks where no script has asked it: the same form again, without the question. */
export function renderQuestion({ form }: { form: Form }, back: string): View {
  const kept = form.names().filter((name) => name !== 'confirm')
  const body = html`${headOf('Are you sure?')}
<p class="lead">${form.text('confirm')}</p>
<form method="post">${kept.flatMap((name) => form.all(name).map((value) => html`<input type="hidden" name="${name}" value="${value}">`))}
<div class="acts"><button class="danger">Yes, go on</button><a class="button plain" href="${back}">Cancel</a></div></form>`
  return { title: 'Are you sure?', section: `/${back.split('/')[1] ?? ''}`, body }
}

/** The head of a page: what it is, and what can be done there. */
export function headOf(title: Part, acts?: Part): Html {
  return html`<div class="head"><h1>${title}</h1>${acts !== undefined && html`<div class="acts">${acts}</div>`}</div>`
}

/** One sentence and one button, where there is nothing yet. */
export function emptyOf(sentence: Part, button?: Part): Html {
  return html`<div class="empty"><p>${sentence}</p>${button}</div>`
}
