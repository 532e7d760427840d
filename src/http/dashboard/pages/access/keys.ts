/** Developers › Keys: what may call the API. */
import { allScopes, extraScopes, scopeMeanings, scopes } from '../../../../contract/document.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import type { ApiKeyRow } from '../../../../store/access/apiKey.ts'
import type { Mode } from '../../../../store/schema/schema.ts'
import { type Html, html } from '../../../html.ts'
import { actButton, emptyOf, headOf } from '../../parts/act.ts'
import { counted } from '../../parts/amount.ts'
import { blockOf } from '../../parts/code.ts'
import { checkFields, faultsAt, fieldFaultOf, radioFields, selectField, textField } from '../../parts/field.ts'
import { toned } from '../../parts/status.ts'
import { renderTable } from '../../parts/table.ts'
import { dayOf, timeOf } from '../../parts/time.ts'
import type { Asked, GuardedRoute, View } from '../../route.ts'

const section = '/keys'
const daySeconds = 24 * 3600

export const keyRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/keys', role: 'viewer', show: list },
  { method: 'GET', path: '/keys/new', role: 'developer', isSensitive: true, show: (asked) => newKey(asked) },
  {
    method: 'POST',
    path: '/keys',
    role: 'developer',
    isSensitive: true,
    act: create,
    back: () => '/keys/new',
    again: newKey,
  },
  { method: 'GET', path: '/keys/:id/roll', role: 'developer', isSensitive: true, show: (asked) => rolling(asked) },
  {
    method: 'POST',
    path: '/keys/:id/roll',
    role: 'developer',
    isSensitive: true,
    act: roll,
    back: ({ params }) => `/keys/${params.id}/roll`,
    again: rolling,
  },
  { method: 'POST', path: '/keys/:id/revoke', role: 'developer', act: revoke, back: () => '/keys' },
]

async function list({ desk, actor }: Asked): Promise<View> {
  const keys = (await desk.apiKeys.list(actor)).toReversed()
  const may = actor.role !== 'viewer'
  const make = may ? html`<a class="button" href="/keys/new">Create a key</a>` : undefined
  const body = html`${headOf('Keys', keys.length > 0 && make)}
${
  keys.length === 0
    ? emptyOf('A key lets your program send and check codes. There is none yet.', make)
    : renderTable({
        caption: 'Keys',
        rows: keys,
        columns: [
          {
            name: 'Name',
            cell: ({ name, hint }) => html`${name}<br><code class="quiet-text unbroken">${hint}…</code>`,
          },
          { name: 'Mode', cell: ({ mode }) => mode },
          {
            name: 'Scopes',
            cell: describeScopes,
            isExtra: true,
          },
          { name: 'Last used', cell: lastUse },
          { name: 'State', cell: (key) => renderState(key, desk.now()) },
          { name: '', cell: (key) => may && isGood(key, desk.now()) && actsOn(key, desk.now()) },
        ],
      })
}`
  return { title: 'Keys', section, body }
}

function describeScopes({ scopes: own }: ApiKeyRow): string {
  const isWhole = scopes.every((scope) => own.includes(scope))
  return [...(isWhole ? ['all', ...own.filter((scope) => extraScopes.includes(scope))] : own)].join(', ')
}

function lastUse({ lastUsedAt, lastUsedFrom }: ApiKeyRow): Html {
  if (!lastUsedAt) return html`<span class="quiet-text">never</span>`
  return html`${timeOf(lastUsedAt)}${lastUsedFrom !== null && html`<br><small class="unbroken">from ${lastUsedFrom}</small>`}`
}

function isGood({ revokedAt, expiresAt }: ApiKeyRow, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now)
}

function renderState(key: ApiKeyRow, now: Date): Html {
  const { revokedAt, expiresAt } = key
  if (revokedAt) return html`${toned('failed', 'revoked')}<br><small>${timeOf(revokedAt)}</small>`
  if (!expiresAt) return toned('delivered', 'good')
  if (!isGood(key, now)) return html`${toned('expired', 'expired')}<br><small>${timeOf(expiresAt)}</small>`
  return html`${toned('delivered', 'good')}<br><small>ends ${timeOf(expiresAt)}</small>`
}

/** What would go missing is said before it is done. */
function actsOn(key: ApiKeyRow, now: Date): Html {
  return html`<div class="acts">${key.replacedBy === null && html`<a class="button plain" href="/keys/${key.id}/roll">Roll</a>`}${actButton(
    {
      to: `/keys/${key.id}/revoke`,
      label: 'Revoke',
      confirm: `Revoke ${key.name}: ${describeUse(key, now)}. It stops working at once, for good.`,
      isDangerous: true,
    },
  )}</div>`
}

/** Uses are counted by days of UTC, and written once a minute, with the next use: those since are not among them. */
function describeUse({ lastUsedAt, usedThatDay }: ApiKeyRow, now: Date): string {
  if (!lastUsedAt) return 'it was never used'
  if (dayOf(lastUsedAt) !== dayOf(now)) return `it was last used on ${dayOf(lastUsedAt)} (UTC)`
  return `at least ${counted(usedThatDay, 'request')} since 00:00 UTC`
}

const lives = [
  { value: '', label: 'Never' },
  ...[30, 90, 365].map((days) => ({ value: `${days}`, label: `In ${days} days` })),
]

