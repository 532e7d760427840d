/** Sending › Channels: what an account sends through, in order, and how each of them is. */
import { defaultAccount } from '../../../../domain/access/account.ts'
import type { ListedConnection } from '../../../../domain/channels/connection.ts'
import type { CheckedConnection } from '../../../../domain/channels/connectionCheck.ts'
import type { TemplateForm } from '../../../../domain/templates/templateForm.ts'
import { ownCommand } from '../../../../kit/ownCommand.ts'
import type { Template } from '../../../../store/template.ts'
import { type Html, html } from '../../../html.ts'
import { actButton, emptyOf, headOf } from '../../parts/act.ts'
import { counted } from '../../parts/amount.ts'
import { blockOf, renderAddressBlock } from '../../parts/code.ts'
import { renderFindings } from '../../parts/finding.ts'
import { toned } from '../../parts/status.ts'
import { timeOf } from '../../parts/time.ts'
import type { Asked, GuardedRoute, View } from '../../route.ts'
import { channelEditRoutes } from './channelEdit.ts'
import { channelPairRoutes } from './channelPair.ts'
import { channelTemplateRoutes } from './channelTemplates.ts'
import { channelTestRoutes } from './channelTest.ts'

const section = '/channels'
/** Milliseconds for each provider that is asked while somebody waits. */
const checkMs = 10_000

export const channelRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/channels', role: 'viewer', show: (asked) => list(asked) },
  { method: 'POST', path: '/channels', role: 'owner', act: check, back: () => '/channels' },
  ...channelPairRoutes,
  ...channelTestRoutes,
  ...channelTemplateRoutes,
  ...channelEditRoutes,
]

async function check(asked: Asked): Promise<View> {
  return list(asked, await asked.desk.check(asked.actor, asked.actor.accountId, { withinMs: checkMs }))
}

async function list(asked: Asked, checked?: readonly CheckedConnection[]): Promise<View> {
  const { desk, actor } = asked
  const connections = await desk.connections.list(actor, actor.accountId)
  const templates = await desk.templates.list(actor, actor.accountId)
  const isOwner = actor.role === 'owner'
  const edits = isOwner ? desk.connectionEdits : undefined
  const version = (await edits?.read(actor, actor.accountId))?.version
  const acts = html`${isOwner && connections.length > 0 && actButton({ to: '/channels', label: 'Check now' })}${
    edits && html`<a class="button" href="/new-channel">Add a channel</a>`
  }`
  const body = html`${headOf('Channels', isOwner && acts)}
${checked && renderSummary(checked)}
${
  connections.length === 0
    ? emptyOf(
        html`There is no channel: requests with live keys get 403 no_channel. ${edits ? 'Add one' : 'Write a list of channels, and apply it'}. <a href="/guide/channels">How to write it</a>`,
      )
    : html`<p class="lead">The first channel that fits a message is tried first, then the others, in this order. Messages of test keys go only to the ${actor.role === 'viewer' ? 'sandbox phone' : html`<a href="/sandbox">sandbox phone</a>`}.</p>
<ol class="channels" id="channels"${!checked && html` data-live="10"`}>${connections.map((connection) =>
        renderChannel(asked, connection, {
          ...{ isFirst: connection === connections[0], isLast: connection === connections.at(-1) },
          version,
          hasToken:
            edits?.kinds.some(({ kind, hasReportToken }) => kind === connection.kind && hasReportToken) ?? false,
          hasTemplates: actor.role !== 'viewer' && desk.templates.forms.some(({ kind }) => kind === connection.kind),
          unnamed: unnamedIn(desk.templates.forms, templates, connection),
          checked: checked?.find(({ id }) => id === connection.id),
        }),
      )}</ol>`
}
${howTo(asked)}`
  return { title: 'Channels', section, body }
}

function renderSummary(checked: readonly CheckedConnection[]): Html {
  const findings = checked.flatMap((one) => one.findings)
  const [bad, warnings] = ['bad', 'warning'].map(
    (level) => findings.filter((finding) => finding.level === level).length,
  )
  if (bad) return html`<p class="saying fault" role="status">${counted(bad, 'thing')} to fix: see below.</p>`
  const worth = warnings ? `, and ${counted(warnings, 'thing')} to look at below` : ''
  return html`<p class="saying done" role="status">All channels are good${worth}.</p>`
}

