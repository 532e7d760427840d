/** Overview: is it working? */
import { type Latency, type Overview, type Rates, type Span, spans } from '../../../../domain/insight/figure.ts'
import type { MessageBreakdown } from '../../../../store/insight/figure.ts'
import type { Mode } from '../../../../store/schema/schema.ts'
import { type Html, html } from '../../../html.ts'
import { type BarChart, meterOf, renderChart } from '../../chart.ts'
import { emptyOf } from '../../parts/act.ts'
import { change, count, counted, duration, share } from '../../parts/amount.ts'
import { countryNameOf } from '../../parts/country.ts'
import type { Tone } from '../../parts/status.ts'
import { renderTable } from '../../parts/table.ts'
import { hourNameOf, hourOf, zoneOf } from '../../parts/time.ts'
import type { Asked, GuardedRoute, View } from '../../route.ts'
import { renderFirstSteps } from './firstSteps.ts'
import { renderSpend } from './spend.ts'
import { renderTroubles } from './troubles.ts'

const section = '/'

export const overviewRoutes: readonly GuardedRoute[] = [{ method: 'GET', path: '/', role: 'viewer', show }]

async function show(asked: Asked): Promise<View> {
  const { desk, actor, query } = asked
  const { accountId } = actor
  const span = spans.find((one) => one === query.get('span')) ?? '24h'
  const mode: Mode = query.get('mode') === 'test' ? 'test' : 'live'
  const [overview, troubles, steps] = await Promise.all([
    desk.figures.overview(actor, { accountId, mode }, span),
    desk.troubles.find(actor, { accountId, mode }),
    desk.firstSteps(actor, accountId),
  ])
  const isEmpty = overview.totals.created === 0
  // A channel is one of the first steps.
  const told = troubles.filter(({ kind }) => !(steps && isEmpty && kind === 'connection_missing'))
  const body = html`<div class="head"><h1>Overview</h1><div class="acts">${renderSegments({ span, mode })}</div></div>
${steps && renderFirstSteps(asked, steps)}
<div id="overview" class="overview" data-live="10">
${(!isEmpty || told.length > 0) && renderTroubles(told, mode)}
${isEmpty ? !steps && nothing(span, mode) : renderFigures(overview, span)}
</div>`
  return { title: 'Overview', section, body }
}

const spanNames: Record<Span, { short: string; before: string; sentence: string }> = {
  '24h': { short: '24 hours', before: 'the day before', sentence: 'in the last 24 hours' },
  '7d': { short: '7 days', before: 'the week before', sentence: 'in the last 7 days' },
  '30d': { short: '30 days', before: 'the 30 days before', sentence: 'in the last 30 days' },
}

function renderSegments({ span, mode }: { span: Span; mode: Mode }): Html {
  const link = (name: string, to: { span: Span; mode: Mode }, isCurrent: boolean) =>
    html`<a href="/?${new URLSearchParams(to).toString()}"${isCurrent && html` aria-current="true"`}>${name}</a>`
  return html`<nav class="segments" aria-label="Mode">${(['live', 'test'] as const).map((one) =>
    link(one === 'live' ? 'Live' : 'Test', { span, mode: one }, one === mode),
  )}</nav><nav class="segments" aria-label="Time">${spans.map((one) => link(spanNames[one].short, { span: one, mode }, one === span))}</nav>`
}

function nothing(span: Span, mode: Mode): Html {
  const message = html`No message was sent with a ${mode} key ${spanNames[span].sentence}.`
  const other =
    mode === 'live' ? { mode: 'test', name: 'Look at test keys' } : { mode: 'live', name: 'Look at live keys' }
  return emptyOf(message, html`<a class="button plain" href="/?span=${span}&amp;mode=${other.mode}">${other.name}</a>`)
}

function renderFigures(overview: Overview, span: Span): Html {
  return html`${renderTiles(overview, span)}
<section class="panel"><h2>Messages by ${overview.grain}<small>${overview.grain === 'hour' ? zoneOf('Hours are in UTC.', 'Hours are in your time zone.') : 'Days are days of UTC.'}</small></h2>
${renderChart(chartOfSeries(overview))}</section>
<div class="columns">
<section><h2>By channel</h2>${renderChannels(overview)}</section>
<section><h2>Conversion by country</h2>${renderCountries(overview)}</section>
</div>
${renderSpend(overview.spend)}`
}