function newKey({ form }: Asked, fault?: string, refusal?: Refusal): View {
  const { above, beside } = faultsAt(['name'], fault, refusal)
  const wanted = form.has('name') ? form.all('scope') : scopes
  const body = html`${headOf('Create a key')}
${above}
<form method="post" action="/keys" class="stack">
${textField({ name: 'name', label: 'Name', value: form.text('name'), fault: beside.name, help: 'The program or place that uses it.', isRequired: true, lengthMax: 64, hasFocus: true })}
${radioFields({
  name: 'mode',
  label: 'Mode',
  value: form.text('mode') || 'test',
  choices: [
    {
      value: 'test',
      label: 'Test',
      help: 'Reaches no real phone. Codes are all zeros, and the sandbox phone shows them.',
    },
    { value: 'live', label: 'Live', help: 'Sends to real phones, through your channels.' },
  ],
})}
${checkFields({ name: 'scope', label: 'It may', values: wanted, choices: scopes.map((scope) => ({ value: scope, label: scope })) })}
${checkFields({ name: 'scope', label: 'Only if the program needs it', values: wanted, choices: extraScopes.map((scope) => ({ value: scope, label: scope, help: withCode(scopeMeanings[scope] ?? '') })) })}
${selectField({ name: 'days', label: 'It ends', value: form.text('days'), choices: lives })}
<div class="acts"><button>Create the key</button><a class="button plain" href="/keys">Cancel</a></div>
</form>`
  return { title: 'Create a key', section, body }
}

/** What the contract has between backticks is code. */
function withCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

async function create({ desk, actor, form, apiUrl }: Asked): Promise<View> {
  const mode = form.text('mode')
  const wanted = form.all('scope')
  if (mode !== 'test' && mode !== 'live') throw new Refusal('Choose a mode: test or live.')
  if (wanted.length === 0 || !wanted.every((scope) => allScopes.includes(scope))) {
    throw new Refusal('Choose what the key may do: at least one of the scopes.')
  }
  const days = form.text('days')
  if (!lives.some(({ value }) => value === days)) throw new Refusal('Choose when the key ends.')
  const expiresAt = days === '' ? null : new Date(desk.now().getTime() + Number(days) * daySeconds * 1000)
  const { accountId } = actor
  const made = await desk.apiKeys.create(actor, { accountId, name: form.text('name'), mode, scopes: wanted, expiresAt })
  return shown({ title: 'Your new key', key: made.key, mode, apiUrl })
}

async function rolling({ desk, actor, params, form }: Asked, fault?: string): Promise<View> {
  const keys = await desk.apiKeys.list(actor)
  const key = keys.find(({ id }) => id === params.id)
  if (!key) throw new Refusal(`There is no key ${params.id ?? ''}.`)
  const next = keys.find(({ id }) => id === key.replacedBy)
  if (next) return rolled(key, next)
  const body = html`${headOf('Roll the key')}
${fieldFaultOf(fault)}
<p class="lead">This creates a new key like this one. The old one still works for a while, so that you can replace it where it is used.</p>
<form method="post" action="/keys/${key.id}/roll" class="stack">
${selectField({
  name: 'hours',
  label: 'The old key ends',
  value: form.text('hours') || '24',
  choices: [
    { value: '0', label: 'At once' },
    { value: '1', label: 'In an hour' },
    { value: '24', label: 'In a day' },
    { value: '168', label: 'In a week' },
  ],
})}
<div class="acts"><button>Roll the key</button><a class="button plain" href="/keys">Cancel</a></div>
</form>`
  return { title: 'Roll the key', section, body }
}

/** For a form that came twice: the answer to the first, with the key, was maybe seen by nobody. */
function rolled({ name }: ApiKeyRow, { id, hint, createdAt }: ApiKeyRow): View {
  const body = html`${headOf('The key is rolled')}
<p class="lead"><b class="theirs">${name}</b> was rolled ${timeOf(createdAt)}: <code class="unbroken">${hint}…</code> is the new key. It was shown only once.</p>
<p>Not copied? Roll the new key too, and copy the next one.</p>
<div class="acts"><a class="button" href="/keys/${id}/roll">Roll the new key</a><a class="button plain" href="/keys">Back to the keys</a></div>`
  return { title: 'The key is rolled', section, body }
}

async function roll({ desk, actor, params, form, apiUrl }: Asked): Promise<View> {
  const hours = form.text('hours')
  if (!/^\d{1,3}$/.test(hours)) throw new Refusal('Choose when the old key ends.')
  const { key, row } = await desk.apiKeys.roll(actor, params.id ?? '', Number(hours) * 3600)
  return shown({ title: 'Your new key', key, mode: row.mode, apiUrl })
}

/** The only time that it is seen. */
function shown({ title, key, mode, apiUrl }: { title: string; key: string; mode: Mode; apiUrl: string }): View {
  const phone = '+14155550100'
  const command = [
    `curl ${apiUrl}/v1/verify/send \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"phone": "${phone}"}'`,
  ].join('\n')
  const body = html`${headOf(title)}
<section class="panel">
<p>Copy it now: it is shown only once, and only its fingerprint is kept.</p>
${blockOf(key, 'The key')}
</section>
<section class="panel">
<h2>${mode === 'test' ? 'Send a code to the sandbox phone' : 'Send a code'}</h2>
<p class="quiet-text">${mode === 'test' ? html`Paste this into a terminal, and watch it arrive on the <a href="/sandbox">sandbox phone</a>.` : 'Replace the number with your own phone. Your provider charges for each live message.'}</p>
${blockOf(command, 'The command')}
</section>
<p><a class="button plain" href="/keys">I have copied it</a></p>`
  return { title, section, body }
}

async function revoke({ desk, actor, params }: Asked) {
  const id = params.id ?? ''
  const name = (await desk.apiKeys.list(actor)).find((key) => key.id === id)?.name ?? id
  await desk.apiKeys.revoke(actor, id)
  return { to: '/keys', said: `Revoked ${name}. Requests with it get 401 within 5 seconds.` }
}