/** The templates that it cannot carry, because they say nothing for its kind in one of their languages. */
function unnamedIn(forms: readonly TemplateForm[], templates: readonly Template[], { kind }: ListedConnection) {
  if (!forms.some((form) => form.kind === kind)) return []
  return templates.filter(({ locales }) =>
    Object.values(locales).some(({ channels }) => !Object.hasOwn(channels, kind)),
  )
}

interface Beside {
  isFirst: boolean
  isLast: boolean
  /** Of the list; undefined for who may not change it here. */
  version: string | undefined
  /** The address of its reports ends with a token, which an owner may rotate here. */
  hasToken: boolean
  /** Its provider has templates of its own, which who looks may see. */
  hasTemplates: boolean
  unnamed: readonly Template[]
  checked: CheckedConnection | undefined
}

function renderChannel(asked: Asked, connection: ListedConnection, beside: Beside): Html {
  const { isLast, unnamed, checked } = beside
  const {
    id,
    kind,
    words,
    countries,
    failoverSeconds,
    isForTestKeys,
    unusable,
    rest,
    takenAt,
    reportedAt,
    missingReports,
    balance,
    reportPath,
    day,
  } = connection
  const caps = formatCaps(connection)
  return html`<li class="panel">
<div class="head"><h2><code>${id}</code><span class="quiet-text">${words?.title ?? kind}</span></h2>${renderState(connection)}</div>
${unusable !== undefined && html`<p class="saying fault"><span>Cannot be used: ${unusable}.</span></p>`}
${rest && html`<p class="saying fault"><span>Not used now: <bdi>${rest.reason}</bdi>. Tried again ${timeOf(rest.until)}.</span></p>`}
${missingReports && html`<p class="saying fault"><span>No report of ${counted(missingReports.messages, 'message')} since ${timeOf(missingReports.since)}: what became of them is not known. Check that your provider knows the address for reports.</span></p>`}
<dl class="facts">
<div><dt>Carries</dt><dd>${words?.carries ?? html`<span class="quiet-text">this version does not know the kind ${kind}</span>`}</dd></div>
<div><dt>Countries</dt><dd>${renderCountries(countries)}</dd></div>
<div><dt>The next one is asked</dt><dd>${isLast ? html`<span class="quiet-text">there is none</span>` : passesOn(failoverSeconds)}</dd></div>
${caps !== '' && html`<div><dt>At most</dt><dd>${caps}</dd></div>`}
${day && html`<div><dt>Used of its day</dt><dd>${counted(day.used, 'message')} of ${day.of}</dd></div>`}
<div><dt>Took a message last</dt><dd>${takenAt ? timeOf(takenAt) : html`<span class="quiet-text">none yet</span>`}</dd></div>
${reportedAt !== null && html`<div><dt>Reported last</dt><dd>${timeOf(reportedAt)}</dd></div>`}
${balance !== null && html`<div><dt>Balance, as told last</dt><dd>${amount.format(balance)}</dd></div>`}
</dl>
${unnamed.length > 0 && renderUnnamed(unnamed, words?.title ?? kind)}
${beside.hasTemplates && html`<p class="small"><a href="/channels/${id}/templates">The templates that ${words?.title ?? kind} has</a>, to compare with yours and to import</p>`}
${words?.reports !== undefined && reportPath !== undefined && renderReports(asked, reportPath, words.reports, { id, rotates: beside.hasToken })}
${isForTestKeys && html`<p class="small">It reaches no phone, so it carries no live message, wherever it stands in this list.</p>`}
${checked && html`<div class="checked"><h3>Checked just now</h3>${renderFindings(checked.findings)}</div>`}
${asked.actor.role === 'owner' && actsOn(connection, beside)}
</li>`
}

/** A list that somebody else changes meanwhile has another version: nothing is done to it then. */
function renderState({ unusable, rest, isForTestKeys }: ListedConnection): Html {
  if (unusable !== undefined) return toned('failed', 'unusable')
  if (rest) return toned('failed', 'resting')
  return isForTestKeys ? toned('expired', 'for test keys only') : toned('delivered', 'up')
}

