/** Sending › Channels: adding, changing, ordering and removing one. */
import { Forbidden } from '../../../../domain/access/actor.ts'
import {
  type ConnectionEdits,
  type EditableKind,
  type EditableList,
  FaultyEntry,
  ListChanged,
} from '../../../../domain/channels/connectionEdit.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import { html } from '../../../html.ts'
import type { Form } from '../../form.ts'
import { headOf } from '../../parts/act.ts'
import { type Choice, fieldFaultOf } from '../../parts/field.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'
import { channelEnteredFrom, channelEnteredIn, entryIn, fieldsIn, renderChannelEditor } from './channelForm.ts'

const section = '/channels'
const list = '/channels'
const sensitive = { role: 'owner', isSensitive: true } as const
const pathOf = (asked: Asked) => `/channels/${idOf(asked)}`

export const channelEditRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/new-channel', ...sensitive, show: (asked) => adding(asked) },
  { method: 'POST', path: '/new-channel', ...sensitive, act: add, back: () => '/new-channel', again: adding },
  { method: 'GET', path: '/channels/:id', ...sensitive, show: (asked) => changing(asked) },
  { method: 'POST', path: '/channels/:id', ...sensitive, act: change, back: pathOf, again: changing },
  { method: 'POST', path: '/channels/:id/rotate', ...sensitive, act: rotate, back: () => list },
  { method: 'POST', path: '/channels/:id/move', role: 'owner', act: move, back: () => list },
  { method: 'POST', path: '/channels/:id/remove', ...sensitive, act: remove, back: () => list },
]

/** @throws Forbidden where the command line alone changes channels */
function toEdits({ desk }: Asked): ConnectionEdits {
  if (desk.connectionEdits) return desk.connectionEdits
  throw new Forbidden('Channels are changed on the command line here: CHANNELS_IN_DASHBOARD is off.')
}

function idOf({ params }: Asked): string {
  return params.id ?? ''
}

async function adding(asked: Asked, fault?: string, refusal?: Refusal): Promise<View> {
  const edits = toEdits(asked)
  const { form, query, actor } = asked
  const { version, connections } = await edits.read(actor, actor.accountId)
  const wanted = form.has('kind') ? form.text('kind') : (query.get('kind') ?? '')
  const kind = edits.kinds.find((one) => one.kind === wanted)
  if (!kind) return choosing(edits.kinds)
  const faults = refusal instanceof FaultyEntry ? refusal.faults : []
  const isFirst = !form.has('version')
  const fields = isNext(form) && faults.length > 0 ? kind.fieldsOf({}) : fieldsIn(form, kind)
  const entered = channelEnteredIn(form, fields)
  const places = placesIn(connections)
  const before = isFirst ? standardPlace(edits.kinds, connections) : (entered.before ?? '')
  const title = `Add a channel: ${nameOf(kind)}`
  const body = html`<p class="way"><a href="/channels">Channels</a></p>
${headOf(title)}
${faults.length === 0 && fieldFaultOf(fault)}
${renderChannelEditor({ kind, fields, entered: { ...entered, before }, version: seenVersion(form, version, refusal), to: '/new-channel', stored: undefined, faults, places })}`
  return { title, section, body }
}

/** Of the list that the form was made for, until one is told that there is another. */
function seenVersion(form: Form, now: string, refusal: Refusal | undefined): string {
  return refusal instanceof ListChanged || !form.has('version') ? now : form.text('version')
}

function choosing(kinds: readonly EditableKind[]): View {
  const title = 'Add a channel'
  const body = html`<p class="way"><a href="/channels">Channels</a></p>
${headOf(title)}
<ul class="choices">${kinds.map(
    (kind) =>
      html`<li><a class="panel" href="/new-channel?kind=${kind.kind}"><strong>${nameOf(kind)}</strong><span class="quiet-text">${kind.words?.carries}</span></a></li>`,
  )}</ul>
<p class="quiet-text small"><a href="/guide/channels">What each of them needs</a></p>`
  return { title, section, body }
}

function nameOf({ kind, words }: EditableKind): string {
  return words?.title ?? kind
}

function placesIn(connections: EditableList['connections']): Choice[] {
  const before = connections.map(({ id }, index) => ({
    value: id,
    label: index === 0 ? `First, before ${id}` : `Before ${id}`,
  }))
  return [...before, { value: '', label: 'Last' }]
}

/** Before those that reach no phone, as people read a list. */
function standardPlace(kinds: readonly EditableKind[], connections: EditableList['connections']): string {
  const isLocal = (name: string) => kinds.some(({ kind, isLocal }) => kind === name && isLocal)
  const last = connections.findLastIndex(({ kind }) => !isLocal(kind))
  return connections[last + 1]?.id ?? ''
}

