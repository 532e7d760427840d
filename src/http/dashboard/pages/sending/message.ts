/** One message: what became of it, step by step, and who was told. */
import { may } from '../../../../domain/access/actor.ts'
import type { History } from '../../../../domain/sending/history.ts'
import { resendableDays } from '../../../../domain/sending/notifications/resend.ts'
import { maskPhone } from '../../../../domain/sending/phone.ts'
import { noLocale } from '../../../../domain/templates/templateEntry.ts'
import { deliveryErrors } from '../../../../domain/webhooks/deliveryError.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import type { ToldEndpoint, ToldEvent } from '../../../../store/sending/history.ts'
import { type Html, html, type Part } from '../../../html.ts'
import { actButton, headOf } from '../../parts/act.ts'
import { counted, money } from '../../parts/amount.ts'
import { idOf } from '../../parts/code.ts'
import { nameUrl } from '../../parts/endpoint.ts'
import { statusOf, type Tone, toned } from '../../parts/status.ts'
import { renderTable } from '../../parts/table.ts'
import { timeOf } from '../../parts/time.ts'
import { renderTimeline } from '../../parts/timeline.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'

export const messageRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/messages/:id', role: 'viewer', show },
  { method: 'POST', path: '/messages/:id/resend', role: 'developer', act: resend, back: pathOf },
  {
    method: 'POST',
    path: '/messages/:id/forget',
    role: 'owner',
    isSensitive: true,
    act: forget,
    back: pathOf,
  },
]

const section = '/messages'
/** Who looks longer than that at what does not move, loads the page again. */
const watchedMs = 3600_000

async function show({ desk, actor, params }: Asked): Promise<View> {
  const history = await desk.history(actor, params.id ?? '')
  const { phone } = history
  const again =
    history.canBeResent &&
    may(actor, 'developer') &&
    actButton({
      to: `/messages/${history.id}/resend`,
      label: 'Send again',
      confirm: `Send this notification to ${phone} again: as a new message, from the template as it is now. It costs what a message costs, and counts for the limits of the phone.`,
    })
  const forgetting =
    actor.role === 'owner' &&
    actButton({
      to: `/messages/${history.id}/forget`,
      label: 'Forget this phone',
      confirm: `Forget ${phone}: all messages to it, their timelines, and its limits are erased from this account, for good. A code that is on its way stops working.`,
      isDangerous: true,
    })
  const body = html`<p class="way"><a href="/messages">Messages</a></p>
${headOf(html`<span class="phone-number">${phone}</span>${history.mode === 'test' && html` <span class="tag">test</span>`}`, html`${again}${forgetting}`)}
<div id="message" class="parts"${isUnderWay(history, desk.now()) && html` data-live="2"`}>
<section class="panel">${renderFacts(history, desk.now())}</section>
<section class="panel" aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>
${renderTimeline(history)}</section>
<section aria-labelledby="events"><h2 id="events">Webhooks</h2>
${renderTold(history.events)}</section>
</div>`
  return { title: `Message to ${phone}`, section, body }
}

/** Something may still come of it while one looks. */
function isUnderWay({ status, kind, createdAt, expiresAt, verifiedAt, events }: History, now: Date): boolean {
  if (now.getTime() - createdAt.getTime() > watchedMs) return false
  const isMoving = status === 'queued' || status === 'sent'
  const isAwaited = kind === 'verification' && verifiedAt === null && expiresAt !== null && expiresAt > now
  return isMoving || isAwaited || events.some(({ endpoints }) => endpoints.some(({ state }) => state === 'due'))
}

/** `, version 3, in de`: as far as it was kept, and the template names its language. */
function madeFrom({ templateVersion, templateLocale }: History): string {
  const language = templateLocale === null || templateLocale === noLocale ? '' : `, in ${templateLocale}`
  return templateVersion === null ? '' : `, version ${templateVersion}${language}`
}