function actsOn({ id, isForTestKeys }: ListedConnection, { version, isFirst, isLast }: Beside): Html {
  const test = !isForTestKeys && html`<a class="button plain" href="/channels/${id}/test">Send a test code</a>`
  if (version === undefined) return html`<div class="acts">${test}</div>`
  const move = (by: 'up' | 'down') =>
    actButton({ to: `/channels/${id}/move`, label: `Move ${by}`, fields: { version, by } })
  return html`<div class="acts"><a class="button plain" href="/channels/${id}">Change</a>${test}${!isFirst && move('up')}${!isLast && move('down')}${actButton(
    {
      to: `/channels/${id}/remove`,
      label: 'Remove',
      confirm: `Remove ${id}, with its secrets. Messages that wait for it go on to the next channel of their route, or fail.`,
      isDangerous: true,
      fields: { version },
    },
  )}</div>`
}

/** In whatever currency the provider has. */
const amount = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

function passesOn(failoverSeconds: number | null): string {
  const fails = 'when this one fails'
  return failoverSeconds === null
    ? fails
    : `${fails}, or has not delivered a code in ${counted(failoverSeconds, 'second')}`
}

/** `6 in a minute, 200 in a day`. */
function formatCaps({ perMinute, perHour, perDay }: ListedConnection): string {
  const caps = [
    { cap: perMinute, time: 'a minute' },
    { cap: perHour, time: 'an hour' },
    { cap: perDay, time: 'a day' },
  ]
  return caps.flatMap(({ cap, time }) => (cap === null ? [] : `${cap} in ${time}`)).join(', ')
}

const names = new Intl.DisplayNames('en', { type: 'region' })
const countriesShown = 6

function renderCountries(countries: readonly string[] | null): Html | string {
  if (countries === null) return 'all'
  const all = countries.map((code) => names.of(code) ?? code)
  const more = all.length - countriesShown
  if (more <= 1) return all.join(', ')
  return html`${all.slice(0, countriesShown).join(', ')} <span class="quiet-text" title="${all.slice(countriesShown).join(', ')}">and ${more} more</span>`
}

const unnamedShown = 5

function renderUnnamed(unnamed: readonly Template[], title: string): Html {
  const more = unnamed.length - unnamedShown
  return html`<p class="small">${toned('expired', counted(unnamed.length, 'template'))} ${unnamed.length === 1 ? 'has' : 'have'} no name for ${title}, and cannot be sent through it: ${unnamed
    .slice(0, unnamedShown)
    .map(
      ({ slug }, index) => html`${index > 0 && ', '}<a href="/templates/${slug}">${slug}</a>`,
    )}${more > 0 && ` and ${more} more`}.</p>`
}

/** @param rotates whether people may give the address another token */
function renderReports(
  { apiUrl }: Asked,
  path: string,
  note: string,
  { id, rotates }: { id: string; rotates: boolean },
): Html {
  return html`<div class="reports"><h3>Where it reports to</h3>
${renderAddressBlock(apiUrl, path, note)}
<div class="acts"><a class="button plain" href="/channels/${id}/pair">QR code</a>${
    rotates &&
    actButton({
      to: `/channels/${id}/rotate`,
      label: 'New address',
      confirm: `Give ${id} another address for its reports. The one above is refused at once, also for messages that are under way.`,
    })
  }</div></div>`
}

function howTo({ session, desk }: Asked): Html {
  const account = session.account === defaultAccount ? '' : ` --account ${shellText(session.account)}`
  return html`<section class="panel">
<h2>${desk.connectionEdits ? 'From a file' : 'Change them'}</h2>
<p class="quiet-text">${
    desk.connectionEdits
      ? html`The operator can also apply the whole list from a file, <code>channels.yaml</code>.`
      : html`The list is a file, <code>channels.yaml</code>. The operator applies it on the machine, so that no secret goes through a browser.`
  } Changes count within 5 seconds. <a href="/guide/channels">What to write in it</a></p>
${blockOf(`${ownCommand.cli} channels apply channels.yaml${account}`, 'The command')}
</section>`
}

function shellText(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
