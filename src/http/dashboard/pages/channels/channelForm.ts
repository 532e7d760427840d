/** The form of a connection: what every one has, what its kind asks for, and what is wrong beside each field. */
import { capMembers } from '../../../../domain/channels/caps.ts'
import type { EditableConnection, EditableKind } from '../../../../domain/channels/connectionEdit.ts'
import type { Fault } from '../../../../domain/channels/connectionEntry.ts'
import type { ConnectionField } from '../../../../domain/channels/connectionField.ts'
import { membersFrom, textsFrom } from '../../../../domain/channels/connectionForm.ts'
import { readCountries } from '../../../../domain/sending/phones/typedCountry.ts'
import { atPlace } from '../../../../kit/reading/formFaults.ts'
import { type Html, html, type Part } from '../../../html.ts'
import type { Form } from '../../form.ts'
import { type Choice, checkFields, selectField, textArea, textField } from '../../parts/field.ts'

/** What stands in the form. Secrets are never in it. */
export type Entered = Readonly<Record<string, string>>

const caps = ['per_minute', 'per_hour', 'per_day'] as const
const common = ['id', 'countries', 'failover_seconds', ...caps, 'spread', 'before'] as const

export function channelEnteredIn(form: Form, fields: readonly ConnectionField[]): Entered {
  const shown = [...common, ...fields.filter(({ secret }) => !secret).map(({ name }) => name)]
  return Object.fromEntries(shown.map((name) => [name, form.text(name)]))
}

/** What is kept, as it is entered. */
export function channelEnteredFrom(connection: EditableConnection, fields: readonly ConnectionField[]): Entered {
  const { id, countries, failoverSeconds, settings } = connection
  const own = { id, countries: (countries ?? []).join(', '), failover_seconds: String(failoverSeconds ?? '') }
  const { per_minute = '', per_hour = '', per_day = '', spread } = capMembers(connection)
  const numbers = { per_minute: String(per_minute), per_hour: String(per_hour), per_day: String(per_day) }
  const limits = { ...numbers, spread: spread ? 'yes' : '' }
  return { ...own, ...limits, ...textsFrom(fields, settings) }
}

/** As the domain takes it, with the secrets that were entered. */
export function entryIn(form: Form, kind: EditableKind): Record<string, unknown> {
  const { id, countries, ...numbers } = membersFrom(ofAll, (name) => form.text(name))
  const list = readCountries(String(countries ?? ''))
  const fields = fieldsIn(form, kind)
  const isSecret = (name: string) => fields.some((field) => field.name === name && field.secret)
  return {
    // A password may begin or end with a space.
    ...membersFrom(fields, (name) => (isSecret(name) ? form.raw(name) : form.text(name))),
    ...{ id: id ?? '', kind: kind.kind },
    ...(list.length > 0 && { countries: list }),
    ...numbers,
    ...(form.text('spread') === 'yes' && { spread: true }),
  }
}

/** Those that fit what was entered so far. */
export function fieldsIn(form: Form, kind: EditableKind): readonly ConnectionField[] {
  const first = membersFrom(kind.fieldsOf({}), (name) => form.text(name))
  return kind.fieldsOf(first)
}

const ofAll: readonly ConnectionField[] = [
  { name: 'id', title: 'Name', about: '' },
  { name: 'countries', title: 'Countries', about: '' },
  ...['failover_seconds', ...caps].map((name) => ({ name, title: '', about: '', form: 'number' as const })),
]

export interface ChannelEditor {
  kind: EditableKind
  fields: readonly ConnectionField[]
  entered: Entered
  /** Of the list that the form is about. */
  version: string
  /** Where the form goes. */
  to: string
  /** How many values are stored of each secret; undefined for a new one. */
  stored: Readonly<Record<string, number>> | undefined
  faults: readonly Fault[]
  /** Where a new one can be put; none for one that is there. */
  places: readonly Choice[]
}

