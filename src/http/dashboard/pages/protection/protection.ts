/** Sending › Protection: does somebody make numbers up, and what is done about it? */
import { hasRole } from '../../../../domain/access/actor.ts'
import type { ProtectionRule } from '../../../../domain/protection/rule.ts'
import { ruleText } from '../../../../domain/protection/ruleText.ts'
import { standardList } from '../../../../domain/protection/standardList.ts'
import { type Html, html } from '../../../html.ts'
import { headOf } from '../../parts/act.ts'
import { tableOf } from '../../parts/table.ts'
import type { Asked, GuardedRoute, View } from '../../route.ts'
import { conversionsOf } from './conversion.ts'
import { ruleTrialRoutes } from './ruleTrial.ts'

const section = '/protection'

export const protectionRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: section, role: 'viewer', show },
  ...ruleTrialRoutes,
]

async function show({ desk, actor }: Asked): Promise<View> {
  const conversions = await desk.conversions.find(actor, { accountId: actor.accountId, mode: 'live' })
  const body = html`${headOf('Protection', hasRole(actor.role, 'developer') && html`<a class="button" href="/protection/try">Try rules</a>`)}
<p class="lead">Who makes numbers up has codes sent and never types them in. So the part of the codes that come back falls. <a href="/guide/protection">About made-up numbers</a></p>
<section><h2>Codes that come back</h2>
<p class="quiet-text">Live keys, the last 24 hours. What is usual is the median of the 14 days before today, of days with 10 codes or more. Codes that are never checked here, like those of other systems, come back never.</p>
<div id="conversion" data-live="30">${conversionsOf(conversions)}</div></section>
<section><h2>Rules</h2>
<p class="quiet-text">So far, these rules are a file that is checked. The service does not judge sends by them yet.</p>
${rulesOf(standardList)}</section>`
  return { title: 'Protection', section, body }
}

function rulesOf(rules: readonly ProtectionRule[]): Html {
  return tableOf({
    caption: 'The rules, in their order',
    rows: rules,
    columns: [
      { name: 'Rule', cell: ({ id }) => html`<code>${id}</code>`, isHead: true },
      { name: 'By', cell: ({ by }) => by.replace('_', ' ') },
      { name: 'Finds', cell: ruleText },
      { name: 'Does', cell: ({ do: act }) => act },
    ],
  })
}