function renderTiles({ totals, compared }: Overview, span: Span): Html {
  const { now, before } = compared
  const than = spanNames[span].before
  const part = (rates: Rates) => (rates.created === 0 ? undefined : rates.delivered / rates.created)
  const others = messageParts.filter(({ key }) => key !== 'delivered' && totals[key] > 0)
  const tiles: Tile[] = [
    {
      name: 'Messages',
      value: count(totals.created),
      more: others.map(({ key, name }) => `${count(totals[key])} ${name}`).join('; '),
      change: change(now.created, before.created, 'part'),
    },
    {
      name: 'Delivered',
      value: share(totals.delivered, totals.created),
      more: `${count(totals.delivered)} of ${counted(totals.created, 'message')}`,
      change: change(part(now), part(before), 'points'),
    },
    {
      name: 'Conversion',
      value: share(totals.verified, totals.verificationsSent),
      more: `${count(totals.verified)} of ${counted(totals.verificationsSent, 'code')} sent came back`,
      change: change(now.conversion, before.conversion, 'points'),
    },
    {
      name: 'Delivery time',
      value: latency(totals.p50),
      more: totals.p95 && `95 of 100 within ${latency(totals.p95)}`,
      change: change(now.p50?.ms, before.p50?.ms, 'part'),
    },
  ]
  return html`<dl class="tiles">${tiles.map(
    ({ name, value, more, change: changed }) => html`<div class="panel"><dt>${name}</dt><dd class="value">${value}</dd>
<dd class="more">${more}</dd>${changed !== undefined && html`<dd class="change"><b>${changed}</b> on ${than}</dd>`}</div>
`,
  )}</dl>`
}

/** What can have become of a message: each is in one of these. */
const messageParts: readonly { key: keyof MessageBreakdown; tone: Tone; name: string }[] = [
  { key: 'delivered', tone: 'delivered', name: 'delivered' },
  { key: 'onTheWay', tone: 'sent', name: 'on the way' },
  { key: 'failed', tone: 'failed', name: 'failed' },
  { key: 'expired', tone: 'expired', name: 'expired' },
  { key: 'replaced', tone: 'queued', name: 'replaced' },
]

interface Tile {
  name: string
  value: string
  more?: string | undefined
  /** Undefined where there is nothing to compare with. */
  change: string | undefined
}

function latency(one: Latency | undefined): string {
  return one === undefined ? '–' : `${one.isMore ? 'over ' : ''}${duration(one.ms)}`
}

function chartOfSeries({ series, grain }: Overview): BarChart {
  return {
    label: `Messages by ${grain}: what became of them, and codes that came back`,
    unit: grain === 'hour' ? 'Hour' : 'Day (UTC)',
    parts: messageParts,
    line: 'verified',
    bars: series.map(({ at, verified, ...sums }) => ({
      ...(grain === 'hour'
        ? { label: hourOf(at), name: hourNameOf(at), hour: at }
        : { label: dayOf(at), name: dayOf(at) }),
      parts: messageParts.map(({ key }) => sums[key]),
      line: verified,
    })),
    labelEvery: grain === 'hour' ? 3 : series.length > 7 ? 5 : 1,
    isRunning: true,
  }
}

const dayNames = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

function dayOf(at: Date): string {
  return dayNames.format(at)
}

function renderChannels({ channels }: Overview): Html {
  return renderTable({
    caption: 'By channel: the one that carried a message last',
    rows: channels,
    columns: [
      { name: 'Channel', cell: ({ connection }) => connection },
      { name: 'Messages', cell: ({ created }) => count(created), isNumber: true },
      { name: 'Delivered', cell: ({ delivered, created }) => share(delivered, created), isNumber: true },
      { name: 'Conversion', cell: conversionOf, isNumber: true },
      { name: 'Half within', cell: ({ p50 }) => latency(p50), isNumber: true, isExtra: true },
      { name: '95 % within', cell: ({ p95 }) => latency(p95), isNumber: true, isExtra: true },
    ],
    href: () => '/channels',
  })
}

/** Countries that are shown at once. */
const countriesShown = 8

function renderCountries({ countries }: Overview): Html {
  const asked = countries
    .filter(({ verificationsSent }) => verificationsSent > 0)
    .toSorted((one, other) => other.verificationsSent - one.verificationsSent)
  if (asked.length === 0) return html`<p class="quiet-text">No code was sent.</p>`
  const table = (rows: typeof asked, caption: string) =>
    renderTable({
      caption,
      rows,
      columns: [
        { name: 'Country', cell: ({ country }) => countryNameOf(country) },
        { name: 'Codes sent', cell: ({ verificationsSent }) => count(verificationsSent), isNumber: true },
        { name: 'Conversion', cell: conversionOf, isNumber: true },
      ],
    })
  const [first, rest] = [asked.slice(0, countriesShown), asked.slice(countriesShown)]
  return html`${table(first, 'Conversion by country')}${
    rest.length > 0 &&
    html`<details class="numbers"><summary>${counted(rest.length, 'more country', 'more countries')}</summary>${table(rest, 'Conversion by country: the others')}</details>`
  }`
}

function conversionOf({
  verified,
  verificationsSent,
  conversion,
}: Pick<Rates, 'verified' | 'verificationsSent' | 'conversion'>): Html {
  return html`<span class="rate">${conversion !== undefined && meterOf(conversion)}${share(verified, verificationsSent)}</span>`
}