export function renderChannelEditor(editor: ChannelEditor): Html {
  const { kind, fields, entered, version, to, stored, faults, places } = editor
  const faultAt = faultsByField(faults, [...common, ...fields.map(({ name }) => name)])
  const isNew = stored === undefined
  const isUnfinished = fields.length > 0 && fields.every(({ first }) => first)
  const value = (name: string) => ({ name, value: entered[name] ?? '', fault: faultAt.get(name)?.join('; ') })
  return html`${otherFaults(faultAt.get(''))}
<form method="post" action="${to}" class="stack">
${isUnfinished && html`<input type="hidden" name="do" value="next">`}<input type="hidden" name="version" value="${version}">${isNew && html`<input type="hidden" name="kind" value="${kind.kind}">`}
${
  isNew &&
  textField({
    ...{
      ...value('id'),
      label: 'Name',
      isRequired: true,
      lengthMax: 32,
      hasFocus: true,
      placeholder: `${kind.kind}-eu`,
    },
    help: 'You see it in timelines and in the address for reports: lower-case letters, digits and -. You cannot change it later.',
  })
}
${fields.map((field) => renderField(field, { ...value(field.name), count: stored?.[field.name] }))}
${textField({ ...value('countries'), label: 'Countries (optional)', placeholder: 'DE, FR', help: 'Two-letter codes, or names. It is used for numbers of these countries only; without any, for all.' })}
${textField({ ...value('failover_seconds'), label: 'Try the next channel after (optional)', placeholder: '30', help: 'Seconds, for codes: if there is no report by then that the code was delivered, the next channel is tried too.' })}
${textField({ ...value('per_minute'), label: 'Messages in a minute (optional)', placeholder: '6', help: 'At most so many in any minute, by all processes together. A code that would have no turn in time goes to the next channel.' })}
${textField({ ...value('per_hour'), label: 'Messages in an hour (optional)', placeholder: '100' })}
${textField({ ...value('per_day'), label: 'Messages in a day (optional)', placeholder: '200', help: 'In any 24 hours. A channel that has used up its day takes nothing until the next message is free.' })}
${selectField({ ...value('spread'), label: 'Shares messages', choices: sharing, help: 'With the channels of its kind next to it that share too, by what is left of their messages: a pool of SIMs.' })}
${places.length > 1 && selectField({ ...value('before'), label: 'Its place', choices: places, help: 'The first channel that fits a message is tried first.' })}
<div class="acts"><button>${isUnfinished ? 'Go on' : isNew ? 'Add the channel' : 'Save'}</button><a class="button plain" href="/channels">Cancel</a></div>
</form>`
}

const sharing: readonly Choice[] = [
  { value: '', label: 'No: the first channel is asked first' },
  { value: 'yes', label: 'Yes, by what is left' },
]

interface Filled {
  name: string
  value: string
  fault: string | undefined
  /** Values that are stored of a secret. */
  count: number | undefined
}

function renderField(field: ConnectionField, { count = 0, ...filled }: Filled): Html {
  const { title, about, optional, standard, example, form, choices } = field
  if (field.secret) return renderSecret(field, filled, count)
  const label = optional ? `${title} (optional)` : title
  const help: Part = standard === undefined || choices ? about : html`${about} Without it: <code>${standard}</code>.`
  const shared = { ...filled, label, help }
  if (choices) {
    const usual = choices.find(({ value }) => value === standard)?.label ?? 'none'
    return selectField({
      ...shared,
      choices: [...(optional ? [{ value: '', label: `${usual} (default)` }] : []), ...choices],
    })
  }
  if (form === 'pair') return textArea({ ...shared, rows: 2, help: html`${help} ${pairHelp}` })
  if (form === 'long' || form === 'map') return textArea({ ...shared, rows: form === 'long' ? 12 : 3 })
  const placeholder = example ?? standard
  return textField({ ...shared, isRequired: !optional, ...(placeholder !== undefined && { placeholder }) })
}

const pairHelp = 'Two while you replace it, each on its own line: both are good then.'

/** It is never filled in: what is stored stays when nothing is entered. */
function renderSecret({ title, about, optional, form, name }: ConnectionField, filled: Filled0, count: number): Html {
  const isStored = count > 0
  const many = count > 1 ? `${count} are stored` : 'One is stored'
  const help = isStored ? html`${about} <strong>${many}.</strong> Leave this empty to keep it.` : about
  const more: Choice[] = [
    ...(isStored && form === 'pair'
      ? [
          {
            value: name,
            label: `Keep the stored one too, while you replace it`,
            help: 'Both are good until you save again.',
          },
        ]
      : []),
  ]
  return html`${textField({
    ...{ name, value: '', fault: filled.fault, type: 'password', autocomplete: 'new-password', help },
    ...{ label: optional ? `${title} (optional)` : title, isRequired: !optional && !isStored, lengthMax: 5000 },
  })}${more.length > 0 && checkFields({ name: 'beside', label: title, values: [], choices: more })}${
    isStored &&
    optional &&
    checkFields({
      name: 'dropped',
      label: title,
      values: [],
      choices: [{ value: name, label: 'Erase the stored one' }],
    })
  }`
}

type Filled0 = Omit<Filled, 'count'>

/** Under '' what is about no field. */
function faultsByField(faults: readonly Fault[], names: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { path, fault } of faults) {
    const place = path.map(String).join('.')
    const isNear = (name: string) => place === name || place.startsWith(`${name}.`) || name.startsWith(`${place}.`)
    const name = place === '' ? '' : (names.find(isNear) ?? '')
    const text = name === '' ? atPlace(path, fault) : fault
    found.set(name, [...(found.get(name) ?? []), text])
  }
  return found
}

function otherFaults(faults: readonly string[] | undefined): Html | undefined {
  if (!faults) return undefined
  return html`<div class="saying fault" role="alert"><ul class="faults">${faults.map((one) => html`<li>${one}</li>`)}</ul></div>`
}
