/** Developers › Inlets: adding one. */

import { FaultyEntry } from '../../../../domain/channels/connectionEdit.ts'
import type { Fault } from '../../../../domain/channels/connectionEntry.ts'
import type { EditableInletKind } from '../../../../domain/inlets/inletEdit.ts'
import type { Refusal } from '../../../../kit/refusal.ts'
import { html } from '../../../html.ts'
import type { Form } from '../../form.ts'
import { headOf } from '../../parts/act.ts'
import { fieldFaultOf, radioFields, textField } from '../../parts/field.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'
import { guidePathOf } from '../guide.ts'

const section = '/inlets'
const path = '/new-inlet'
const sensitive = { role: 'owner', isSensitive: true } as const

export const inletEditRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path, ...sensitive, show: (asked) => adding(asked) },
  { method: 'POST', path, ...sensitive, act: add, back: () => path, again: adding },
]

function adding(asked: Asked, fault?: string, refusal?: Refusal): View {
  const { desk, form, query } = asked
  const wanted = form.has('kind') ? form.text('kind') : query.get('kind')
  const kind = desk.inletEdits.kinds().find((one) => one.kind === wanted)
  if (!kind) return choosing(desk.inletEdits.kinds())
  const faults = refusal instanceof FaultyEntry ? refusal.faults : []
  const title = `Add an inlet: ${kind.title}`
  const body = html`<p class="way"><a href="/inlets">Inlets</a></p>
${headOf(title)}
${faults.length === 0 && fieldFaultOf(fault)}
${toForm(kind, form, faults)}`
  return { title, section, body }
}

function choosing(kinds: readonly EditableInletKind[]): View {
  const title = 'Add an inlet'
  const body = html`<p class="way"><a href="/inlets">Inlets</a></p>
${headOf(title)}
<ul class="choices">${kinds.map(({ kind, title: name }) => html`<li><a class="panel" href="${path}?kind=${kind}"><strong>${name}</strong></a></li>`)}</ul>
<p class="quiet-text small"><a href="/guide/inlets">What each of them needs</a></p>`
  return { title, section, body }
}

function toForm(kind: EditableInletKind, form: Form, faults: readonly Fault[]) {
  const value = (name: string) => ({ name, value: form.text(name), fault: faultAt(faults, name) })
  return html`<form method="post" action="${path}" class="stack">
<input type="hidden" name="kind" value="${kind.kind}">
${textField({
  ...{
    ...value('id'),
    label: 'Name',
    isRequired: true,
    lengthMax: 32,
    hasFocus: true,
    placeholder: `${kind.kind}-prod`,
  },
  help: 'It stands in the address, and with each message: lower-case letters, digits and -.',
})}
${radioFields({
  ...{ name: 'mode', label: 'What it sends', value: form.text('mode') || 'live' },
  choices: [
    { value: 'live', label: 'Live', help: 'To real phones, through your channels.' },
    { value: 'test', label: 'Test', help: 'To the sandbox phone alone.' },
  ],
})}
${textField({
  ...{ name: 'secret', value: '', fault: faultAt(faults, 'secret'), type: 'password', autocomplete: 'new-password' },
  ...{ label: 'Secret', isRequired: true, lengthMax: 1000 },
  help: html`As ${kind.title} shows it, or as you enter it there. <a href="${guidePathOf(`auth-${kind.kind}`, 'inlets')}">Where to find it</a>`,
})}
${textField({ ...value('brand_name'), label: 'Your name in the message (optional)', lengthMax: 30, placeholder: 'Acme' })}
${textField({ ...value('locale'), label: 'Language (optional)', lengthMax: 35, placeholder: 'de', help: 'For posts that name none.' })}
${Object.entries(kind.settings).map(([name, { about, default: standard = '' }]) =>
  textField({
    ...value(`settings.${name}`),
    label: `Member ${name} (optional)`,
    lengthMax: 200,
    placeholder: standard,
    help: `In what is posted: ${about}.`,
  }),
)}
<div class="acts"><button>Add the inlet</button><a class="button plain" href="/inlets">Cancel</a></div>
</form>`
}

function faultAt(faults: readonly Fault[], name: string): string | undefined {
  const own = faults.filter(({ path: at }) => {
    const place = at.map(String).join('.')
    return place === name || place.startsWith(`${name}.`)
  })
  return own.length === 0 ? undefined : own.map(({ fault }) => fault).join('; ')
}

async function add(asked: Asked): Promise<View | Done> {
  const { desk, actor, form } = asked
  const kind = desk.inletEdits.kinds().find((one) => one.kind === form.text('kind'))
  if (!kind) return choosing(desk.inletEdits.kinds())
  const id = form.text('id')
  await desk.inletEdits.add(actor, actor.accountId, entryIn(form, kind))
  return { to: `/inlets/${id}`, said: `Added ${id}. Paste the address below into ${kind.title}.` }
}

/** As a file has it; what is empty is left out. */
function entryIn(form: Form, { kind, settings: names }: EditableInletKind): Record<string, unknown> {
  const settings = Object.fromEntries(
    Object.keys(names).flatMap((name) =>
      form.text(`settings.${name}`) === '' ? [] : [[name, form.text(`settings.${name}`)]],
    ),
  )
  const optional = ['brand_name', 'locale'].flatMap((name) => (form.text(name) === '' ? [] : [[name, form.text(name)]]))
  return {
    ...{ id: form.text('id'), kind, mode: form.text('mode'), secret: form.text('secret') },
    ...Object.fromEntries(optional),
    ...(Object.keys(settings).length > 0 && { settings }),
  }
}
