/** Sending › Protection: does somebody make numbers up, and what is done about it? */
import { hasRole } from '../../../../domain/access/actor.ts'
import type { RuleHours } from '../../../../domain/insight/ruleHours.ts'
import type { FoundProtection } from '../../../../domain/protection/protection.ts'
import { type ProtectionRule, ruleList } from '../../../../domain/protection/rule.ts'
import { type Html, html } from '../../../html.ts'
import { actButton, headOf } from '../../parts/act.ts'
import { count } from '../../parts/amount.ts'
import { toned } from '../../parts/status.ts'
import { renderTable } from '../../parts/table.ts'
import type { Asked, GuardedRoute, View } from '../../route.ts'
import { addRuleRoutes } from './addRule.ts'
import { budgetRoutes } from './budgetForm.ts'
import { renderBudgets } from './budgets.ts'
import { renderConversions } from './conversion.ts'
import { countryRoutes } from './countries.ts'
import { foundByDay, renderFoundByHour, renderStopped } from './found.ts'
import { oneRuleRoutes } from './oneRule.ts'
import { ruleEditRoutes } from './ruleEdit.ts'
import { readSentence } from './ruleSentence.ts'
import { ruleTrialRoutes } from './ruleTrial.ts'
import { ruleWords } from './ruleWords.ts'

const section = '/protection'

export const protectionRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: section, role: 'viewer', show },
  ...ruleTrialRoutes,
  ...ruleEditRoutes,
  ...addRuleRoutes,
  ...oneRuleRoutes,
  ...budgetRoutes,
  ...countryRoutes,
]

async function show({ desk, actor }: Asked): Promise<View> {
  const live = { accountId: actor.accountId, mode: 'live' } as const
  const [conversions, found, hours, budgets] = await Promise.all([
    desk.conversions.find(actor, live),
    desk.protections.find(actor, actor.accountId),
    desk.ruleHours(actor, live),
    desk.usedBudgets(actor, live),
  ])
  const isOwner = actor.role === 'owner'
  const acts = html`<a class="button plain" href="/protection/countries">Countries</a>${hasRole(actor.role, 'developer') && html`<a class="button plain" href="/protection/try">Try rules</a>`}${
    isOwner &&
    html`<a class="button plain" href="/protection/rules">Edit as YAML</a><a class="button" href="/protection/add">Add a rule</a>`
  }`
  const body = html`${headOf('Protection', acts)}
<p class="lead">SMS pumping sends codes to numbers where no person reads them, so fewer codes come back. <a href="/guide/protection">About SMS pumping</a></p>
<section><h2>Codes that come back</h2>
<p class="quiet-text">Live keys, the last 24 hours. What is usual is the median of the 14 days before today, of days with 10 codes or more. Codes that other systems check never come back here.</p>
<div id="conversion" data-live="30">${renderConversions(conversions)}</div></section>
<section><h2>What rules found</h2><div id="found" data-live="30">${renderFoundByHour(hours)}</div></section>
<section><h2>Rules</h2>${renderRules(found, hours, isOwner)}</section>
<section><h2>Budgets</h2><div id="budgets" data-live="30">${renderBudgets(budgets, isOwner)}</div>
${isOwner && html`<div class="acts"><a class="button plain" href="/protection/add-budget">Add a budget</a></div>`}</section>
<section><h2>Numbers that were stopped</h2>${renderStopped(hours.stopped, isOwner ? { to: '/protection/pass', version: found.version } : undefined)}</section>`
  return { title: 'Protection', section, body }
}

/** @param canChange each has a link to where one changes what it does, and an own list has the way back to the standard one */
function renderRules(
  { rules: written, isOwn, version }: FoundProtection,
  { rules: found, days }: RuleHours,
  canChange: boolean,
): Html {
  const { data: rules } = ruleList.safeParse(written)
  const back = isOwn && canChange && html`<div class="acts">${toStandard(version)}</div>`
  if (!rules) {
    return html`<p class="quiet-text">Another version of the service has written the rules of this account, and this one cannot read them: it judges no send.</p>${back}`
  }
  const foundBy = (rule: ProtectionRule) =>
    Object.values(found.get(rule.id) ?? {}).reduce((sum, sends) => sum + sends, 0)
  const whose = isOwn ? 'This account has a list of its own.' : 'This is the standard list, which only records.'
  return html`<p class="quiet-text">${whose} A rule that records would have stopped what it found.</p>
${renderTable({
  caption: 'The rules, in their order',
  rows: rules,
  columns: [
    { name: 'Rule', cell: ({ id }) => html`<code>${id}</code>`, isHead: true },
    { name: 'What it says', cell: readSentence },
    { name: 'Found in 14 days', cell: ({ id }) => foundByDay(days.get(id)), isNumber: true },
    { name: 'Found in 24 h', cell: (rule) => count(foundBy(rule)), isNumber: true },
    { name: 'Does', cell: ({ do: act }) => toned(actTones[act], act) },
    ...(canChange
      ? [
          {
            name: '',
            cell: ({ id }: ProtectionRule) => html`<a class="button plain" href="/protection/rules/${id}">Change</a>`,
          },
        ]
      : []),
  ],
})}
${ruleWords()}
${back}`
}

function toStandard(version: string): Html {
  return actButton({
    to: '/protection/reset',
    label: 'Back to the standard list',
    confirm:
      "Remove this account's own rules and budgets. The standard list only records: nothing is refused from then on.",
    isDangerous: true,
    fields: { version },
  })
}

export const actTones = { record: 'sent', challenge: 'expired', block: 'failed' } as const
