/** What is wrong now, as the overview tells it: each with a link to where it is put right. */
import type { FallenConversion } from '../../../../domain/insight/conversion.ts'
import type { Trouble } from '../../../../domain/insight/trouble.ts'
import type { Mode } from '../../../../store/schema/schema.ts'
import { type Html, html, type Part } from '../../../html.ts'
import { count, counted, duration, share } from '../../parts/amount.ts'
import { countryNameOf } from '../../parts/country.ts'
import { iconOf } from '../../parts/icon.ts'
import { toned } from '../../parts/status.ts'
import { timeOf } from '../../parts/time.ts'

export function renderTroubles(troubles: readonly Trouble[], mode: Mode): Html {
  if (troubles.length === 0) {
    return html`<p class="well">${iconOf('done')}Nothing is wrong now.</p>`
  }
  return html`<section class="panel troubles"><h2>What is wrong now<small>${counted(troubles.length, 'thing')}, ${mode} keys</small></h2>
<ul>${troubles
    .map(tellTrouble)
    .toSorted((one, other) => Number(one.tone !== 'failed') - Number(other.tone !== 'failed'))
    .map(({ tone, word, text, to }) => html`<li>${toned(tone, word)}<a href="${to}">${text}</a></li>`)}</ul></section>`
}

interface Told {
  tone: 'failed' | 'expired'
  word: string
  text: Part
  to: string
}

/** What is put right on the page of channels. */
function failedChannel(word: string, text: Part): Told {
  return { tone: 'failed', word, text, to: '/channels' }
}

function tellTrouble(trouble: Trouble): Told {
  switch (trouble.kind) {
    case 'connection_missing':
      return failedChannel('no channel', 'There is no channel: nothing can be sent with live keys.')
    case 'connection_rests':
      return failedChannel(
        'channel rests',
        html`${trouble.id}: ${trouble.reason}. It is tried again ${timeOf(trouble.until)}.`,
      )
    case 'connection_unusable':
      return failedChannel('channel unusable', html`${trouble.id}: ${trouble.reason}.`)
    case 'day_used':
      return dayTold(trouble)
    case 'connection_fails':
      return failedChannel(
        'messages fail',
        `${trouble.id}: ${counted(trouble.failed, 'message')} failed in the last hour, ${share(trouble.failed, trouble.of)} of all.`,
      )
    case 'reports_missing':
      return {
        ...{ tone: 'expired', word: 'no reports', to: '/channels' },
        text: html`${trouble.id}: no report of ${counted(trouble.messages, 'message')} since ${timeOf(trouble.since)}. Does the provider know the address of the reports?`,
      }
    case 'queue_grows':
      return failedChannel(
        'queue grows',
        `Messages by ${trouble.id} have waited for ${duration(trouble.seconds * 1000)}: are there enough workers?`,
      )
    case 'endpoint_disabled':
      return {
        ...{ tone: 'failed', word: 'webhook disabled', to: `/webhooks/${trouble.id}` },
        text: html`${hostOf(trouble.url)}: ${disabledReasons[trouble.reason ?? 'manual']}, ${timeOf(trouble.since)}. Its events are held.`,
      }
    case 'endpoint_fails':
      return {
        ...{ tone: 'expired', word: 'webhook fails', to: `/webhooks/${trouble.id}` },
        text: html`${hostOf(trouble.url)}: ${counted(trouble.failures, 'failure')} in a row since ${timeOf(trouble.since)}.`,
      }
    case 'endpoint_waits':
      return {
        ...{ tone: 'expired', word: 'webhook waits', to: `/webhooks/${trouble.id}` },
        text: `${hostOf(trouble.url)}: an event has waited for ${duration(trouble.seconds * 1000)}.`,
      }
    case 'conversion_falls':
      return {
        ...{ tone: 'failed', word: 'few codes come back', to: '/protection' },
        text: fallenText(trouble),
      }
    case 'budget_reached':
      return budgetTold(trouble)
    case 'template_unusable':
      return unusableTold(trouble)
    case 'template_stuck':
      return {
        ...{ tone: 'expired', word: 'template', to: `/templates/${trouble.id}` },
        text: `${trouble.id}: no channel can carry it.`,
      }
  }
}

function unusableTold({ id, connection, text, since }: Extract<Trouble, { kind: 'template_unusable' }>): Told {
  const told = html`${id}, by ${connection}: ${text}, known since ${timeOf(since)}. Other channels carry it, if there are any.`
  return { tone: 'failed', word: 'template', to: `/templates/${id}`, text: told }
}

function dayTold({ id, used, of, until }: { id: string; used: number; of: number; until: Date | null }): Told {
  const to = '/channels'
  return until
    ? {
        ...{ tone: 'failed', word: 'day used up', to },
        text: html`${id}: its ${counted(of, 'message')} of a day are used up. The next one is free ${timeOf(until)}.`,
      }
    : {
        ...{ tone: 'expired', word: 'day nearly used', to },
        text: `${id}: ${share(used, of)} of its ${counted(of, 'message')} of a day are used.`,
      }
}

function budgetTold({ id, percent }: { id: string; percent: number }): Told {
  const to = '/protection'
  return percent >= 100
    ? { tone: 'failed', word: 'budget spent', to, text: `${id}: nothing more is sent within it today (UTC).` }
    : { tone: 'expired', word: 'budget', to, text: `${id}: ${percent} % are used today (UTC).` }
}

function fallenText({ country, prefix, sent, verified, minutes, usual }: FallenConversion): string {
  const where =
    prefix === undefined ? countryNameOf(country) : `Numbers that begin with ${prefix} (${countryNameOf(country)})`
  const part = `${count(verified)} of ${counted(sent, 'code')} came back, sent in ${minutes} minutes`
  return `${where}: ${part}; ${share(usual, 1)} is usual. This can be SMS pumping.`
}

const disabledReasons = {
  failing: 'it failed for too long',
  gone: 'it answered that it is gone',
  manual: 'a user disabled it',
}

/** A URL may hold a secret. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an endpoint'
}