function renderFacts(history: History, now: Date): Html {
  const { id, kind, template, reference, country, legs, createdAt, status, errorCode, statusAt, keyId, keyName } =
    history
  const leg = legs.find(({ state }) => state === 'current')
  const facts: [string, Part][] = [
    ['Status', html`${statusOf(status)} <small>${timeOf(statusAt)}</small>`],
    [
      'Kind',
      html`${kind}${template !== null && html` from the template <a href="/templates/${encodeURIComponent(template)}">${template}</a>${madeFrom(history)}`}`,
    ],
    ['Sends again', history.resendOf !== null && linkTo(history.resendOf)],
    ['Sent again', renderResent(history)],
    ['Reference', reference !== null && referenceOf(reference)],
    ['Channel', leg?.connection],
    ['Country', country ?? undefined],
    ['Price', renderPrices(history)],
    ['Key', keyId !== null && html`<a href="/keys">${keyName ?? keyId}</a>`],
    ['Made', timeOf(createdAt)],
    ['Goes at', history.sendAt !== null && timeOf(history.sendAt)],
    ['Code', renderCode(history, now)],
    ['Expires', kind === 'notification' && history.expiresAt !== null && timeOf(history.expiresAt)],
    ['Rules', history.findings !== null && findingsOf(history.findings)],
    ['Why it failed', errorCode === null ? undefined : html`${deliveryErrors[errorCode]} <code>${errorCode}</code>`],
  ]
  const ids: [string, Part][] = [
    ['Id', idOf(id)],
    ["The provider's id", legs.length === 1 && leg?.providerMessageId !== undefined && idOf(leg.providerMessageId)],
  ]
  const known = (list: [string, Part][]) => list.filter(([, value]) => value !== undefined && value !== false)
  return html`<dl class="facts">${known(facts).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}${known(
    ids,
  ).map(([name, value]) => html`<div class="wide"><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

function referenceOf(reference: string): Html {
  return html`<a href="/messages?reference=${encodeURIComponent(reference)}"><code>${reference}</code></a>`
}

function linkTo(id: string): Html {
  return html`<a href="/messages/${id}"><code>${id}</code></a>`
}

function renderResent({ kind, template, status, canBeResent, resentAs }: History): Part {
  if (resentAs !== null) return html`as ${linkTo(resentAs)}`
  if (status !== 'failed' || kind !== 'notification' || template === null || canBeResent) return undefined
  return html`no: its variables are no longer kept <small>they are erased when a provider takes a message, and ${resendableDays} days after it failed</small>`
}

/** What the rules against SMS pumping found. */
function findingsOf(findings: NonNullable<History['findings']>): Html {
  return html`${findings.map(({ rule, did }, index) => html`${index > 0 && html`<br>`}<code>${rule}</code> <small>${did}</small>`)}`
}

/** Each with its channel, where a message has several. */
function renderPrices({ legs }: History): Html | undefined {
  const priced = legs.flatMap(({ connection, price }) => (price ? { connection, price } : []))
  if (priced.length === 0) return undefined
  return html`${priced.map(
    ({ connection, price }, index) =>
      html`${index > 0 && html`<br>`}${money(price)}${legs.length > 1 && html` <small>${connection}</small>`}`,
  )}`
}

function renderCode({ kind, verifiedAt, expiresAt }: History, now: Date): Html | undefined {
  if (kind !== 'verification') return undefined
  if (verifiedAt) return html`verified <small>${timeOf(verifiedAt)}</small>`
  if (expiresAt === null) return undefined
  return html`not entered <small>${expiresAt > now ? 'runs' : 'ran'} out ${timeOf(expiresAt)}</small>`
}

function renderTold(events: readonly ToldEvent[]): Html {
  const rows = events.flatMap(({ type, at, endpoints }) => endpoints.map((endpoint) => ({ type, at, endpoint })))
  if (rows.length === 0) {
    return html`<p class="quiet-text">No webhook was called for this message. <a href="/webhooks">Webhooks</a></p>`
  }
  return renderTable({
    caption: 'What endpoints were told of this message',
    rows,
    href: ({ endpoint }) => `/webhooks/${endpoint.id}`,
    columns: [
      {
        name: 'Event',
        cell: ({ type, endpoint }) => html`<code>${type}</code><br><small>${nameUrl(endpoint)}</small>`,
      },
      { name: 'Delivery', cell: ({ endpoint }) => renderDelivery(endpoint) },
      { name: 'Last attempt', cell: ({ endpoint }) => renderAttempt(endpoint), isExtra: true },
      { name: 'When', cell: ({ at }) => timeOf(at), isNumber: true, isExtra: true },
    ],
  })
}

const deliveryTones: Record<ToldEndpoint['state'], Tone> = {
  due: 'queued',
  held: 'expired',
  delivered: 'delivered',
  failed: 'failed',
}

function renderDelivery({ state, dueAt, lastAttempt }: ToldEndpoint): Html {
  const isAgain = state === 'due' && lastAttempt !== undefined
  return html`${toned(isAgain ? 'expired' : deliveryTones[state], isAgain ? 'failing' : state)}${
    isAgain && dueAt !== null && html`<br><small>next try ${timeOf(dueAt)}</small>`
  }`
}

function renderAttempt({ lastAttempt }: ToldEndpoint): Html {
  if (!lastAttempt) return html`<span class="quiet-text">none yet</span>`
  const { at, status, error, durationMs } = lastAttempt
  const answer = [status === null ? 'no answer' : `answered ${status}`, `in ${durationMs} ms`].join(' ')
  return html`${answer}${error !== null && html`<br><small>${error}</small>`}<br><small>${timeOf(at)}</small>`
}

function pathOf({ params }: Asked): string {
  return `/messages/${params.id ?? ''}`
}

async function resend({ desk, actor, params }: Asked): Promise<Done> {
  const [outcome] = await desk.resends.send(actor, actor.accountId, [params.id ?? ''])
  if (!outcome || 'refused' in outcome) throw new Refusal(outcome?.refused ?? 'There is no such message.')
  return { to: `/messages/${outcome.as}`, said: 'It is sent again as this message, within some seconds.' }
}

async function forget({ desk, actor, params }: Asked): Promise<Done> {
  const { phone } = await desk.history(actor, params.id ?? '')
  const { messages } = await desk.forget(actor, phone)
  return { to: '/messages', said: `Forgot ${maskPhone(phone)}: ${counted(messages, 'message')} erased.` }
}