/** What is filled in first is sent alone, and the rest is asked for then. */
function isNext(form: Asked['form']): boolean {
  return form.text('do') === 'next'
}

async function add(asked: Asked): Promise<View | Done> {
  const edits = toEdits(asked)
  const { form, actor } = asked
  const kind = edits.kinds.find((one) => one.kind === form.text('kind'))
  if (!kind) return choosing(edits.kinds)
  const entry = entryIn(form, kind)
  if (isNext(form)) {
    const faults = kind.firstFaultsOf(entry)
    if (faults.length > 0) throw new FaultyEntry(faults)
    return adding(asked)
  }
  const before = form.text('before')
  await edits.edit(actor, actor.accountId, form.text('version'), {
    ...{ do: 'add', entry, before: before === '' ? undefined : before },
  })
  return { to: list, said: `Added ${entry.id}. Messages can go through it within 5 seconds.` }
}

/** @throws Refusal */
async function found(asked: Asked) {
  const edits = toEdits(asked)
  const { version, connections } = await edits.read(asked.actor, asked.actor.accountId)
  const connection = connections.find(({ id }) => id === idOf(asked))
  if (!connection) throw new Refusal(`There is no channel ${idOf(asked)}.`)
  const kind = edits.kinds.find((one) => one.kind === connection.kind)
  if (!kind) throw new Refusal(`This version does not know the kind ${connection.kind}.`)
  return { edits, version, connection, kind }
}

async function changing(asked: Asked, fault?: string, refusal?: Refusal): Promise<View> {
  const { version, connection, kind } = await found(asked)
  const { form } = asked
  // Who sent the form may have no proof any more: only what was entered is shown then, and nothing of what is stored.
  const isFirst = refusal === undefined
  const fields = isFirst ? kind.fieldsOf(connection.settings) : fieldsIn(form, kind)
  const faults = refusal instanceof FaultyEntry ? refusal.faults : []
  const entered = isFirst ? channelEnteredFrom(connection, fields) : channelEnteredIn(form, fields)
  const body = html`<p class="way"><a href="/channels">Channels</a></p>
${headOf(html`<code>${connection.id}</code>`, html`<a class="button plain" href="/channels/${connection.id}/test">Send a test code</a>`)}
${faults.length === 0 && fieldFaultOf(fault)}
${renderChannelEditor({ kind, fields, entered, version: seenVersion(form, version, refusal), to: `/channels/${connection.id}`, stored: connection.stored, faults, places: [] })}`
  return { title: connection.id, section, body }
}

async function change(asked: Asked): Promise<Done> {
  const { edits, connection, kind } = await found(asked)
  const { form, actor } = asked
  const { changed, readdressed } = await edits.edit(actor, actor.accountId, form.text('version'), {
    ...{ do: 'change', id: connection.id, entry: entryIn(form, kind) },
    secrets: { beside: form.all('beside'), dropped: form.all('dropped') },
  })
  const said = changed.length > 0 ? `Saved ${connection.id}. It counts within 5 seconds.` : 'Nothing was changed.'
  return { to: list, said: readdressed ? `${said} ${elsewhere}` : said }
}

const elsewhere =
  'Its reports now come to a different address: if your provider has it in its console, enter the new one there.'

async function rotate(asked: Asked): Promise<Done> {
  toEdits(asked)
  const { desk, actor } = asked
  await desk.connections.rotate(actor, actor.accountId, idOf(asked))
  return { to: list, said: elsewhere }
}

async function move(asked: Asked): Promise<Done> {
  const by = asked.form.text('by') === 'up' ? -1 : 1
  await toEdits(asked).edit(asked.actor, asked.actor.accountId, asked.form.text('version'), {
    do: 'move',
    id: idOf(asked),
    by,
  })
  return { to: list, said: `Moved ${idOf(asked)} ${by === -1 ? 'up' : 'down'}.` }
}

async function remove(asked: Asked): Promise<Done> {
  await toEdits(asked).edit(asked.actor, asked.actor.accountId, asked.form.text('version'), {
    do: 'remove',
    id: idOf(asked),
  })
  const stranded = await asked.desk.connections.stranded(asked.actor, asked.actor.accountId)
  const waiting = stranded === 0 ? '' : ` Messages that wait for it, and have no other channel left: ${stranded}.`
  return { to: list, said: `Removed ${idOf(asked)}.${waiting}` }
}
